"""What every test gets: a clean environment, one cache for the session, no network, the sample documents."""

import io
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest
from filelock import FileLock
from hypothesis import settings
from pytest_socket import socket_allow_hosts

from rag_kit import load_settings, open_library
from rag_kit.cli import main

ROOT = Path(__file__).resolve().parents[1]
LOOPBACK = ["127.0.0.1", "::1"]
# The same examples in every run, and no deadline: a slow machine is no failure. The profile `wild` looks further.
settings.register_profile("kit", deadline=None, derandomize=True)
settings.register_profile("wild", deadline=None, max_examples=2_000)
settings.load_profile("kit")
FOR_TESTS = ("RAG_KIT_REQUIRE_BROWSER", "RAG_KIT_CHROMIUM", "RAG_KIT_SHOTS", "RAG_KIT_TESTS_CACHE")
LEARNER_DIR = "RAG_KIT_LEARNER_DIR"
SHARED_CACHE = "RAG_KIT_TESTS_CACHE"
"""Where `kit.py test` names a cache for all its checks, empty at the first of them."""
CACHE_PREFIX, A_DAY = "rag_kit_tests", 24 * 60 * 60
COORDINATOR_CACHE = pytest.StashKey[str]()


def pytest_configure(config):
    """Scrub the environment before anything is collected; the workers of xdist inherit it, cache included."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "RAG_KIT_"))]:
        if name not in FOR_TESTS:
            del os.environ[name]
    if not (cache := os.environ.get(SHARED_CACHE)):
        for left in Path(tempfile.gettempdir()).glob(CACHE_PREFIX + "*"):  # by runs that were killed
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > A_DAY:
                    shutil.rmtree(left)
        cache = config.stash[COORDINATOR_CACHE] = tempfile.mkdtemp(prefix=CACHE_PREFIX)
    os.environ["RAG_KIT_CACHE_DIR"] = cache


def pytest_make_parametrize_id(val, argname):
    """Name a case of bytes by its argument: an archive carries its time of writing, a name must not change."""
    return argname if isinstance(val, bytes) else None


def pytest_unconfigure(config):
    """Take the session's own cache away."""
    if folder := config.stash.get(COORDINATOR_CACHE, None):
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left(tmp_path_factory):
    """Give the run a folder for temporary files, and fail where something is left in it at the end."""
    place = tmp_path_factory.mktemp("t")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(place))
        for name in ("TMPDIR", "TEMP", "TMP"):
            patch.setenv(name, str(place))
        yield
    left = {path.name: [file.name for file in path.rglob("*")] for path in place.iterdir()}
    left.pop("data-gym-cache", None)  # where tiktoken looks for its ranks, and the kit puts them
    assert not left, f"a test left temporary files (search the tests for these names): {left}"


@pytest.fixture(scope="session", autouse=True)
def results_of_this_run(tmp_path_factory):
    """What a test checks, answers and rates goes to a folder of the run, never to the user's own."""
    os.environ[LEARNER_DIR] = str(tmp_path_factory.mktemp("learner"))
    yield
    os.environ.pop(LEARNER_DIR, None)


@pytest.fixture(autouse=True)
def no_network():
    """Let no test out of this machine."""
    socket_allow_hosts(LOOPBACK, allow_unix_socket=True)


@pytest.fixture(autouse=True)
def no_swallowed_callbacks(caplog):
    """`Button.click()` logs what a callback raises and goes on: fail the test on such a record."""
    caplog.set_level(logging.WARNING, logger="traitlets")
    yield
    bad = [r for r in caplog.get_records("call") if r.exc_info and "Exception in callback" in r.getMessage()]
    assert not bad, "a widget callback raised: " + "; ".join(r.getMessage() for r in bad)


@pytest.fixture(autouse=True)
def own_results(tmp_path, monkeypatch):
    """Give each test a place of its own for what a learner checks, answers and rates."""
    monkeypatch.setenv("RAG_KIT_LEARNER_DIR", str(tmp_path / "learner"))


@pytest.fixture(scope="session")
def sample_docs():
    """The folder of sample documents."""
    return ROOT / "sample_docs"


@pytest.fixture(scope="session")
def sample_library(sample_docs):
    """The sample documents, parsed, chunked and embedded on this machine, once a session.

    One worker does it, on all cores, and the others wait and take what is cached: at once they would each
    do the whole of it, and take twice as long.
    """
    offline = load_settings(offline=True)
    with FileLock(offline.cache_dir / "sample_docs.lock"):
        return open_library(sample_docs, settings=offline, pipeline="dense")


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self):
        return json.loads(self.stdout)

    @property
    def complaint(self):
        """The one line on stderr; more than one line, or a traceback, is a bug."""
        assert "Traceback" not in self.stderr, self.stderr
        lines = self.stderr.splitlines()
        assert len(lines) == 1, self.stderr
        assert lines[0].startswith("rag_kit: ")
        return lines[0]


@pytest.fixture(scope="session")
def process():
    """Run `python -m rag_kit …` in a process of its own, as a user would: seconds, for what depends on one."""

    def run(*arguments, cwd=None, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "rag_kit", *map(str, arguments)],
            capture_output=True,
            cwd=cwd,
            env={**os.environ, "RAG_KIT_PROGRESS": "0", **environment},
            check=False,
            timeout=600,
        )
        return Ran(done.returncode, as_text(done.stdout), as_text(done.stderr, "backslashreplace"))

    return run


@pytest.fixture(scope="session")
def cli():
    """Run a command in this process: the models are loaded once, and a log or a warning is on stderr as well."""

    def run(*arguments, cwd=".", **environment):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        log = logging.getLogger()
        handlers, log.handlers = log.handlers, []
        try:
            with (
                mock.patch.dict(os.environ, {"RAG_KIT_PROGRESS": "0", **environment}),
                chdir(cwd),
                redirect_stdout(out),
                redirect_stderr(err),
            ):
                status = main([str(argument) for argument in arguments])
        except SystemExit as end:  # of --help
            status = end.code or 0
        finally:
            log.handlers = handlers
        return Ran(status, as_text(out.buffer.getvalue()), as_text(err.buffer.getvalue(), "backslashreplace"))

    return run


def as_text(written, errors="strict"):
    return written.decode("utf-8", errors).replace("\r\n", "\n")


@pytest.fixture
def folder(tmp_path):
    """Make a folder of files: names to texts or bytes."""

    def make(files, name="docs"):
        root = tmp_path / name
        for file, content in files.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        root.mkdir(exist_ok=True)
        return root

    return make
