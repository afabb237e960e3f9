"""`chunk`: one way of calling for both strategies, and what does not go together is said by name."""

import pytest


@pytest.fixture
def docs(folder):
    return folder({"fees.md": "# Fees\n\nThe fee is 5.\n\n## Cards\n\nCards cost 2.\n"})


def test_chunks_follow_the_structure_unless_asked_otherwise(cli, docs):
    (chunk,) = cli("chunk", docs, "--json").json["chunks"]
    assert chunk["text"] == "The fee is 5.\n\n## Cards\n\nCards cost 2."
    assert cli("chunk", docs, "--strategy", "structure", "--json").json["chunks"] == [chunk]
    (fixed,) = cli("chunk", docs, "--strategy", "fixed", "--json").json["chunks"]
    assert fixed["text"].startswith("# Fees")


def test_characters_go_with_fixed_windows_alone(cli, docs):
    ran = cli("chunk", docs, "--unit", "chars")
    assert ran.status == 2
    assert "'chars' does not go with strategy 'structure'" in ran.complaint
    found = cli(
        "chunk", docs, "--unit", "chars", "--strategy", "fixed", "--size", "20", "--overlap", "5", "--json"
    )
    assert [chunk["span"] for chunk in found.json["chunks"]] == [[0, 20], [15, 35], [30, 46]]


def test_an_unknown_strategy_names_the_choices(cli, docs):
    ran = cli("chunk", docs, "--strategy", "magic")
    assert ran.status == 2
    assert "structure" in ran.complaint
    assert "fixed" in ran.complaint


def test_sentences_that_part_and_sections_to_read_are_strategies_of_every_command(cli, docs, tmp_path):
    for strategy in ("semantic", "parent"):
        (chunk,) = cli("chunk", docs, "--strategy", strategy, "--json").json["chunks"]
        assert chunk["text"] == "The fee is 5.\n\n## Cards\n\nCards cost 2."
    (hit,) = cli("search", "What is the fee?", "--docs", docs, "--strategy", "parent", "--json").json["hits"]
    assert hit["chunk_id"].startswith("fees.md#p")
    out = tmp_path / "index"
    assert cli("index", "--docs", docs, "--out", out, "--strategy", "fixed").status == 0
    ran = cli("search", "fee", "--index", out, "--strategy", "fixed")
    assert (ran.status, "leave --strategy out" in ran.complaint) == (2, True)


def test_the_classic_baseline_of_500_characters_and_50(cli, folder):
    docs = folder({"a.txt": "0123456789" * 120})
    found = cli(
        "chunk", docs, "--strategy", "fixed", "--unit", "chars", "--size", 500, "--overlap", 50, "--json"
    )
    assert [chunk["span"] for chunk in found.json["chunks"]] == [[0, 500], [450, 950], [900, 1200]]
    assert [chunk["overlap"] for chunk in found.json["chunks"]] == [0, 50, 50]
