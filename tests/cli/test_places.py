"""Where `benchmark` and `sweep` may put a result: never in place of somebody's file."""

import json
import os

import pytest

from rag_kit.cli import main
from rag_kit.files import write_whole

QUESTION = {"id": "a", "question": "Fee?", "evidence": [{"document_id": "fee.md", "quote": "5 euros"}]}
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="no pipes, devices and links here")
COMMANDS = {"benchmark": ["--pipelines", "bm25"], "sweep": ["--sizes", "24", "--overlaps", "0"]}


@pytest.fixture
def docs(folder, monkeypatch):
    """The current folder: a document, a question, a table of somebody's, a folder, a pipe."""
    root = folder(
        {
            "fee.md": "The fee is 5 euros.",
            "q.jsonl": json.dumps(QUESTION),
            "own.json": '{"rows": [1]}',
            "near.json": '{"pipelines": {"ci": "mine"}}',
            "d/a.txt": "Tax.",
        }
    )
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "pipe")
        (root / "loop").symlink_to("loop")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(docs, capsys):
    def command(name, *options):
        asked = [name, "--docs", "fee.md", "--questions", "q.jsonl", "--offline", *COMMANDS[name]]
        status = main([*asked, *options])
        return (status, *capsys.readouterr())

    return command


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--out", "q.jsonl"], "q.jsonl is the file of questions"),
        (["--out", "d/../q.jsonl"], "is the file of questions"),
        (["--out", "fee.md"], "fee.md is there and is no result to be replaced"),
        (["--out", "own.json"], "own.json is there and is no result to be replaced"),
        (["--out", "near.json"], "near.json is there and is no result to be replaced"),
        pytest.param(["--out", "pipe"], "pipe is no regular file", marks=ON_POSIX),
        pytest.param(["--plot", "/dev/null"], "/dev/null is no regular file", marks=ON_POSIX),
        pytest.param(["--out", "loop"], "loop: too many levels of symbolic links: choose", marks=ON_POSIX),
        pytest.param(["--plot", "loop"], "loop: too many levels of symbolic links: choose", marks=ON_POSIX),
        (["--out", "d"], "d is a folder"),
        (["--out", "fee.md/b.json"], "lies below a file"),
        (["--out", "b.svg", "--plot", "d/../b.svg"], "name the same file"),
        pytest.param(["--out", "b" * 300], "too long: choose another place", marks=ON_POSIX),
    ],
)
def test_a_place_that_is_none_is_one_line_and_nothing_is_touched(run, docs, name, options, fault):
    before = {path: path.read_bytes() for path in docs.rglob("*") if path.is_file()}
    status, out, err = run(name, *options)
    assert (status, out) == (2, "")
    (line,) = err.splitlines()[-1:]
    assert fault in line
    assert {path: path.read_bytes() for path in docs.rglob("*") if path.is_file()} == before
    assert os.name != "posix" or ((docs / "pipe").is_fifo() and (docs / "loop").is_symlink())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_result_may_be_replaced_and_so_may_an_empty_file(run, docs, name):
    (docs / "b.json").write_text("", encoding="utf-8")
    for _ in range(2):
        status, _, err = run(name, "--out", "b.json", "--plot", "b.svg")
        assert status == 0, err
        assert json.loads((docs / "b.json").read_text(encoding="utf-8"))["k"] == 5
        assert "<svg" in (docs / "b.svg").read_text(encoding="utf-8")


@ON_POSIX
def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    (tmp_path / "to_nothing.json").symlink_to("later.json")
    for name in ("link.json", "to_nothing.json"):
        write_whole(tmp_path / name, "new")
        assert (tmp_path / name).is_symlink()
    assert [(tmp_path / name).read_text(encoding="utf-8") for name in ("real.json", "later.json")] == [
        "new",
        "new",
    ]
    assert len(list(tmp_path.iterdir())) == 4


@ON_POSIX
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("given", ["pipe", "/dev/null"])
def test_questions_that_can_be_read_once_only_are_no_file_of_questions(run, name, given):
    status, out, err = run(name, "--questions", given)
    assert (status, out) == (2, "")
    assert f"{given} is no regular file: save the questions as one" in err
