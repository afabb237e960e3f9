"""What a learner sees of an exercise: to do, a hint after a wrong try, and a rating that is kept by a click."""

import json

import nbformat
import pytest

pytestmark = pytest.mark.browser
EXERCISE = "exercises/01_search_ask.ipynb"


@pytest.fixture(scope="module")
def half_done(kit):
    """Put a copy of the exercise beside it in which one function is written, wrongly."""
    notebook = nbformat.read(kit / EXERCISE, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace(
            'raise NotImplementedError("Exercise 01.2: fill the budget")', "return list(range(len(sizes)))"
        )
    path = kit / "exercises" / "01_half_done.ipynb"
    nbformat.write(notebook, path)
    return f"exercises/{path.name}"


def test_an_exercise_from_to_do_to_rated(jupyter, kit, half_done, tmp_path):
    page = jupyter.open(half_done).run_all().page
    page.get_by_text("Exercise 01.1, rank by cosine: not written yet").wait_for()
    page.get_by_text("for the sizes [100, 200, 300] and a budget of 350 it returned [0, 1, 2]").wait_for()
    hint = page.get_by_text("Keep a running total, and take a passage while total + size fits.")
    assert not hint.is_visible()
    page.locator("summary", has_text="Hint 1").first.click()
    hint.wait_for()
    jupyter.shot("exercise_hint", tmp_path)
    page.get_by_role("button", name="getting there").click()
    page.get_by_text("Kept: getting there.").wait_for()
    jupyter.shot("exercise_end", tmp_path)
    jupyter.theme("JupyterLab Dark")
    jupyter.shot("exercise_end_dark", tmp_path)


def test_the_exercise_as_it_is_handed_out_runs_to_its_end(jupyter, tmp_path):
    page = jupyter.open(EXERCISE).run_all().page
    assert jupyter.errors() == []
    for number in ("01.1, rank by cosine", "01.3"):
        page.get_by_text(f"Exercise {number}").filter(has_text="not written yet").first.wait_for()
    page.get_by_text("checks of lesson 01 are green").first.scroll_into_view_if_needed()
    jupyter.shot("exercise_progress_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    page.get_by_text("checks of lesson 01 are green").first.scroll_into_view_if_needed()
    jupyter.shot("exercise_progress_dark", tmp_path)


def test_what_is_kept_stands_outside_the_kit(jupyter, kit, half_done):
    page = jupyter.open(half_done).run_all().page
    page.get_by_text("Kept: getting there.").wait_for()
    assert not list(kit.rglob("learner.json"))
    assert json.loads((kit / EXERCISE).read_text(encoding="utf-8"))["cells"]
