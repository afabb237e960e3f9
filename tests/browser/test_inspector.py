"""A learner moves the borders of chunks, asks, and meets what does not fit; in both themes."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
SOURCE = Path(__file__).with_name("inspector_lesson.txt")
LESSON = "notebooks/03_chunking_diagnostics.ipynb"
ROW = "SP-120 | Battery pack | XX-1042B"


def show(jupyter, name, folder):
    slider = jupyter.page.get_by_placeholder("Type one, or choose")
    slider.evaluate("e => e.closest('.jp-Cell').scrollIntoView({block: 'start'})")
    jupyter.shot(name, folder)


def test_the_borders_move_and_the_gold_quote_is_marked(jupyter, inspector_notebook, tmp_path):
    page = jupyter.open(inspector_notebook).run_all().page
    assert jupyter.errors() == []
    page.locator("mark:visible", has_text=ROW).first.wait_for()
    page.get_by_text("The gold quote is whole in chunk").first.wait_for()
    show(jupyter, "inspector_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    show(jupyter, "inspector_dark", tmp_path)

    before = page.get_by_text("chunks of").first.inner_text()
    page.get_by_label("Strategy", exact=True).select_option("fixed")
    page.get_by_text("sentence cut").first.wait_for()
    assert page.get_by_text("chunks of").first.inner_text() != before
    show(jupyter, "inspector_fixed_dark", tmp_path)

    question = page.get_by_placeholder("Type one, or choose")
    question.fill("Who gets a discount?")
    question.press("Enter")
    page.get_by_text("Question: Who gets a discount?").first.wait_for()
    page.get_by_label("Document", exact=True).select_option(
        label="Service contract QC-2026-014 with Larkspur Dairies"
    )
    page.get_by_text("Service contract QC-2026-014 with Larkspur Dairies: ").first.wait_for()
    show(jupyter, "inspector_contract_dark", tmp_path)


def test_what_does_not_fit_is_said_in_the_panel(jupyter, inspector_notebook, tmp_path):
    page = jupyter.open(inspector_notebook).run_all().page
    sizes = page.locator(".widget-readout[contenteditable]")
    sizes.nth(0).fill("32")
    sizes.nth(0).press("Enter")
    sizes.nth(1).fill("64")
    sizes.nth(1).press("Enter")
    page.get_by_role("alert").filter(has_text="overlap 64 does not fit a size of 32").wait_for()
    show(jupyter, "inspector_trouble_light", tmp_path)
    sizes.nth(1).fill("8")
    sizes.nth(1).press("Enter")
    page.get_by_text("chunks of").first.wait_for()
    assert page.get_by_role("alert").count() == 0
    assert jupyter.errors() == []


def test_an_executed_notebook_is_short_before_it_runs(jupyter, executed_notebook, tmp_path):
    page = jupyter.open(executed_notebook).page
    page.locator("mark:visible", has_text=ROW).first.wait_for()
    folded = page.locator("summary", has_text="not among those found").first
    folded.wait_for()
    jupyter.shot("inspector_static_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    folded.click()
    jupyter.shot("inspector_static_dark", tmp_path)


def test_lesson_03_from_start_to_end(jupyter, kit, tmp_path):
    if not (kit / LESSON).exists():
        pytest.skip(f"{LESSON} is not built yet")
    page = jupyter.open(LESSON).run_all().page
    assert jupyter.errors() == []
    page.get_by_text("The gold quote is").first.wait_for()
    jupyter.shot("lesson_03_end_light", tmp_path)
