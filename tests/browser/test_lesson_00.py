"""What a learner sees and clicks: widgets in JupyterLab, in both themes, and lesson 00 itself."""

from pathlib import Path

import nbformat
import pytest

from rag_kit.teaching.building.canonical import METADATA, canonical
from rag_kit.teaching.building.execute import execute
from rag_kit.teaching.building.lessons import read_lesson, to_notebook

pytestmark = pytest.mark.browser
HERE = Path(__file__).parent
LESSON = "notebooks/00_start_here.ipynb"


@pytest.fixture(scope="module")
def panel_notebook(kit):
    """Put a small notebook into the copied kit, without outputs; return its path there."""
    notebook = to_notebook(read_lesson(HERE / "panel_lesson.txt"))
    notebook.metadata = nbformat.from_dict(METADATA)  # without a kernel's name JupyterLab asks for one
    path = kit / "notebooks" / "browser_panel.ipynb"
    nbformat.write(notebook, path)
    return f"notebooks/{path.name}"


@pytest.fixture(scope="module")
def executed_notebook(kit):
    """The same, executed as the build does it."""
    notebook = to_notebook(read_lesson(HERE / "panel_lesson.txt"))
    execute(notebook, kit / "notebooks", "panel_lesson.txt")
    path = kit / "notebooks" / "browser_executed.ipynb"
    path.write_text(canonical(notebook, path.stem, path.name), encoding="utf-8")
    return f"notebooks/{path.name}"


def test_a_click_shows_the_quoted_words(jupyter, panel_notebook, tmp_path):
    page = jupyter.open(panel_notebook).run_all().page
    page.get_by_role("button", name="Show source 1", exact=True).wait_for()
    page.locator("mark:visible", has_text="SP-120").wait_for()
    jupyter.shot("panel_light_1", tmp_path)
    page.get_by_role("button", name="Show source 2", exact=True).click()
    page.locator("mark:visible", has_text="A refund is paid within 14 days of the return.").first.wait_for()
    page.locator("mark", has_text="SP-120").first.wait_for(state="hidden")
    page.get_by_text("Returns › Refunds").first.wait_for()
    assert "owned" not in page.title()
    jupyter.shot("panel_light_2", tmp_path)
    # A source that was folded by hand opens again.
    page.locator("summary", has_text="Returns").first.click()
    page.locator("mark", has_text="A refund is paid").first.wait_for(state="hidden")
    page.get_by_role("button", name="Show source 2", exact=True).click()
    page.locator("mark:visible", has_text="A refund is paid").first.wait_for()
    jupyter.theme("JupyterLab Dark")
    page.locator("mark:visible", has_text="A refund is paid").first.wait_for()
    jupyter.shot("panel_dark", tmp_path)


def test_the_quiz_answers_a_click(jupyter, panel_notebook, tmp_path):
    page = jupyter.open(panel_notebook).run_all().page
    page.get_by_label("Because <b>models</b> like brackets.").click()
    page.get_by_role("button", name="Check answer").click()
    page.get_by_role("status").filter(has_text="What a model likes is no reason.").wait_for()
    page.get_by_label("So that a reader can check each statement.").click()
    page.get_by_role("button", name="Check answer").click()
    page.get_by_role("status").filter(has_text="Right. Each label leads to the words").wait_for()
    jupyter.shot("quiz_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    jupyter.shot("quiz_dark", tmp_path)


def test_an_executed_notebook_reads_well_before_it_runs(jupyter, executed_notebook, tmp_path):
    page = jupyter.open(executed_notebook).page
    page.locator("mark:visible", has_text="SP-120").wait_for()
    assert page.get_by_role("button", name="Show source 1").count() == 0
    page.locator("summary", has_text="Returns").click()
    page.locator("mark:visible", has_text="A refund is paid").first.wait_for()
    jupyter.shot("static_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    jupyter.shot("static_dark", tmp_path)


def test_lesson_00_from_start_to_click(jupyter, kit, tmp_path):
    if not (kit / LESSON).exists():
        pytest.skip(f"{LESSON} is not built yet")
    page = jupyter.open(LESSON).run_all().page
    page.get_by_role("button", name="Show source 1", exact=True).first.click()
    page.locator("mark:visible").first.wait_for()
    jupyter.shot("lesson_00_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    page.locator("mark:visible").first.scroll_into_view_if_needed()
    jupyter.shot("lesson_00_dark", tmp_path)
