"""Building lessons: the same bytes twice, clear errors, and nothing half-written."""

import json
import sys
import tempfile

import pytest

from rag_kit import InvalidValue, RagKitError
from rag_kit.cli import main
from rag_kit.teaching.building.build import build
from rag_kit.teaching.building.canonical import PLACEHOLDER
from rag_kit.teaching.building.execute import environment, own_kernel_manager
from rag_kit.teaching.building.readme import lesson_table

HEADER = """\
# ---
# rag_kit:
#   title: Start here
#   can_do: ask one | two questions
#   minutes: 20
# ---

"""
START = """\
# %% [markdown]
# # 00 Start here

# %% tags=["parameters"]
limit = 3

"""
BODY = """\
# %%
import os, sys
print(limit, file=sys.stderr)
print("cwd", os.path.basename(os.getcwd()))
limit

# %%
from rag_kit.teaching import Quiz
Quiz("Why?", [("a", "as"), ("b", "be")], answer=0, key="k")

# %%
print(sys.executable == os.environ["EXPECTED_PYTHON"], "OPENAI_API_KEY" in os.environ)
print(os.environ["RAG_KIT_PROGRESS"])
print(list({"a", "b", "c", "d"}))

# %% tags=["volatile"]
object()

# %% tags=["volatile", "skip-execution"]
raise SystemExit("never run by the build")
"""
NAME = "notebooks/00_start_here.ipynb"


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """A kit of one lesson, and an environment that the kernel must not inherit."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("EXPECTED_PYTHON", sys.executable)
    (tmp_path / "README.md").write_text(
        "# Kit\n<!-- lessons -->\nold\n<!-- /lessons -->\nend\n", encoding="utf-8"
    )
    (tmp_path / "lessons").mkdir()
    write(tmp_path, HEADER + START + BODY)
    return tmp_path


def write(root, source, name="00_start_here.py"):
    (root / "lessons" / name).write_text(source, encoding="utf-8")


def outputs(notebook, place):
    return notebook["cells"][place]["outputs"]


def test_two_builds_give_the_same_bytes_and_check_sees_what_is_stale(kit):
    assert build(kit, check=True) == ["README.md", NAME]
    assert not (kit / "notebooks").exists(), "check writes nothing"
    assert build(kit) == ["README.md", NAME]
    first = (kit / NAME).read_bytes()
    assert build(kit) == []
    assert build(kit, check=True) == []

    (kit / NAME).write_bytes(first.replace(b"cwd", b"pwd"))
    tampered = (kit / NAME).read_bytes()
    assert build(kit, check=True) == [NAME]
    assert (kit / NAME).read_bytes() == tampered, "check writes nothing"

    (kit / NAME).unlink()
    assert build(kit, only=["00_start_here"]) == [NAME]
    assert (kit / NAME).read_bytes() == first
    assert sorted(path.name for path in (kit / "notebooks").iterdir()) == ["00_start_here.ipynb"]


def test_a_built_notebook_holds_nothing_of_the_run(kit):
    build(kit)
    text = (kit / NAME).read_bytes().decode("utf-8")
    notebook = json.loads(text)
    cells = notebook["cells"]
    assert text.endswith("}\n")
    assert "\r" not in text
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert [cell["id"] for cell in cells] == [f"00_start_here-{n:02d}" for n in range(1, 8)]
    assert [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"] == [1, 2, 3, 4, 5, 6]
    assert {key for cell in cells for key in cell["metadata"]} == {"tags"}
    printed = [(output["name"], output["text"]) for output in outputs(notebook, 2)[:2]]
    assert printed == [("stdout", ["cwd notebooks\n"]), ("stderr", ["3\n"])]
    assert set(outputs(notebook, 3)[0]["data"]) == {"text/html", "text/plain"}
    assert outputs(notebook, 4)[0]["text"][0] == "True False\n"
    for place in (5, 6):
        assert outputs(notebook, place) == [
            {"name": "stdout", "output_type": "stream", "text": [PLACEHOLDER]}
        ]
    assert cells[5]["metadata"]["tags"] == ["volatile", "nbval-ignore-output"]
    assert "nbval-skip" in cells[6]["metadata"]["tags"]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("{}['fee']", r"lessons/00_start_here.py: cell 3 failed: KeyError: 'fee'"),
        ("object()", r"cell 3 prints a memory address \(at 0x"),
        ("print('', 'home', 'ada', sep='/')", "cell 3 prints the absolute path '/home/ada'"),
        ("import os; print(os.getcwd())", "cell 3 prints the absolute path"),
        ("import ipywidgets\nipywidgets.IntSlider()", "cell 3 shows a bare widget"),
        (
            "import ipywidgets\nb = ipywidgets.Button()\nb.on_click(lambda _: {}['x'])\nb.click()",
            "cell 3 holds an error that did not stop the run: KeyError: 'x'",
        ),
        (
            "import ipywidgets\nfrom IPython.display import display\nout = ipywidgets.Output()\n"
            "with out:\n    raise ValueError('unseen')",
            "an Output widget holds an error that did not stop the run: ValueError: unseen",
        ),
        ("import os; os._exit(3)", "cell 3 failed: .*[Kk]ernel died"),
    ],
)
def test_a_cell_that_fails_or_cannot_be_the_same_elsewhere_is_one_clear_error(kit, cell, message):
    write(kit, f"{HEADER}{START}# %%\n{cell}\n")
    with pytest.raises(RagKitError, match=message) as caught:
        build(kit)
    assert "\n" not in str(caught.value)
    assert list(kit.glob("notebooks/*")) == [], "nothing is written unless everything ran"
    assert "old" in (kit / "README.md").read_text(encoding="utf-8")


def test_jupytext_missing_names_the_mend(kit, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupytext", None)
    with pytest.raises(RagKitError, match=r"python3 kit.py test"):
        build(kit)


def test_an_unknown_lesson_names_the_choices(kit):
    with pytest.raises(InvalidValue, match="unknown lesson '01_next'; choose from 00_start_here"):
        build(kit, only=["01_next"])


def test_the_kernel_is_this_python_whatever_the_user_installed(tmp_path, monkeypatch):
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(
        '{"argv": ["/nowhere/python"], "display_name": "x", "language": "python"}'
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    assert own_kernel_manager()(kernel_name="python3").kernel_spec.argv[0] == sys.executable


def test_the_kernel_gets_no_key_and_no_model_name(monkeypatch):
    for name in ("OPENAI_BASE_URL", "RAG_KIT_CHAT_MODEL", "RAG_KIT_CACHE_DIR"):
        monkeypatch.setenv(name, "x")
    env = environment("profile")
    assert "OPENAI_BASE_URL" not in env
    assert "RAG_KIT_CHAT_MODEL" not in env
    assert env["RAG_KIT_CACHE_DIR"] == "x", "the cache is only about speed"


def test_what_a_cell_leaves_among_the_temporary_files_goes_with_the_run(kit, monkeypatch):
    place = kit / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("TMPDIR", str(place))
    write(kit, HEADER + START + "# %%\nimport tempfile\nfolder = tempfile.mkdtemp()\nlen(folder) > 0\n")
    build(kit)
    assert json.loads((kit / NAME).read_text(encoding="utf-8"))["cells"][2]["outputs"][0]["data"] == {
        "text/plain": ["True"]
    }
    assert list(place.iterdir()) == []


def test_a_notebook_without_its_lesson_goes_and_a_learners_own_stays(kit):
    build(kit)
    text = (kit / NAME).read_text(encoding="utf-8")
    gone = kit / "notebooks" / "09_gone.ipynb"
    gone.write_text(text.replace("00_start_here-", "09_gone-"), encoding="utf-8")
    copy = kit / "notebooks" / "00_start_here-Copy1.ipynb"
    copy.write_text(text, encoding="utf-8")
    assert build(kit, check=True) == ["notebooks/09_gone.ipynb"]
    assert gone.exists()
    assert build(kit) == ["notebooks/09_gone.ipynb"]
    assert not gone.exists()
    assert copy.exists()


def test_the_readme_gets_the_table_of_lessons(kit):
    write(kit, HEADER.replace("Start here", "Then this") + START + BODY, "01_then_this.py")
    write(kit, "not a lesson of this kind", "01_then_this_exercise.py")
    assert lesson_table(kit).splitlines() == [
        "| Lesson | What you can do afterwards | Minutes |",
        "|---|---|---:|",
        r"| [00 Start here](notebooks/00_start_here.ipynb) | ask one \| two questions | 20 |",
        r"| [01 Then this](notebooks/01_then_this.ipynb) | ask one \| two questions | 20 |",
    ]
    build(kit, only=["00_start_here"])
    readme = (kit / "README.md").read_text(encoding="utf-8")
    assert readme == f"# Kit\n<!-- lessons -->\n{lesson_table(kit)}\n<!-- /lessons -->\nend\n"


NO_NUMBER = HEADER.replace("#   minutes", "#   numbered: false\n#   minutes")


def test_a_notebook_without_a_number_stands_after_those_with_one(kit):
    write(kit, NO_NUMBER + START, "ask_more.py")
    assert lesson_table(kit).splitlines()[2:] == [
        r"| [00 Start here](notebooks/00_start_here.ipynb) | ask one \| two questions | 20 |",
        r"| [Start here](notebooks/ask_more.ipynb) | ask one \| two questions | 20 |",
    ]


@pytest.mark.parametrize(
    ("header", "name", "said"),
    [
        (
            HEADER,
            "ask_more.py",
            "lessons/ask_more.py: name it like 00_start_here.py.*or write `numbered: false`",
        ),
        (HEADER, "1_ask_more.py", "two digits"),
        (NO_NUMBER, "01_ask_more.py", "says `numbered: false`; name it like ask_your_own_folder.py"),
        (NO_NUMBER, "Ask more.py", "says `numbered: false`"),
    ],
)
def test_a_file_name_and_its_header_have_to_agree(kit, header, name, said):
    write(kit, header + START, name)
    with pytest.raises(InvalidValue, match=said):
        build(kit)


def test_a_readme_without_a_place_for_the_table_is_said_before_anything_runs(kit):
    (kit / "README.md").write_text("# Kit\n", encoding="utf-8")
    with pytest.raises(InvalidValue, match="<!-- lessons -->"):
        build(kit)


def test_all_problems_are_told_at_once_and_nothing_runs(kit, monkeypatch, capsys):
    write(kit, HEADER + START + "# %% [markdown]\n# It took 12 ms, then 14 ms.\n\n# %%\nraise SystemExit\n")
    with pytest.raises(InvalidValue) as caught:
        build(kit)
    assert len(str(caught.value).splitlines()) == 2
    monkeypatch.chdir(kit)
    assert main(["build"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line[:40] for line in lines] == ["rag_kit: lessons/00_start_here.py: cell "] * 2
