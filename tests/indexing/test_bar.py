"""What a bar leaves behind in a notebook: a cell says the same whether the texts were remembered or not."""

import nbformat
import pytest
from nbclient import NotebookClient

from rag_kit.teaching.building.execute import own_kernel_manager

EMBED = """\
from rag_kit import connect, load_settings
from rag_kit.operations.library import embedder_of
settings = load_settings(offline=True)
texts = [f"text {n}" for n in range(70)]
print(embedder_of(connect(settings), settings).embed(texts).shape)
"""


@pytest.fixture
def outputs(tmp_path, monkeypatch):
    """What each cell of a notebook shows that embeds seventy texts twice, bars on, nothing remembered."""
    monkeypatch.setenv("RAG_KIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("RAG_KIT_PROGRESS", "1")
    cells = [nbformat.v4.new_code_cell(EMBED) for _ in range(2)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(
        notebook,
        kernel_name="python3",
        kernel_manager_class=own_kernel_manager(),
        timeout=120,
        store_widget_state=False,
    ).execute()
    return [cell.outputs for cell in notebook.cells]


def test_a_bar_in_a_notebook_is_a_widget_and_leaves_no_words(outputs):
    (bar, *first), second = outputs
    assert list(bar["data"]) == ["application/vnd.jupyter.widget-view+json"]
    assert [out["text"] for out in first] == [out["text"] for out in second] == ["(70, 384)\n"]
