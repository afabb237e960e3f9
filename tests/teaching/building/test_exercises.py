"""Exercises as they are built: unsolved ones run and pass nothing, solutions pass everything, nothing leaks."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.teaching.building.build import build
from rag_kit.teaching.building.canonical import METADATA
from rag_kit.teaching.building.exercises import learners_work, make_exercise
from rag_kit.teaching.building.lessons import EXERCISE, Lesson, read_exercises, read_lesson
from rag_kit.teaching.building.lint import lint
from rag_kit.teaching.building.student import exercise_notebook, find_regions, solution_notebook
from rag_kit.teaching.grading.grader import grade
from rag_kit.teaching.grading.registry import load_exercises

ROOT = Path(__file__).parents[3]
EXERCISES = read_exercises(ROOT)
STEMS = [lesson.stem for lesson in EXERCISES]
SOURCE = ROOT / "lessons" / "01_search_ask_exercise.py"
TRIVIAL = 12
"""Shorter lines, such as `else:`, may well stand in both notebooks."""


@pytest.fixture(scope="module", params=EXERCISES, ids=STEMS)
def lesson(request):
    return request.param


def written(tmp_path, notebook, lesson):
    path = tmp_path / f"{lesson.stem.removesuffix(EXERCISE)}.ipynb"
    nbformat.write(notebook, path)
    return path


def test_unsolved_scores_nothing_and_reaches_its_end(lesson, tmp_path):
    given = grade(written(tmp_path, exercise_notebook(lesson), lesson))
    assert given.score == 0
    assert given.notes == ()
    assert all(row["status"] in ("fail", "todo") for exercise in given.exercises for row in exercise.rows)
    assert all(len(exercise.rows) == exercise.maximum for exercise in given.exercises)


def test_the_solution_scores_everything(lesson, tmp_path):
    given = grade(written(tmp_path, solution_notebook(lesson), lesson))
    assert [exercise.message for exercise in given.exercises] == [""] * len(given.exercises)
    assert given.score == given.maximum > 0
    assert {exercise.exercise for exercise in given.exercises} == set(load_exercises(given.lesson))


def test_every_exercise_has_visible_and_hidden_cases(lesson):
    for exercise in load_exercises(lesson.stem[:2]).values():
        assert 0 < len(exercise.visible) < len(exercise.cases), exercise.number


def solution_lines(lesson):
    """Return the lines that only a solution has; what is given to be mended is not among them."""
    lines = lesson.source.split("\n")
    inside = {line.strip() for r in find_regions(lesson.source, "x") for line in lines[r.first : r.last - 1]}
    tagged = {"solution-only": set(), "exercise-only": set()}
    for cell in (*exercise_notebook(lesson).cells, *solution_notebook(lesson).cells):
        for tag in set(tagged) & set(cell.metadata.get("tags", [])):
            tagged[tag] |= {line.strip() for line in cell.source.split("\n")}
    lines = (inside | tagged["solution-only"]) - tagged["exercise-only"]
    return {line for line in lines if len(line) >= TRIVIAL}


def test_no_line_of_a_solution_survives_in_the_exercise(lesson):
    text = (ROOT / "exercises" / f"{lesson.stem.removesuffix(EXERCISE)}.ipynb").read_text(encoding="utf-8")
    kept = {
        line.strip() for cell in json.loads(text)["cells"] for line in "".join(cell["source"]).split("\n")
    }
    assert len(solution_lines(lesson)) > 10
    assert not solution_lines(lesson) & kept
    assert "SOLUTION" not in text


def test_the_committed_exercise_was_not_run(lesson):
    path = ROOT / "exercises" / f"{lesson.stem.removesuffix(EXERCISE)}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(
        not cell.outputs and cell.execution_count is None
        for cell in notebook.cells
        if cell.cell_type == "code"
    )
    assert not learners_work(path)


# --- a kit of its own, so that the build can be made to fail


@pytest.fixture
def kit(tmp_path):
    root = tmp_path / "kit"
    (root / "lessons").mkdir(parents=True)
    shutil.copy(SOURCE, root / "lessons")
    return root


def changed(kit, before, after):
    path = kit / "lessons" / SOURCE.name
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    return path


def test_building_twice_gives_the_same_bytes_and_spares_what_was_worked_on(kit):
    names = ["exercises/01_search_ask.ipynb", "solutions/01_search_ask.ipynb"]
    assert build(kit, only=["01_search_ask_exercise"]) == names
    assert build(kit, check=True, only=["01_search_ask_exercise"]) == []
    exercise = kit / names[0]
    notebook = nbformat.read(exercise, as_version=4)
    notebook.cells[1].execution_count = 1
    nbformat.write(notebook, exercise)
    before = exercise.read_bytes()
    with pytest.raises(InvalidValue, match=r"exercises/01_search_ask\.ipynb has been worked on"):
        build(kit, only=["01_search_ask_exercise"])
    assert exercise.read_bytes() == before


def test_a_solution_that_fails_a_check_stops_the_build_by_name(kit):
    path = changed(kit, "if total + size <= budget:", "if total + size < budget:")
    with pytest.raises(
        RagKitError, match=r"solved: exercise 01\.2 fails 'a passage that fills it exactly still fits'"
    ):
        make_exercise(read_lesson(path), kit)


def test_a_fault_that_is_no_fault_stops_the_build(kit):
    path = changed(kit, 'template.replace("{context}"', 'template.replace("{sources}"')
    with pytest.raises(
        RagKitError, match=r"unsolved: exercise 01\.4 already passes 'every passage reaches the model'"
    ):
        make_exercise(read_lesson(path), kit)


def test_an_unsolved_notebook_that_stops_half_way_stops_the_build(kit):
    path = changed(
        kit, "try_it(cosine_rank, [1, 0], [[0, 1], [1, 0], [1, 1]])", "cosine_rank([1, 0], [[0, 1]])"
    )
    with pytest.raises(RagKitError, match=r"unsolved: cell 6 failed: NotImplementedError: Exercise 01\.1"):
        make_exercise(read_lesson(path), kit)


def test_an_exercise_that_nothing_checks_stops_the_build(kit):
    path = changed(kit, 'check("01.2", fill_to_budget)', "fill_to_budget")
    with pytest.raises(InvalidValue, match=r'no cell shows check\("01\.2", fill_to_budget\)'):
        make_exercise(read_lesson(path), kit)


def test_an_exercise_without_cases_is_told_where_they_go(kit):
    with pytest.raises(InvalidValue, match=r"write rag_kit/teaching/grading/cases/ex77\.py"):
        make_exercise(Lesson(Path("77_x_exercise.py"), {}, ""), kit)


def test_an_exercise_is_linted_like_a_lesson(lesson):
    assert lint(lesson, exercise_notebook(lesson)) == []


def test_work_is_told_from_a_fresh_notebook(tmp_path):
    path = tmp_path / "x.ipynb"
    assert not learners_work(path)
    cell = nbformat.v4.new_code_cell("x")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=METADATA), path)
    assert not learners_work(path)
    opened = {**METADATA, "language_info": {"name": "python", "version": "3.11.7"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=opened), path)
    assert learners_work(path)
    path.write_text("<<<<<<< a merge", encoding="utf-8")
    assert learners_work(path)
