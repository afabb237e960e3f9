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
