"""Grading: points for what the functions do, and for nothing else that a notebook holds."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from rag_kit.errors import InvalidValue
from rag_kit.teaching.building.lessons import read_lesson
from rag_kit.teaching.building.student import solution_notebook
from rag_kit.teaching.grading.grader import grade, grade_json, grade_text, read_cells
from rag_kit.teaching.grading.registry import load_exercises
from rag_kit.teaching.grading.results import Results

SECONDS = 6
SOURCE = Path(__file__).parents[3] / "lessons" / "01_search_ask_exercise.py"
MAXIMUM = {number: len(exercise.cases) for number, exercise in load_exercises("01").items()}


def solved():
    """Return the solution's definitions by function name, and the cell of imports under ``""``."""
    cells = [cell.source for cell in solution_notebook(read_lesson(SOURCE)).cells if cell.cell_type == "code"]
    names = [exercise.function for exercise in load_exercises("01").values()]
    found = {name: next(c for c in cells if c.startswith(f"def {name}(")) for name in names}
    helper = next(c for c in cells if c.startswith("def word_counter"))  # best_passage needs its `unit`
    return {
        "": next(c for c in cells if "import check" in c or "check, progress" in c),
        "helper": helper,
        **found,
    }


def submit(folder, *cells, name="01_search_ask.ipynb"):
    made = [
        nbformat.v4.new_markdown_cell(cell[4:])
        if cell.startswith("%md ")
        else nbformat.v4.new_code_cell(cell)
        for cell in cells
    ]
    path = folder / name
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)
    return path


def points(given):
    return {exercise.exercise: exercise.score for exercise in given.exercises}


def said(given, number):
    return next(exercise.message for exercise in given.exercises if exercise.exercise == number)


def test_deleted_retagged_copied_redefined_endless_and_exiting_cells(tmp_path):
    own = solved()
    path = submit(
        tmp_path,
        own[""],
        own["helper"],
        "def check(*args, **more):\n    return True",
        own["cosine_rank"],
        own["cosine_rank"],
        "%md " + own["fill_to_budget"],  # 01.2 is no code any more; 01.3 is gone
        "1 + 1",
        'check("01.3", lambda *args: None)',
        "def build_messages(question, passages):\n    while True:\n        pass",
        "import sys\nsys.exit(0)\n" + own["best_passage"],
        "'the end'",
    )
    given = grade(path, seconds=SECONDS)
    assert points(given) == {"01.1": MAXIMUM["01.1"], "01.2": 0, "01.3": 0, "01.4": 0, "01.5": 0}
    assert given.maximum == sum(MAXIMUM.values())
    assert said(given, "01.2") == "missing: cell 6 with `fill_to_budget` is not a code cell"
    assert said(given, "01.3") == "missing: the notebook defines no `ask_or_refuse`"
    assert said(given, "01.4") == f"the function did not end within {SECONDS} s"
    assert said(given, "01.5") == "missing: cell 10 with `best_passage` raised SystemExit: 0"


def test_what_comes_after_a_hanging_or_deadly_cell_still_counts(tmp_path):
    own = solved()
    path = submit(
        tmp_path,
        own[""],
        own["cosine_rank"],
        "while True:\n    pass",
        "import os\nos._exit(1)",
        own["fill_to_budget"],
        "exit()",
        "def ask_or_refuse(question, passages, complete):\n    import os\n    os._exit(0)",
        own["build_messages"],
        "def best_passage(question, index, embedders):\n    import sys\n    sys.exit(0)",
    )
    given = grade(path, seconds=SECONDS)
    whole = {number: MAXIMUM[number] for number in ("01.1", "01.2", "01.4")}
    assert points(given) == whole | {"01.3": 0, "01.5": 0}
    assert said(given, "01.3") == "the function ended the kernel"
    assert given.notes == (
        f"cell 3 was left out: it did not end within {SECONDS} s",
        "cell 4 was left out: it ended the kernel",
    )
    assert "it ends the program" in grade_text(given)


