"""`diagnose`: findings are the result; only a file that cannot be read changes the exit status."""

import pytest

TABLE = "| Part | Price |\n|---|---|\n" + "".join(f"| Valve {n} | {n}5 |\n" for n in range(1, 30))


@pytest.fixture
def docs(folder):
    return folder(
        {"fees.md": f"# Fees\n\nThe fee is 5 euros.\n\n{TABLE}", "odd.md": "The li\ufffdt is old.\n"}
    )


def test_json_holds_findings_summary_counts_and_errors(cli, docs):
    ran = cli("diagnose", docs, "--json", "--strategy", "fixed", "--size", "40", "--overlap", "0")
    assert (ran.status, ran.stderr) == (0, "")
    assert list(ran.json) == ["findings", "summary", "documents", "chunks", "errors"]
    assert (ran.json["documents"], ran.json["errors"]) == (2, [])
    first = ran.json["findings"][0]
    assert list(first) == [
        "code", "severity", "message", "document_id", "source_uri", "span", "page", "chunk_id", "excerpts",
        "related",
    ]  # fmt: skip
    codes = [item["code"] for item in ran.json["findings"]]
    assert ran.json["summary"] == {code: codes.count(code) for code in ran.json["summary"]}
    assert sum(ran.json["summary"].values()) == len(codes)
    assert {"table_without_header", "unmapped_characters"} <= set(codes)


def test_the_structure_chunker_keeps_the_header(cli, docs):
    ran = cli("diagnose", docs, "--json")
    assert ran.json["summary"] == {"unmapped_characters": 1}


def test_the_summary_counts_and_shows_places_and_how_to_see_all(cli, docs):
    ran = cli("diagnose", docs, "--strategy", "fixed", "--unit", "chars", "--size", "100", "--overlap", "0")
    assert (ran.status, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("2 documents, ")
    assert lines[2].split()[0] == "error"
    assert "fees.md, characters" in ran.stdout
    assert "… and " in ran.stdout
    assert lines[-1] == "--json shows every finding"


def test_clean_documents_have_nothing_found(cli, folder):
    ran = cli("diagnose", folder({"fees.md": "# Fees\n\nThe fee is 5 euros.\n"}))
    assert (ran.status, ran.stdout) == (0, "1 document, 1 chunk: nothing found\n")


def test_a_file_that_cannot_be_read_is_status_1_and_the_rest_is_diagnosed(cli, folder):
    root = folder({"fees.md": "The fee is 5 euros.\n", "bad.json": "{"})
    told = cli("diagnose", root)
    assert told.stdout == "1 document, 1 chunk, 1 file that could not be read: nothing else found\n"
    ran = cli("diagnose", root, "--json")
    assert ran.status == 1
    assert "bad.json" in ran.complaint
    assert (ran.json["documents"], len(ran.json["errors"])) == (1, 1)


def test_what_does_not_go_together_is_said_and_help_names_the_status(cli, docs):
    ran = cli("diagnose", docs, "--unit", "chars")
    assert ran.status == 2
    assert "'chars' does not go with strategy 'structure'" in ran.complaint
    assert "exit status is 1 only" in " ".join(cli("diagnose", "--help").stdout.split())
