"""Questions made from tables: which figures are asked for, how, and which are left out and counted."""

from dataclasses import replace

from rag_kit.evaluation.figures import draw_figures, label_column, printed_figures
from rag_kit.parsing import parse_markdown
from rag_kit.parsing.tables import labelled_cells

PRICES = (
    "# Prices\n\n| Part | List price | Fits |\n|---|---|---|\n| XX-1 | 5 | all |\n| XX-2 | 7 | XX-9 only |\n"
)


def document(text=PRICES, name="prices.md", **fields):
    return replace(parse_markdown(text, source_uri=name, relative_path=name), **fields)


def asked(*documents, each=9):
    return {figure.question for figure in draw_figures(documents, each=each).figures}


def test_each_figure_is_asked_for_by_its_two_labels_and_stands_in_its_row():
    one = document()
    drawn = draw_figures([one], each=9)
    assert {(f.row, f.column, f.text) for f in drawn.figures} == {
        ("XX-1", "List price", "5"), ("XX-2", "List price", "7"), ("XX-2", "Fits", "XX-9 only"),
    }  # fmt: skip
    for figure in drawn.figures:
        assert figure.row in figure.question
        assert figure.column in figure.question
        row = one.text[slice(*figure.span)]
        assert row.startswith("| XX-")
        assert figure.text in row
    assert (drawn.printed, drawn.unlabelled, drawn.doubled) == (3, 0, 0)
    cells = {(cell.row, cell.column, cell.text) for cell in labelled_cells(one.text)}
    assert {(f.row, f.column, f.text) for f in drawn.figures} <= cells


def test_the_same_documents_give_the_same_questions_and_a_table_gives_so_many():
    assert draw_figures([document()]) == draw_figures([document()])
    assert len(draw_figures([document()], each=2).figures) == 2
    assert asked(document(), each=1) < asked(document(), each=2) < asked(document(), each=3)


def test_a_row_that_other_documents_speak_of_is_asked_for_with_the_title():
    other = document("# Notes\n\nThe XX-1 is grey.\n", "notes.md")
    both = asked(document(), other)
    assert all(("in Prices" in question) == ("XX-1" in question) for question in both)
    longer = document("# Notes\n\nThe XX-10 is grey.\n", "notes.md")
    assert not any("in Prices" in question for question in asked(document(), longer))


def test_a_question_with_two_answers_is_left_out_and_counted():
    twice = document(
        "# Fees\n\n| Card | Fee |\n|---|---|\n| Lost | 5 |\n\nLater:\n\n| Card | Fee |\n|---|---|\n| Lost | 6 |\n"
    )
    drawn = draw_figures([twice])
    assert (drawn.figures, drawn.printed, drawn.doubled) == ((), 2, 2)


def test_a_figure_without_a_label_is_counted_and_not_asked_for():
    bare = document("|  |  |\n|---|---|\n| Lost | 5 |\n| Found | 6 |\n")
    drawn = draw_figures([bare])
    assert (drawn.figures, drawn.printed, drawn.unlabelled) == ((), 2, 2)


def test_rows_are_named_by_the_first_column_that_tells_them_apart_words_before_numbers():
    assert label_column([["Probes", "AC-1", "5"], ["Probes", "AC-2", "5"]]) == 1
    assert label_column([["1", "Drawing"], ["2", "Report"]]) == 1
    assert label_column([["2026", "5"], ["2027", "5"]]) == 0
    assert label_column([["", "AC-1"], ["", "AC-2"], ["Probes", "AC-3"]]) == 1
    assert label_column([]) is None


def test_a_text_without_tables_prints_no_figures():
    assert list(printed_figures(document("# Fees\n\nThe fee is 5.\n"))) == []
