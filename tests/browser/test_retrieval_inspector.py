"""A learner compares the ways to search: moves k and the weights, asks, filters; in both themes."""

from pathlib import Path

import nbformat
import pytest

from rag_kit.teaching.building.canonical import METADATA, canonical
from rag_kit.teaching.building.execute import execute
from rag_kit.teaching.building.lessons import read_lesson, to_notebook

pytestmark = pytest.mark.browser
SOURCE = Path(__file__).with_name("retrieval_inspector_lesson.txt")


@pytest.fixture(scope="module")
def inspector_notebook(kit):
    """Put a notebook with an inspector into the copied kit, without outputs; return its path there."""
    notebook = to_notebook(read_lesson(SOURCE))
    notebook.metadata = nbformat.from_dict(METADATA)
    path = kit / "notebooks" / "browser_retrieval.ipynb"
    nbformat.write(notebook, path)
    return f"notebooks/{path.name}"


@pytest.fixture(scope="module")
def executed_notebook(kit):
    """The same, executed as the build does it."""
    notebook = to_notebook(read_lesson(SOURCE))
    execute(notebook, kit / "notebooks", SOURCE.name)
    path = kit / "notebooks" / "browser_retrieval_executed.ipynb"
    path.write_text(canonical(notebook, path.stem, path.name), encoding="utf-8")
    return f"notebooks/{path.name}"


def show(jupyter, name, folder):
    field = jupyter.page.get_by_placeholder("Type a question")
    field.evaluate("e => e.closest('.jp-Cell').scrollIntoView({block: 'start'})")
    jupyter.shot(name, folder)


def test_tmp(jupyter, inspector_notebook, tmp_path):
    page = jupyter.open(inspector_notebook).run_all().page
    assert jupyter.errors() == []
    page.get_by_text("Why here?").first.wait_for()
    show(jupyter, "retrieval_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    show(jupyter, "retrieval_dark", tmp_path)


def test_tmp_static(jupyter, executed_notebook, tmp_path):
    page = jupyter.open(executed_notebook).page
    page.get_by_text("Why here?").first.wait_for()
    page.get_by_text("Why here?").first.evaluate("e => e.closest('.jp-Cell').scrollIntoView({block: 'start'})")
    jupyter.shot("retrieval_static_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    jupyter.shot("retrieval_static_dark", tmp_path)