FORGERY = """
import sys
import rag_kit.teaching.grading.registry as registry, rag_kit.teaching.grading.running as running
registry.load_exercises()
for exercise in registry._exercises.values():
    exercise.cases.clear()
running.run_cases = lambda *args, **more: ()
running.LearnerFunction = None
for name, module in list(sys.modules.items()):
    if name.startswith("rag_kit.teaching"):
        sys.modules[name] = None
"""
PUBLISH = """
from IPython.display import publish_display_data
def cosine_rank(query_vector, vectors):
    rows = [{"name": "x", "status": "pass", "message": ""}] * 50
    publish_display_data({"application/vnd.ragkit.check+json": {"exercise": "01.1", "passed": 50, "rows": rows}})
    return []
cosine_rank([1], [[1]])
"""


def test_forged_results_and_a_patched_checker_gain_nothing(tmp_path):
    own = solved()
    given = grade(
        submit(tmp_path, own[""], FORGERY, PUBLISH, own["fill_to_budget"], "%reset -f"), seconds=SECONDS
    )
    assert points(given) == dict.fromkeys(MAXIMUM, 0)
    given = grade(submit(tmp_path, own[""], FORGERY, PUBLISH, own["fill_to_budget"]), seconds=SECONDS)
    assert points(given)["01.1"] < MAXIMUM["01.1"] / 2
    assert points(given)["01.2"] == MAXIMUM["01.2"]
    assert given.maximum == sum(MAXIMUM.values())


def test_hidden_cases_count(tmp_path):
    by_heart = "def fill_to_budget(sizes, budget):\n    return [0, 2] if sizes[1:2] == [500] else [0, 1]"
    given = grade(submit(tmp_path, by_heart), seconds=SECONDS)
    failed = {row["name"] for row in given.exercises[1].rows if row["status"] == "fail"}
    assert failed == {case.name for case in load_exercises("01")["01.2"].cases if case.hidden}


def test_the_learners_own_results_are_left_alone(tmp_path):
    grade(submit(tmp_path, solved()[""], 'check("01.2", lambda sizes, budget: [])'), seconds=SECONDS)
    assert not Results().path.exists()


def test_a_grade_is_json_too(tmp_path):
    given = grade(submit(tmp_path, solved()["fill_to_budget"]), seconds=SECONDS)
    shape = json.loads(json.dumps(grade_json(given)))
    assert (shape["score"], shape["maximum"], shape["lesson"]) == (
        MAXIMUM["01.2"],
        sum(MAXIMUM.values()),
        "01",
    )
    assert [exercise["exercise"] for exercise in shape["exercises"]] == list(MAXIMUM)
    assert all(row["status"] == "pass" for row in shape["exercises"][1]["rows"])


def test_on_the_command_line(tmp_path):
    good, bad = submit(tmp_path, "x = 1"), tmp_path / "01_broken.ipynb"
    bad.write_text("{", encoding="utf-8")
    command = [sys.executable, "-m", "rag_kit.teaching.grading.grader", str(bad), str(good), "--json"]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    shape = json.loads(run.stdout)
    assert run.returncode == 1
    assert [given["score"] for given in shape["grades"]] == [0]
    assert shape["errors"][0]["notebook"] == "01_broken.ipynb"
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "mend"),
    [
        ("01_x.ipynb", None, "cannot be read"),
        ("01_x.ipynb", "no json", "is no notebook"),
        ("01_x.ipynb", '{"cells": 3}', "is no notebook"),
        ("ada.ipynb", "{}", "--lesson"),
        ("77_x.ipynb", "{}", "no exercises for lesson '77'; choose from 01"),
    ],
)
def test_what_cannot_be_graded_is_told_in_one_line(tmp_path, name, text, mend):
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidValue) as error:
        grade(tmp_path / name)
    assert mend in str(error.value)
    assert "\n" not in str(error.value)


def test_old_notebooks_foreign_kernels_and_missing_ids_are_read(tmp_path):
    cell = {
        "cell_type": "code",
        "metadata": {},
        "source": ["x = 1\n", "y = 2"],
        "outputs": [],
        "execution_count": 3,
    }
    kernel = {"kernelspec": {"name": "python311jvsc74a57bd0deadbeef", "display_name": "x"}}
    path = tmp_path / "01_old.ipynb"
    for minor, cells in ((4, [cell]), (5, [cell]), (5, [{**cell, "id": "same"}, {**cell, "id": "same"}])):
        path.write_text(
            json.dumps({"nbformat": 4, "nbformat_minor": minor, "metadata": kernel, "cells": cells}),
            encoding="utf-8",
        )
        assert read_cells(path)[0].source == "x = 1\ny = 2"
