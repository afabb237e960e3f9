"""`--where`, `--as-of` and `--as`: what is said of them, the same of documents as of an index made of them."""

import pytest

from rag_kit.cli import main

FILES = {
    "old.md": "---\nid: old\naccess_tags: [all]\nupdated_at: 2025-01-01\nseats: 10\n---\nThe fee is 4 euro.\n",
    "now.md": "---\nid: now\naccess_tags: [all]\nupdated_at: 2026-01-01\nsupersedes: old\nseats: 20\n---\n"
    + "".join(
        f"# Part {n}\n\nThe fee of part {n} is {n} euro. {'It is paid in May. ' * 40}\n\n" for n in (5, 6)
    ),
    "next.md": "---\nid: next\naccess_tags: [all]\nupdated_at: 2027-01-01\nseats: 30\n---\nThe fee is 6 euro.\n",
    "pay.md": "---\nid: pay\naccess_tags: [hr]\nseats: 40\ngrade: 7\n---\nThe porter earns 9 euro.\n",
}


@pytest.fixture
def run(capsys, folder, tmp_path, monkeypatch):
    """Search the documents, and an index of them; both say the same, and are returned as one."""
    monkeypatch.setenv("RAG_KIT_PROGRESS", "0")
    docs, index = folder(FILES), tmp_path / "index"
    assert main(["index", "--docs", str(docs), "--out", str(index), "--offline"]) == 0

    def search(*options):
        told = []
        for source in (["--docs", str(docs)], ["--index", str(index)]):
            capsys.readouterr()
            status = main(
                ["search", "What is the fee?", *source, "--offline", "--pipeline", "bm25", *options]
            )
            told.append((status, *capsys.readouterr()))
        assert told[0] == told[1]
        return told[0]

    return search


def test_an_index_says_what_is_left_out_as_its_documents_do(run):
    def left_out(*options):
        return run(*options)[2].removeprefix("rag_kit: left out: ").removesuffix("\n")

    assert left_out("--as-of", "2026-06-01") == "1 document not yet in force on 2026-06-01 (--as-of)"
    assert left_out("--as-of", "2027-06-01") == ""
    assert left_out("--as-of", "2027-06-01", "--as", "all") == "1 document without a tag of yours (--as)"
    assert left_out("--as-of", "2027-06-01", "--where", "id=old") == (
        "3 documents that --where does not admit, 1 superseded (--include-superseded shows them)"
    )


@pytest.mark.parametrize("value", ["4,990", "0x10", "abc"])
def test_a_number_is_compared_with_numbers_alone(run, value):
    assert run("--where", f"seats>={value}") == (
        2,
        "",
        f"rag_kit: --where seats>={value!r} is no number, and 'seats' holds numbers: "
        "write one, as in seats>=30\n",
    )


def test_numbers_are_equal_by_value(run):
    status, out, _ = run("--where", "seats=20.0", "--as-of", "2026-06-01")
    assert status == 0
    assert "now.md" in out
    assert "next.md" not in out


def test_that_a_hidden_field_holds_numbers_is_not_told(run):
    status, _, err = run("--where", "grade>=abc", "--as", "all")
    assert status == 0
    assert "no document has 'grade' (--where)" in err
    assert run("--where", "grade>=abc")[0] == 2


def test_tags_may_be_given_together_or_one_by_one(run):
    together, apart, spaced = (
        run(*tags)[1] for tags in (["--as", "all,hr"], ["--as", "all", "--as", "hr"], ["--as", " all , hr "])
    )
    assert "euro" in together
    assert together == apart == spaced
    assert together != run("--as", "hr")[1]
