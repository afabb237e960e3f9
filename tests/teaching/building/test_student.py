"""Taking solutions out of a source: what is left, and what a wrong marker is told."""

from pathlib import Path

import pytest

from rag_kit.errors import InvalidValue
from rag_kit.teaching.building.lessons import Lesson
from rag_kit.teaching.building.student import (
    exercise_notebook,
    find_regions,
    solution_notebook,
    strip_solutions,
)

HEAD = "# %% [markdown]\n# ## Exercise 09.3: double it\n\n# %%\n"
GOOD = f"""{HEAD}def double(number):
    ### BEGIN SOLUTION
    return 2 * number
    ### END SOLUTION


# %%
double(3)
"""


def lesson(source):
    return Lesson(Path("09_double_exercise.py"), {}, source)


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def test_a_stub_names_the_exercise_and_keeps_the_indent():
    stripped = strip_solutions(GOOD, "x.py")
    assert 'def double(number):\n    raise NotImplementedError("Exercise 09.3: double it")\n' in stripped
    assert "2 * number" not in stripped
    assert "SOLUTION" not in stripped


def test_each_region_is_named_after_the_heading_above_it():
    second = GOOD.replace("09.3: double it", '09.4: "half" of it').replace("2 * number", "number / 2")
    code = strip_solutions(GOOD + second, "x.py")
    stubs = [line.strip() for line in code.splitlines() if "raise" in line]
    assert stubs == [
        'raise NotImplementedError("Exercise 09.3: double it")',
        r'raise NotImplementedError("Exercise 09.4: \"half\" of it")',
    ]


def test_two_regions_in_one_cell():
    source = (
        HEAD
        + "### BEGIN SOLUTION\na = 1\n### END SOLUTION\nb = 2\n### BEGIN SOLUTION\nc = 3\n### END SOLUTION\n"
    )
    assert [(r.first, r.last) for r in find_regions(source, "x.py")] == [(5, 7), (9, 11)]
    assert "b = 2" in strip_solutions(source, "x.py")


def test_nested_blank_and_deeper_lines_belong_to_the_region():
    body = "    ### BEGIN SOLUTION\n    if number:\n\n        return 2\n    return 0\n    ### END SOLUTION\n"
    stripped = strip_solutions(HEAD + "def double(number):\n" + body, "x.py")
    assert stripped.count("return") == 0


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        (
            "### BEGIN SOLUTION\nx = 1\n### BEGIN SOLUTION\ny = 1\n### END SOLUTION\n",
            7,
            "inside the one begun in line 5",
        ),
        ("### BEGIN SOLUTION\nx = 1\n", 5, "never ends"),
        ("x = 1\n### END SOLUTION\n", 6, "without its `### BEGIN SOLUTION`"),
        ("### BEGIN SOLUTION\nx = 1\n\n# %%\ny = 1\n### END SOLUTION\n", 8, "the cell ends inside"),
        ("### BEGIN SOLUTION\nx = 1\n    ### END SOLUTION\n", 7, "otherwise than its beginning in line 5"),
        (
            "def f():\n### BEGIN SOLUTION\n    return 1\n### END SOLUTION\n",
            7,
            "otherwise than the marker in line 6",
        ),
        (
            "def f():\n    ### BEGIN SOLUTION\n    x = 1\n  # less\n    ### END SOLUTION\n",
            8,
            "indent both alike",
        ),
        ("### BEGIN SOLUTION\n\n### END SOLUTION\n", 5, "nothing in it"),
        ("## BEGIN SOLUTION\nx = 1\n## END SOLUTION\n", 5, "is no marker"),
        ("### begin solution\nx = 1\n### end solution\n", 5, "is no marker"),
        ("### BEGIN SOLUTION one\nx = 1\n### END SOLUTION\n", 5, "is no marker"),
        ("\t### BEGIN SOLUTION\n\tx = 1\n\t### END SOLUTION\n", 5, "is no marker"),
        ("x = 1  ### BEGIN SOLUTION\n", 5, "is no marker"),
        ("### BEGIN HIDDEN TESTS\nx = 1\n### END HIDDEN TESTS\n", 5, "rag_kit/teaching/grading/cases"),
        ("# %% [markdown]\n# ### BEGIN SOLUTION\n# x\n# ### END SOLUTION\n", 6, "is no marker"),
        ("# %% [markdown]\n### BEGIN SOLUTION\n# x\n### END SOLUTION\n", 6, "Markdown"),
    ],
)
def test_a_wrong_marker_is_named_with_file_and_line(code, line, said):
    with pytest.raises(InvalidValue, match=rf"^lessons/x\.py, line {line}: .*") as error:
        strip_solutions(HEAD + code, "lessons/x.py")
    assert said in str(error.value)


def test_a_solution_needs_a_heading_with_the_exercise():
    with pytest.raises(InvalidValue, match=r"line 2: a solution before any heading"):
        strip_solutions("# %%\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n", "x.py")


def test_a_heading_in_code_is_no_heading():
    with pytest.raises(InvalidValue, match="before any heading"):
        strip_solutions("# %%\n# ## Exercise 09.1: x\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n", "x.py")


def test_a_marker_deeper_than_the_code_around_it_is_no_python_and_told_so():
    code = "x = 1\n    ### BEGIN SOLUTION\n    y = 2\n    ### END SOLUTION\n"
    with pytest.raises(InvalidValue, match=r"09_double_exercise\.py: cell 2 of the exercise is no Python"):
        exercise_notebook(lesson(HEAD + code))


def test_cells_for_one_side_only():
    both = GOOD + '\n# %% tags=["exercise-only"]\nfaulty = 1\n\n# %% tags=["solution-only"]\nmended = 2\n'
    assert sources(exercise_notebook(lesson(both)))[-2:] == ["double(3)", "faulty = 1"]
    assert sources(solution_notebook(lesson(both)))[-2:] == ["double(3)", "mended = 2"]


def test_the_solution_keeps_its_markers_for_nbgrader():
    assert (
        "### BEGIN SOLUTION\n    return 2 * number\n    ### END SOLUTION"
        in sources(solution_notebook(lesson(GOOD)))[1]
    )


def test_a_wrong_marker_stops_the_solution_too():
    with pytest.raises(InvalidValue, match="the cell ends inside"):
        solution_notebook(lesson(GOOD.replace("    ### END SOLUTION\n", "")))
