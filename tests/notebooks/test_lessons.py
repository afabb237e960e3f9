"""The committed notebooks, as files; and that a notebook does not care where it is started from."""

import json
import re
import warnings
from datetime import date
from pathlib import Path

import nbformat
import papermill
import pytest

from rag_kit import parse
from rag_kit.teaching.building.canonical import METADATA, WIDGET_VIEW
from rag_kit.teaching.building.lessons import read_lessons

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = [ROOT / "notebooks" / f"{lesson.stem}.ipynb" for lesson in read_lessons(ROOT)]


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.reads(request.param.read_text(encoding="utf-8"), as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def run(path, out, **parameters):
    """Run a notebook with papermill in its own folder; a parameter that it does not have is an error."""
    known = papermill.inspect_notebook(str(path))
    assert set(parameters) <= set(known), (
        f"{path.name} has no parameter {sorted(set(parameters) - set(known))}"
    )
    return papermill.execute_notebook(
        str(path),
        str(out),
        parameters=parameters,
        cwd=str(path.parent),
        kernel_name="python3",
        progress_bar=False,
        start_timeout=60,
        execution_timeout=60,
    )


def test_every_lesson_has_its_notebook_and_every_numbered_notebook_its_lesson():
    assert [path.name for path in NOTEBOOKS if not path.exists()] == []
    assert set((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")) <= set(NOTEBOOKS)


def test_it_is_valid_and_canonical(notebook, request):
    path = request.node.callspec.params["notebook"]
    raw = path.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(json.loads(raw))
    assert b"\r" not in raw
    assert nbformat.writes(notebook, indent=1).rstrip("\n") + "\n" == raw.decode("utf-8")
    assert notebook.metadata == METADATA
    assert notebook.metadata.kernelspec.name == "python3"
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


def test_it_was_run_to_the_end_without_an_error(notebook):
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert [output for cell in cells for output in cell.outputs if output.output_type == "error"] == []


def test_every_view_has_its_static_twin(notebook):
    data = [output.data for cell in code_cells(notebook) for output in cell.outputs if "data" in output]
    assert [kinds for kinds in data if WIDGET_VIEW in kinds] == []
    assert [kinds for kinds in data if re.match(r"\w+\(children=", kinds.get("text/plain", ""))] == []
    views = [
        cell
        for cell in code_cells(notebook)
        if re.search(r"^(CitationPanel|Quiz|checkpoint|ask_folder)\(|^panel$", cell.source, re.M)
    ]
    for cell in views:
        assert any("text/html" in output.get("data", {}) for output in cell.outputs), cell.source


@pytest.fixture
def small(tmp_path):
    """A notebook that reads a file beside it, by a relative path."""
    folder = tmp_path / "kit" / "notebooks"
    folder.mkdir(parents=True)
    (folder.parent / "fees.md").write_text("The fee is 5.", encoding="utf-8")
    first = nbformat.v4.new_code_cell('name = "fees"', metadata={"tags": ["parameters"]})
    second = nbformat.v4.new_code_cell(
        "from pathlib import Path\nfrom rag_kit import find_labels\n"
        "print(Path('..', name + '.md').read_text(encoding='utf-8'), find_labels('5 [1]'))"
    )
    notebook = nbformat.v4.new_notebook(cells=[first, second], metadata=METADATA)
    nbformat.write(notebook, folder / "small.ipynb")
    return folder / "small.ipynb"


def test_it_runs_the_same_from_any_folder(small, tmp_path, monkeypatch):
    said = set()
    for start in (small.parent, small.parent.parent, tmp_path):
        monkeypatch.chdir(start)
        done = run(small, tmp_path / "out.ipynb", name="fees")
        said.add(done.cells[-1].outputs[0].text)
    assert said == {"The fee is 5. [Mention(label='[1]', span=(2, 5))]\n"}


def test_an_unknown_parameter_is_an_error(small, tmp_path):
    with pytest.raises(AssertionError, match=r"small.ipynb has no parameter \['nmae'\]"):
        run(small, tmp_path / "out.ipynb", nmae="fees")


@pytest.fixture
def own_folder(folder):
    """A folder of one's own, outside the kit."""
    return folder({"cats.md": "# Cats\n\nThe museum cat is called Ptolemy.\n", "talk.pptx": b"x"})


def test_a_folder_of_ones_own_is_asked_without_anybody_looking(own_folder, tmp_path):
    path = ROOT / "notebooks" / "ask_your_own_folder.ipynb"
    done = run(
        path, tmp_path / "out.ipynb", folder=str(own_folder), question="What is the museum cat called?"
    )
    panel, answer = (
        next(output.data for output in cell.outputs if "data" in output)
        for cell in code_cells(done)
        if re.search(r"^panel$|^ask_folder\(folder, question", cell.source, re.M)
    )
    for data in (panel, answer):
        assert "The museum cat is called Ptolemy.</mark>" in data["text/html"]
        assert "Answer: The museum cat is called Ptolemy [1]." in data["text/plain"]
    assert "talk.pptx: files of this type are not read yet" in panel["text/plain"]


def test_a_folder_that_is_not_there_fails_the_run(tmp_path):
    path = ROOT / "notebooks" / "ask_your_own_folder.ipynb"
    with pytest.raises(papermill.PapermillExecutionError, match="no such file or folder"):
        run(path, tmp_path / "out.ipynb", folder=str(tmp_path / "nowhere"))


def test_no_sample_document_is_dated_so_late_that_the_panels_answer_would_change_by_itself(sample_docs):
    """The folder panel asks as of today, as people want of their own files; the other lessons name a day."""
    dates = [document.updated_at for document in parse(sample_docs).documents if document.updated_at]
    assert max(dates) <= date(2026, 11, 15)
