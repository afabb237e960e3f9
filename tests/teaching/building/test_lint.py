"""What the lint of a lesson lets pass, and what it turns away with file and cell."""

import re

import pytest

from rag_kit.teaching.building.lessons import read_lesson, to_notebook
from rag_kit.teaching.building.lint import lint

HEADER = """\
# ---
# rag_kit:
#   title: Start here
#   can_do: ask two questions
#   minutes: 20
# ---

"""
START = """\
# %% [markdown]
# # 00 Start here

# %% tags=["parameters"]
limit = 3

"""


def problems(folder, source):
    path = folder / "00_start_here.py"
    path.write_text(source, encoding="utf-8")
    lesson = read_lesson(path)
    return lint(lesson, to_notebook(lesson))


@pytest.mark.parametrize(
    "prose",
    [
        "Lesson 04 comes later, so does [05 Fusion](05_fusion.ipynb).",
        "1. first\n# 2. second",
        "The label [1], the group [1, 3] and the range [2-4].",
        "The budget of 1,500 tokens and k = 60.",
        "BM25 and MiniLM-L6-v2 are names.",
        "The limit is 3, as in the code.",
        "See https://example.org/2024/07 for more.",
    ],
)
def test_digits_that_are_names_or_literals_are_allowed(tmp_path, prose):
    assert problems(tmp_path, f"{HEADER}{START}# %% [markdown]\n# {prose}\n") == []


@pytest.mark.parametrize(
    ("prose", "number"),
    [
        ("It took 12 ms.", "12"),
        ("Recall is 0.83.", "0.83"),
        ("We have 1,200 chunks.", "1,200"),
        ("It is 97%.", "97"),
    ],
)
def test_a_measured_number_in_prose_is_turned_away(tmp_path, prose, number):
    [problem] = problems(tmp_path, f"{HEADER}{START}# %% [markdown]\n# {prose}\n")
    assert problem.startswith(f"lessons/00_start_here.py: cell 3 has the number {number} in its prose")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (START, r"the header needs `title`"),
        (HEADER.replace("20", "soon") + START, "the header needs `minutes` under `rag_kit:`, a whole number"),
        (HEADER + START.replace("# # 00", "# 00"), "cell 1 is not a Markdown heading"),
        (HEADER + START.replace(' tags=["parameters"]', ""), "exactly one cell"),
        (HEADER + START + '# %% tags=["parameters"]\nk = 1\n', "exactly one cell"),
        (HEADER + START.replace("# %% tags", "# %%\nfirst = 1\n\n# %% tags"), "exactly one cell"),
        (HEADER + START + "# %%\nopen('/home/ada/x')\n", "cell 3 holds the absolute path '/home/ada/x'"),
        (HEADER + START + "# %% [raw]\nnobody reads this\n", "cell 3 is a raw cell"),
    ],
)
def test_the_form_of_a_lesson_is_checked(tmp_path, source, message):
    found = problems(tmp_path, source)
    assert any(re.search(message, problem) for problem in found), found
