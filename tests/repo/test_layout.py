"""What the layout promises: stages apart, short files, encodings named, lazy imports, a clean tree."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rag_kit

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "rag_kit"
SOURCES = sorted(PACKAGE.rglob("*.py"))
STAGES = {"parsing", "chunking", "indexing", "retrieval", "generation", "grounding"}
COMPOSERS = {
    "operations",
    "evaluation",
    "teaching",
    "cli",
    "report_text",
    "reports",
    "doctor",
}
MAY_USE_LLM = {"llm", "operations", "evaluation", "teaching", "cli", "doctor"}
NAMES = [path.relative_to(PACKAGE).as_posix() for path in SOURCES]


def imported(tree):
    """Yield every module of the kit that a file imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def part(module):
    """Name the folder or file of the kit that a module is in."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] if first == "rag_kit" else None


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_stage_imports_no_other_stage_and_only_composers_see_the_model(path):
    mine = part(".".join(path.relative_to(ROOT).with_suffix("").parts))
    used = {part(name) for name in imported(ast.parse(path.read_text(encoding="utf-8")))} - {None, "", mine}
    if mine in STAGES:
        assert not used & (STAGES | COMPOSERS | {"llm"}), (
            f"{mine} imports {used & (STAGES | COMPOSERS | {'llm'})}"
        )
    elif mine == "llm":
        assert not used & (STAGES | COMPOSERS)
    elif mine not in COMPOSERS | {"__init__", "__main__"}:
        assert not used & (STAGES | COMPOSERS | {"llm"}), "what the stages share knows no stage"
    if mine not in MAY_USE_LLM | {"__init__"}:
        assert "llm" not in used


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_files_are_short_and_say_what_they_are(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 260
    assert ast.get_docstring(ast.parse(text))


def text_calls(path):
    """Yield each call of a file that opens, reads or writes text, with its keywords."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        constants = [value.value for value in given if isinstance(value, ast.Constant)]
        modes = [
            value for value in constants if isinstance(value, str) and re.fullmatch("[rwax][bt+]*", value)
        ]
        reads_a_file = isinstance(node.func, ast.Name) or modes
        opens = name in ("open", "fdopen") and reads_a_file and not any("b" in mode for mode in modes)
        if opens or name in ("read_text", "write_text"):
            yield name, node.lineno, {keyword.arg for keyword in node.keywords}


@pytest.mark.parametrize("path", [*SOURCES, ROOT / "kit.py"], ids=[*NAMES, "kit.py"])
def test_text_is_opened_read_and_written_with_its_encoding_named(path):
    for name, line, keywords in text_calls(path):
        assert "encoding" in keywords, f"line {line}: {name} names no encoding"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_what_the_kit_writes_has_the_same_line_ends_everywhere(path):
    for name, line, keywords in text_calls(path):
        if name == "write_text":
            assert "newline" in keywords, f"line {line}: write_text leaves line ends to the system"


def test_no_test_reads_a_clock_as_a_busy_machine_is_no_failure():
    clock = re.compile(r"\b(process_time|perf_counter|thread_time)\(")
    for path in sorted((ROOT / "tests").rglob("*.py")):
        assert not clock.search(path.read_text(encoding="utf-8")), path.relative_to(ROOT)


def test_exported_names_exist_and_are_sorted():
    names = rag_kit.__all__
    assert len(set(names)) == len(names)
    constants, classes, functions = (
        [n for n in names if kind(n)] for kind in (str.isupper, is_class, str.islower)
    )
    assert names == sorted(constants) + sorted(classes) + sorted(functions)
    for name in names:
        assert getattr(rag_kit, name) is not None
    assert all(getattr(rag_kit, name).__doc__ for name in classes + functions)


def is_class(name):
    return not name.isupper() and not name.islower()


def test_importing_the_kit_loads_nothing_heavy_and_opens_no_socket():
    code = (
        "import sys, json\n"
        "def stay(event, _):\n"
        "    if event.startswith('socket.'): raise SystemExit(event)\n"
        "sys.addaudithook(stay)\n"
        "import rag_kit, rag_kit.cli\n"
        "print(json.dumps(sorted(name for name in sys.modules if '.' not in name)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    heavy = {
        "openai",
        "sklearn",
        "ipywidgets",
        "papermill",
        "onnxruntime",
        "tiktoken",
        "IPython",
        "httpx2",
        "jupytext",
        "matplotlib",
        "pdfplumber",
        "pdfminer",
        "pypdfium2",
        "rapidocr",
        "cv2",
        "docx",
        "openpyxl",
        "lxml",
    }
    assert not heavy & set(json.loads(done.stdout))


def test_the_kit_can_be_imported_where_ipywidgets_is_not_installed():
    code = "import sys; sys.modules['ipywidgets'] = None; import rag_kit.cli, rag_kit.testing; print('ok')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.stdout.strip() == b"ok", done.stderr


TEXT_FILES = {".py", ".md", ".txt", ".toml", ".jsonl", ".json", ".ipynb", ".yml", ".yaml", ".cfg", ".sh"}
LEFT_OUT = {"build", "dist", "__pycache__", "node_modules"}


def tree():
    for folder, subfolders, names in os.walk(ROOT):
        hidden = Path(folder) == ROOT
        subfolders[:] = [n for n in subfolders if n not in LEFT_OUT and not n.endswith(".egg-info")
                         and (not n.startswith(".") or (hidden and n == ".ci"))]  # fmt: skip
        for name in names:
            path = Path(folder, name)
            if path.suffix in TEXT_FILES or path.parent.name == ".ci":
                yield path


def test_no_file_names_a_folder_of_somebodys_machine():
    # Homes of nobody in particular stand in examples.
    examples = "(?!ada\\b|me\\b|you\\b)"
    homes = ["/" + f"home/{examples}[a-z]", "/" + f"Users/{examples}[A-Za-z]", "/" + "root/", "/" + "work/"]
    windows = r"[A-Z]:\\+" + rf"Users\\+{examples}"
    pattern = re.compile(rf"(?<![\w.:/-])(?:{'|'.join([*homes, windows])})")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tree()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


def test_text_files_end_in_one_line_end_and_have_no_carriage_return():
    for path in tree():
        data = path.read_bytes()
        assert b"\r" not in data, path
        assert not data or (data.endswith(b"\n") and not data.endswith(b"\n\n")), path
