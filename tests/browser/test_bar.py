"""The bar of the embedding is seen in JupyterLab, though its cell holds a widget and no words."""

import nbformat
import pytest

pytestmark = pytest.mark.browser
EMBED = """\
from uuid import uuid4
from rag_kit import connect, load_settings
from rag_kit.operations.library import embedder_of
settings = load_settings(offline=True)
embedder_of(connect(settings), settings).embed([f"{uuid4()}" for _ in range(70)]).shape
"""


def test_the_bar_is_there_and_full_at_the_end(jupyter, kit, tmp_path):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(EMBED)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, kit / "bar.ipynb")
    page = jupyter.open("bar.ipynb").run_all().page
    page.get_by_text("(70, 384)").wait_for()
    page.get_by_text("70/70").first.wait_for()
    assert page.locator(".widget-hprogress:visible, .jupyter-widget-hprogress:visible").count() == 1
    assert jupyter.errors() == []
    jupyter.shot("bar", tmp_path)
