"""A learner compares the ways to search: moves k and the weights, asks, filters; in both themes."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
SOURCE = Path(__file__).with_name("retrieval_inspector_lesson.txt")


def cell_of(page, code):
    """Return the cell whose code holds some words, brought into sight."""
    cell = page.locator(".jp-CodeCell").filter(has_text=code)
    cell.get_by_text("Why here?").wait_for()
    cell.evaluate("e => e.scrollIntoView({block: 'start'})")
    return cell


def letters(cell, column):
    """Return the letters of one list, from the top: its name heads the column."""
    return cell.evaluate(
        """(cell, column) => { const table = cell.querySelector('table');
        const at = [...table.tHead.rows[0].cells].findIndex(c => c.innerText.startsWith(column));
        return [...table.tBodies[0].rows].map((row, n) => {
            // The gutters stand in the first row alone.
            const cells = [...row.cells], own = n === 0 ? cells[at] : cells[at / 2];
            return own.querySelector('strong')?.innerText; }); }""",
        column,
    )


def fits(cell):
    """Tell whether the lists stand beside each other within the output, without a scroll bar."""
    return cell.evaluate(
        """cell => { const table = cell.querySelector('table'), box = table.parentElement;
        const edge = cell.querySelector('.jp-OutputArea-output').getBoundingClientRect().right;
        return box.scrollWidth <= box.clientWidth && table.getBoundingClientRect().right <= edge; }"""
    )


def type_into(cell, placeholder, text):
    field = cell.get_by_placeholder(placeholder)
    field.fill(text)
    field.press("Enter")


def set_slider(cell, number, value):
    readout = cell.locator(".widget-readout[contenteditable]").nth(number)
    readout.fill(value)
    readout.press("Enter")


def set_to(cell, words):
    """Wait until the lists are those of a setting: it stands at the head of the fused one."""
    cell.locator("th", has_text=words).wait_for()


ROWS, K, SHARE = range(3)


def test_a_learner_moves_k_and_the_weights_and_reads_the_sum(jupyter, inspector_notebook, tmp_path):
    page = jupyter.open(inspector_notebook).run_all().page
    assert jupyter.errors() == []
    cell = cell_of(page, 'query="price"')
    jupyter.shot("retrieval_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    jupyter.shot("retrieval_dark", tmp_path)
    assert letters(cell, "dense") == ["A", "B", "C", "D", "E"]
    assert cell.locator("tfoot").inner_text().count("at place") == 3
    assert cell.locator("img").count() == 2
    assert cell.evaluate("cell => [...cell.querySelectorAll('img')].every(i => i.naturalWidth > 0)")
    assert fits(cell)

    set_slider(cell, K, "0")
    set_to(cell, "rrf, k = 0,")
    first = letters(cell, "fused")[0]
    why = cell.get_by_label("Why here", exact=True)
    why.select_option(index=1 + "ABCDEFGHIJ".index(first))
    cell.locator("details[open]").last.get_by_text("fused: place 1; 1/(0 + ").wait_for()
    cell.locator("details[open]").last.scroll_into_view_if_needed()
    jupyter.shot("retrieval_why_dark", tmp_path)
    set_slider(cell, K, "10")
    cell.locator("details[open]").last.get_by_text("fused: place 1; 1/(10 + ").wait_for()

    set_slider(cell, SHARE, "1")
    set_to(cell, "weights dense 0, bm25 1")
    assert letters(cell, "fused") == letters(cell, "bm25")
    set_slider(cell, SHARE, "0")
    set_to(cell, "weights dense 1, bm25 0")
    assert letters(cell, "fused") == letters(cell, "dense")
    set_slider(cell, ROWS, "3")
    cell.locator("tbody").first.locator("tr").nth(3).wait_for(state="detached")
    assert letters(cell, "fused") == ["A", "B", "C"]

    cell.get_by_label("Fusion", exact=True).select_option("zscore")
    set_to(cell, "zscore, weights")
    cell.locator("details[open]").last.get_by_text("fused: place 2; 1 × ").wait_for()


def test_what_the_tags_hide_is_nowhere_and_what_does_not_fit_is_a_line(jupyter, inspector_notebook, tmp_path):
    page = jupyter.open(inspector_notebook).run_all().page
    cell = cell_of(page, 'query="price"')
    cell.get_by_label("Labelled", exact=True).select_option(
        "contract · Since when does the contract with the dairy run?"
    )
    cell.locator("tfoot", has_text="at place 1").wait_for()
    assert "Larkspur" in cell.inner_text()
    type_into(cell, "the owner; or tags", "public")
    cell.get_by_text("the evidence is hidden from these tags").wait_for()
    jupyter.shot("retrieval_hidden_light", tmp_path)
    assert "arkspur" not in cell.evaluate("cell => cell.querySelector('.jp-OutputArea').innerHTML")

    type_into(cell, "department=sales", "nonsense")
    cell.get_by_role("alert").filter(has_text="is not a condition: write KEY=VALUE").wait_for()
    jupyter.shot("retrieval_trouble_light", tmp_path)
    type_into(cell, "department=sales", "document_id=price-list-2025")
    cell.get_by_text("No chunk holds a term of the question.").wait_for()
    cell.get_by_label("Superseded versions too").check()
    type_into(cell, "Type a question", "What is the price of the SP-120?")
    cell.locator("strong", has_text="superseded").first.wait_for()
    jupyter.shot("retrieval_superseded_light", tmp_path)
    assert cell.get_by_role("alert").count() == 0
    assert jupyter.errors() == []

    cell = cell_of(page, "reranker=ShortestFirst()")
    assert cell.locator("th:has(span)").all_inner_texts()[-1].startswith("reranked")
    assert cell.locator("img").count() == 3
    assert fits(cell)
    jupyter.shot("retrieval_reranked_light", tmp_path)


def test_an_executed_notebook_reads_the_same_before_it_runs(jupyter, executed_notebook, tmp_path):
    page = jupyter.open(executed_notebook).page
    cell = cell_of(page, 'query="price"')
    assert letters(cell, "dense") == ["A", "B", "C", "D", "E"]
    assert cell.locator("tfoot").inner_text().count("at place") == 3
    # The notebook is not trusted, and JupyterLab takes out what it does not know: the lines are images.
    assert cell.locator("img").count() == 2
    assert cell.evaluate("cell => [...cell.querySelectorAll('img')].every(i => i.naturalWidth > 0)")
    assert cell.locator("mark").count() > 5
    jupyter.shot("retrieval_static_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    cell.locator("summary").first.click()
    cell.locator("summary").nth(1).click()
    cell.locator("details[open]").last.get_by_text("fused: place").wait_for()
    cell.locator("details[open]").last.scroll_into_view_if_needed()
    jupyter.shot("retrieval_static_dark", tmp_path)
