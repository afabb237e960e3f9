"""Tables whose rows stand without their column labels."""

from dataclasses import replace

from rag_kit.chunking import chunk_structure, diagnose
from rag_kit.testing import FakeTokenizer
from tests.chunking.diagnostics.conftest import cut, read

CODE = "table_without_header"
TABLE = "| Part | Price |\n|---|---|\n| Valve | 45 |\n‖| Ring | 3 |\n| Seal | 2 |\n"


def test_rows_without_header_are_an_error_that_names_the_labels(found):
    (item,) = found(CODE, TABLE)
    assert item.severity == "error"
    assert "(Part, Price)" in item.message
    assert item.excerpts == ("| Ring | 3 | | Seal | 2 |",)


def test_rows_of_words_alone_are_a_warning(found):
    (item,) = found(CODE, "| Part | Use |\n|---|---|\n| Valve | on |\n‖| Ring | off |\n")
    assert item.severity == "warning"


def test_a_header_in_the_prefix_or_in_the_chunk_is_enough(found):
    document, (first, second) = cut(TABLE)
    led = replace(second, prefix="| Part | Price |\n|---|---|")
    bare = {f.code for f in diagnose([document], [first, second], FakeTokenizer())}
    assert bare == {CODE, "chunk_too_small"}
    assert CODE not in {f.code for f in diagnose([document], [first, led], FakeTokenizer())}
    assert found(CODE, TABLE.replace("‖", "")) == []


def test_the_structure_chunker_keeps_headers():
    rows = "".join(f"| Valve {n} | {n}0 |\n" for n in range(40))
    document = read("| Part | Price |\n|---|---|\n" + rows)
    chunks = chunk_structure([document], FakeTokenizer(), size=60)
    assert len(chunks) > 2
    assert not [f for f in diagnose([document], chunks, FakeTokenizer()) if f.code == CODE]


def test_a_wide_table_that_never_had_a_header_is_a_warning(found):
    (item,) = found(CODE, "|  |  |  |\n|---|---|---|\n| Valve | 45 | 12 |\n")
    assert item.severity == "warning"
    assert "no header row" in item.message


def test_labels_and_values_in_two_columns_need_none(found):
    assert found(CODE, "|  |  |\n|---|---|\n| Weight | 45 kg |\n| Height | 2 m |\n") == []
