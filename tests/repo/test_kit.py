"""kit.py by its behaviour: a copy of it in a folder of its own, a fake uv on PATH, and no network."""

import ast
import doctest
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="the fakes are scripts with a #! line")

# What the fake uv "installs": a module that says how it was called and exits as it is told.
STUB = """
import json, os, signal, sys, time
name = os.path.splitext(os.path.basename(__file__))[0]
openai = sorted(key for key in os.environ if key.startswith("OPENAI_"))
folders = {key: os.environ.get(f"RAG_KIT_{variable}") for key, variable in (
    ("learner", "LEARNER_DIR"), ("cache", "CACHE_DIR"), ("tests", "TESTS_CACHE")
)}
call = {"module": name, "args": sys.argv[1:], "cwd": os.getcwd(), "openai": openai}
print(json.dumps(call | folders), flush=True)
if hangs := os.environ.get("STUB_HANGS_" + name):
    if os.environ.get("STUB_IS_DEAF"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(hangs + ".new", "w") as file:
        file.write(str(os.getpid()))
    os.rename(hangs + ".new", hangs)
    time.sleep(600)
sys.exit(int(os.environ.get("STUB_EXIT_" + name, 0)))
"""
FAKE_UV = f"""#!{sys.executable}
import os, pathlib, sys, time
with open(os.environ["UV_LOG"], "a") as log:
    log.write(" ".join(sys.argv[1:]) + chr(10))
print("fake uv talks on stdout", flush=True)
if os.environ.get("UV_HANGS"):
    time.sleep(600)
if os.environ.get("UV_FAILS"):
    sys.exit("error: could not resolve pypi.org")
python = pathlib.Path(sys.argv[sys.argv.index("--python") + 1])
[site] = python.parents[1].glob("lib/python*/site-packages")
for name in ("rag_kit", "pytest", "ruff", "mypy", "jupyterlab"):
    (site / (name + ".py")).write_text({STUB!r})
"""


class Kit:
    """A copy of kit.py among small requirements files, and how to call it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.bin, self.log = folder / "kit", folder / "bin", folder / "uv.log"
        self.cwd = folder / "my documents"
        for path in (self.root, self.bin, self.cwd):
            path.mkdir()
        (self.root / "kit.py").write_bytes((ROOT / "kit.py").read_bytes())
        shutil.copytree(ROOT / "tools", self.root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml"):
            (self.root / name).write_text("# nothing\n")
        (self.root / "constraints.txt").write_text(
            "# learner: 5 MB to download, 10 MB on disk\n# dev: 7 MB to download, 20 MB on disk\n"
        )

    @property
    def stamp(self) -> Path:
        return self.root / ".venv" / "kit-stamp.json"

    @property
    def installs(self) -> list[str]:
        """The requirements file of each installation so far."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [re.search(r"-r (\S+)", line)[1] for line in lines]

    def environment(self, **variables: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        return kept | {"PATH": str(self.bin), "UV_LOG": str(self.log)} | variables

    def command(self, *args: str) -> list[str]:
        return [sys.executable, str(self.root / "kit.py"), *args]

    def run(self, *args: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*args),
            cwd=self.cwd,
            env=self.environment(**variables),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def start(self, *args: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*args),
            cwd=self.cwd,
            env=self.environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def calls(self, result: subprocess.CompletedProcess[str]) -> list[dict]:
        """What the stubs said; anything else on stdout but the titles of `test` is an error."""
        return [json.loads(line) for line in result.stdout.splitlines() if not line.startswith("== ")]


@pytest.fixture
def bare(tmp_path):
    """A kit with neither .venv nor uv."""
    return Kit(tmp_path)


@pytest.fixture
def kit(bare, empty_venv):
    """A kit with a fake uv and, because making one takes seconds, a copy of an empty .venv."""
    uv = bare.bin / "uv"
    uv.write_text(FAKE_UV)
    uv.chmod(0o755)
    shutil.copytree(empty_venv, bare.root / ".venv", symlinks=True)
    return bare


@pytest.fixture(scope="module")
def empty_venv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder


def load(path="kit.py"):
    """kit.py, or another of its files, as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- before anything is installed -----------------------------------------------------------------------


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13)])
def test_an_older_python_is_told_what_is_needed(version):
    code = f"import sys, runpy; sys.version_info = {version}; runpy.run_path('kit.py', run_name='__main__')"
    result = subprocess.run(
        [sys.executable, "-c", code, "ask"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    [line] = result.stderr.splitlines()
    assert "needs Python 3.11" in line
    assert f"{version[0]}.{version[1]}" in line
    assert (result.returncode, result.stdout) == (2, "")


def test_an_older_python_can_read_the_file_that_far():
    ast.parse((ROOT / "kit.py").read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"], ["help"]])
def test_help_names_the_commands_and_installs_nothing(bare, args):
    result = bare.run(*args)
    assert (result.returncode, result.stderr) == (0, "")
    assert {"lab", "doctor", "ask,", "test"} <= set(result.stdout.split())
    assert not (bare.root / ".venv").exists()


def test_the_interpreter_is_found_on_every_system():
    kit = load()
    posix = kit.venv_python(PurePosixPath("/home/me/kit/.venv"), windows=False)
    windows = kit.venv_python(PureWindowsPath(r"C:\kit\.venv"), windows=True)
    assert (str(posix), str(windows)) == ("/home/me/kit/.venv/bin/python", r"C:\kit\.venv\Scripts\python.exe")


def test_the_examples_in_its_docstrings_hold():
    assert doctest.testmod(load()) == doctest.TestResults(failed=0, attempted=1)


# --- when it installs -----------------------------------------------------------------------------------


@POSIX
def test_the_first_command_installs_and_the_second_does_not(kit):
    first, second = kit.run("doctor"), kit.run("doctor")
    assert kit.installs == ["requirements.txt"]
    assert "5 MB to download, 10 MB on disk" in first.stderr
    assert second.stderr == ""
    assert kit.calls(first) == kit.calls(second)


@POSIX
@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "constraints.txt", "pyproject.toml"]
)
def test_a_changed_input_installs_again(kit, name):
    kit.run("doctor")
    before = kit.stamp.read_text()
    with (kit.root / name).open("a") as file:
        file.write("# more\n")
    kit.run("doctor")
    assert kit.installs == ["requirements.txt"] * 2
    assert kit.stamp.read_text() != before


@POSIX
@pytest.mark.parametrize("damage", ["", "{", "[1]"])
def test_a_missing_or_unreadable_stamp_installs_again(kit, damage):
    kit.run("doctor")
    kit.stamp.unlink()
    if damage:
        kit.stamp.write_text(damage)
    assert kit.run("doctor").returncode == 0
    assert kit.installs == ["requirements.txt"] * 2


@POSIX
def test_the_developer_level_holds_the_learner_level_and_stays(kit):
    kit.run("doctor")
    kit.run("test", "-x")
    kit.run("doctor")
    (kit.root / "pyproject.toml").write_text("# changed\n")
    kit.run("doctor")
    assert kit.installs == ["requirements.txt", "requirements-dev.txt", "requirements-dev.txt"]


def test_the_stamp_depends_on_the_python_and_the_folder(bare, tmp_path):
    kit = load()
    other = tmp_path / "other"
    other.mkdir()
    for name in kit.INPUTS:
        (other / name).write_bytes((bare.root / name).read_bytes())
    prints = [
        kit.fingerprint(bare.root, (3, 11)),
        kit.fingerprint(bare.root, (3, 12)),
        kit.fingerprint(other, (3, 11)),
    ]
    assert len(set(prints)) == 3
    assert kit.fingerprint(bare.root, (3, 11, 4)) == prints[0]


def damage_python(kit):
    python = kit.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(kit.root / "removed")


def damage_nothing_but_the_place(kit):
    kit.root = kit.root.rename(kit.root.with_name("moved"))


@POSIX
@pytest.mark.parametrize("damage", [damage_python, damage_nothing_but_the_place])
def test_a_venv_that_cannot_work_is_made_anew(kit, damage):
    kit.run("doctor")
    leftover = "old-leftover"
    (kit.root / ".venv" / leftover).touch()
    damage(kit)
    result = kit.run("doctor")
    assert result.returncode == 0, result.stderr
    assert "making .venv" in result.stderr
    assert not (kit.root / ".venv" / leftover).exists()
    assert kit.installs == ["requirements.txt"] * 2


@POSIX
def test_without_uv_the_pip_of_the_venv_installs_and_is_put_there_if_missing(kit):
    (kit.bin / "uv").unlink()
    result = kit.run("doctor")
    assert "installing requirements.txt with pip" in result.stderr
    assert kit.stamp.exists()  # real pip, two empty files
    [site] = (kit.root / ".venv").glob("lib/python*/site-packages")
    assert (site / "pip").is_dir()


# --- when installing goes wrong -------------------------------------------------------------------------


@POSIX
def test_a_failed_installation_names_the_step_and_the_mend(kit):
    result = kit.run("doctor", UV_FAILS="1")
    *_, words, line = result.stderr.splitlines()
    assert (result.returncode, result.stdout) == (1, "")
    assert words == "error: could not resolve pypi.org"
    assert "installing requirements.txt failed" in line
    assert "network" in line
    assert "HTTPS_PROXY" in line
    assert "Traceback" not in result.stderr
    assert not kit.stamp.exists()


@POSIX
def test_ctrl_c_stops_quietly_and_the_next_call_starts_anew(kit):
    process = kit.start("doctor", UV_HANGS="1")
    for line in process.stderr:  # not earlier: what is being started may miss the signal
        if line == "fake uv talks on stdout\n":
            break
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (130, "")
    assert stderr.splitlines()[-1] == "kit.py: stopped"
    assert not kit.stamp.exists()
    again = kit.run("doctor")
    assert "making .venv (the last installation was stopped)" in again.stderr
    assert again.returncode == 0


@POSIX
def test_two_at_once_take_turns(kit):
    import fcntl

    lock = kit.root / ".cache" / "kit.lock"
    lock.parent.mkdir()
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        process = kit.start("doctor")
        assert "another kit.py is installing" in process.stderr.readline()
        assert kit.installs == []
    process.communicate()
    assert process.returncode == 0
    assert kit.installs == ["requirements.txt"]


@POSIX
def test_a_folder_that_cannot_be_made_is_one_line(kit):
    (kit.root / ".cache").touch()
    result = kit.run("doctor")
    [line] = result.stderr.splitlines()
    assert result.returncode == 1
    assert ".cache" in line


def test_a_missing_file_is_one_line(bare):
    (bare.root / "constraints.txt").unlink()
    result = bare.run("doctor")
    [line] = result.stderr.splitlines()
    assert result.returncode == 1
    assert "constraints.txt" in line


# --- what it hands over to ------------------------------------------------------------------------------


@POSIX
def test_a_command_gets_its_arguments_its_folder_and_its_exit_code(kit):
    for name in ("json.py", "rag_kit.py"):  # a file of the user's must not be imported
        (kit.cwd / name).write_text("raise SystemExit('wrong file')")
    result = kit.run("ask", "How long is the notice?", "--json", STUB_EXIT_rag_kit="7")
    [call] = kit.calls(result)
    assert call["args"] == ["ask", "How long is the notice?", "--json"]
    assert Path(call["cwd"]) == kit.cwd
    assert result.returncode == 7


@POSIX
def test_lab_opens_the_first_notebook_of_the_kit(kit):
    [call] = kit.calls(kit.run("lab", "--no-browser"))
    assert call["module"] == "jupyterlab"
    assert f"--ServerApp.root_dir={kit.root}" in call["args"]
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in call["args"]
    assert ("--allow-root" in call["args"]) == (os.geteuid() == 0)
    assert call["args"][-1] == "--no-browser"


@POSIX
@pytest.mark.parametrize(("module", "failed"), [("mypy", "mypy"), ("rag_kit", "build")])
def test_test_runs_every_check_even_after_a_failure(kit, module, failed):
    environment = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "http://x", f"STUB_EXIT_{module}": "1"}
    result = kit.run("test", **environment)
    calls = kit.calls(result)
    assert [call["module"] for call in calls[:3]] == ["ruff", "mypy", "pytest"]
    assert sorted(call["module"] for call in calls[3:]) == ["pytest", "pytest", "rag_kit"]
    assert {call["cwd"] for call in calls} == {str(kit.root)}
    assert [call["openai"] for call in calls] == [[]] * 6
    assert [call["args"] for call in calls if call["module"] == "rag_kit"] == [["build", "--check"]]
    assert sum("--nbval" in call["args"] for call in calls) == 1
    assert {(call["learner"], call["cache"], call["tests"]) for call in calls} == {
        (calls[0]["learner"], calls[0]["cache"], calls[0]["cache"])
    }
    assert not Path(calls[0]["cache"]).parent.exists(), "what the checks have cached goes with them"
    summary = [line.removeprefix("kit.py: ").split() for line in result.stderr.splitlines()[-6:]]
    assert [line[0] for line in summary if "FAILED" in line] == [failed]
    assert result.returncode == 1


@POSIX
def test_each_title_stands_above_what_its_check_said(kit):
    lines = kit.run("test").stdout.splitlines()
    several = lines.pop(6)
    assert several == "== browser, build --check, notebooks: 2 at a time, each shown as it ends"
    titles, said = lines[::2], [json.loads(line) for line in lines[1::2]]
    assert titles[:2] == ["== ruff: ruff check .", "== mypy: mypy"]
    assert [title.split(": ")[1] for title in titles] == [
        " ".join([call["module"], *call["args"]]) for call in said
    ]


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@POSIX
@pytest.mark.parametrize(
    ("module", "signals", "deaf"),
    [
        ("rag_kit", [signal.SIGINT], ""),
        ("ruff", [signal.SIGTERM], ""),
        ("rag_kit", [signal.SIGTERM, signal.SIGINT], "yes"),
    ],
    ids=["side by side", "alone", "deaf, and asked again"],
)
def test_a_signal_to_kit_alone_ends_its_checks_and_shows_what_they_said(kit, tmp_path, module, signals, deaf):
    hangs = tmp_path / "hangs"
    process = kit.start("test", STUB_IS_DEAF=deaf, **{f"STUB_HANGS_{module}": str(hangs)})
    try:
        while not hangs.exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        for number in signals:
            process.send_signal(number)
            time.sleep(0.5)
        assert process.wait(timeout=60) == 130
        assert not runs(int(hangs.read_text()))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
    assert stderr.splitlines()[-1] == "kit.py: stopped"
    title = "== build --check, which was stopped: rag_kit" if module == "rag_kit" else "== ruff: ruff"
    lines = stdout.splitlines()
    [at] = [at for at, line in enumerate(lines) if line.startswith(title)]
    assert json.loads(lines[at + 1])["module"] == module


DEAF = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
time.sleep(600)
"""


@POSIX
def test_whoever_does_not_listen_is_ended_by_force():
    command = [sys.executable, "-c", DEAF]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    for process in processes:
        assert process.stdout.readline() == b"deaf\n"
    load().end(processes, patience=0.2)
    assert [process.returncode for process in processes] == [-signal.SIGKILL] * 2
    for process in processes:
        process.stdout.close()


def test_a_command_that_takes_too_long_is_told_so_and_is_gone(tmp_path):
    done = tmp_path / "done"
    code = f"import pathlib, time; time.sleep(1); pathlib.Path({str(done)!r}).touch()"
    with pytest.raises(subprocess.TimeoutExpired):
        load().run([sys.executable, "-c", code], limit=0.1)
    assert done.exists(), "it had some seconds left"


@POSIX
def test_a_check_that_takes_too_long_is_shown_and_has_no_exit_code(tmp_path, capfdbinary, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    ready = tmp_path / "ready"
    code = f"""
import pathlib, time
print("so far", end="")  # not flushed: what a check has said is not lost with it
pathlib.Path({str(ready)!r}).touch()
try:
    time.sleep(600)
except KeyboardInterrupt:
    pass
"""

    def end(processes):
        while any(process.poll() is None for process in processes) and not ready.exists():
            time.sleep(0.05)
        for process in processes:
            process.kill()
            process.wait()

    checks = load("tools/checks.py")
    commands = {"hangs": [sys.executable, "-c", code], "next": [sys.executable, "-c", "exit(3)"]}
    assert checks.side_by_side({"hangs": commands["hangs"]}, tmp_path, end, limit=0.0) == {"hangs": None}
    assert checks.side_by_side({"next": commands["next"]}, tmp_path, end) == {"next": 3}
    lines = capfdbinary.readouterr().out.decode().splitlines()
    title = lines.index(next(line for line in lines if line.startswith("== hangs, which took too long: ")))
    said = lines.index("so far")
    assert title < said
    assert lines[said + 1].startswith("== next: "), "a title begins a line of its own"


def test_a_check_that_took_too_long_has_failed(monkeypatch):
    for name in ("RAG_KIT_LEARNER_DIR", "RAG_KIT_CACHE_DIR", "RAG_KIT_TESTS_CACHE"):
        monkeypatch.setenv(name, "")  # put back afterwards

    def run(command, *, limit):
        if "mypy" in command:
            raise subprocess.TimeoutExpired(command, limit)
        return 0

    said = []
    checks = load("tools/checks.py")
    assert checks.check(["--quick"], python="python", run=run, end=load().end, say=said.append) == 1
    assert [line.split(maxsplit=1) for line in said] == [
        ["ruff", "passed"],
        ["mypy", "FAILED (not done after 30 minutes)"],
        ["pytest", "passed"],
    ]


@POSIX
@pytest.mark.parametrize(
    ("args", "modules"),
    [
        (["--quick"], ["ruff", "mypy", "pytest"]),
        (["-k", "chunk"], ["pytest"]),
        (["--quick", "-x"], ["pytest"]),
    ],
)
def test_test_can_run_less(kit, args, modules):
    result = kit.run("test", *args)
    assert [call["module"] for call in kit.calls(result)] == modules
    assert result.returncode == 0


# --- installing from a bundle ---------------------------------------------------------------------------


def fake_wheel(folder, name, text):
    """Write the smallest wheel that pip takes."""
    folder.mkdir(parents=True, exist_ok=True)
    about = f"{name}-1.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", text)
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")


@POSIX
@pytest.mark.parametrize("named", [False, True], ids=["beside kit.py", "named"])
def test_wheels_beside_it_or_named_are_all_that_is_asked(kit, named):
    folder = kit.cwd / "some wheels" if named else kit.root / "wheels"
    folder.mkdir()
    result = kit.run("doctor", **({"RAG_KIT_WHEELS": "some wheels"} if named else {}))
    assert result.returncode == 0, result.stderr
    assert f"--no-index --find-links {folder}" in kit.log.read_text()
    assert f"from {folder}" in result.stderr


@POSIX
def test_without_wheels_the_index_is_asked(kit):
    kit.run("doctor", RAG_KIT_WHEELS=" ")
    assert "--no-index" not in kit.log.read_text()


@POSIX
def test_wheels_that_do_not_fit_are_said_to_be_the_reason(kit):
    (kit.root / "wheels").mkdir()
    line = kit.run("doctor", UV_FAILS="1").stderr.splitlines()[-1]
    assert "kit.py bundle DIR --dev" in line
    assert "HTTPS_PROXY" not in line


@POSIX
def test_a_bundle_is_filled_and_installed_from_with_pip_alone(bare, tmp_path):
    """Both by the real pip, from a folder that stands for the package index."""
    index = tmp_path / "index"
    fake_wheel(index, "rag_kit", STUB)
    fake_wheel(index, "builder", "")
    (bare.root / "requirements.txt").write_text("rag_kit\n-e ./left-out\n")
    (bare.root / "requirements-dev.txt").write_text("-r requirements.txt\n# nothing more\n")
    (bare.root / "pyproject.toml").write_text('[build-system]\nrequires = ["builder"]\n')
    (bare.root / "constraints.txt").write_text("rag_kit==1\n")
    offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    made = bare.run("bundle", "my bundle", "--dev", PIP_FIND_LINKS=str(index), **offline)
    assert made.returncode == 0, made.stderr
    bundle = bare.cwd / "my bundle"
    assert sorted(os.listdir(bundle / "wheels")) == [
        "builder-1-py3-none-any.whl",
        "rag_kit-1-py3-none-any.whl",
    ]
    assert (bundle / "constraints.txt").read_text() == "rag_kit==1\n"
    text = (bundle / "INSTALL.txt").read_text(encoding="utf-8")
    assert "RAG_KIT_WHEELS" in text
    assert "-r requirements-dev.txt" in text
    assert not (bare.root / ".venv").exists()
    (bare.root / "requirements.txt").write_text("rag_kit\n")
    result = bare.run("ask", RAG_KIT_WHEELS="my bundle/wheels", PIP_CONFIG_FILE=os.devnull)
    assert [call["module"] for call in bare.calls(result)] == ["rag_kit"], result.stderr


@POSIX
def test_a_bundle_that_cannot_be_fetched_is_one_line_after_pips_own(bare):
    (bare.root / "requirements.txt").write_text("no-such-package-at-all\n")
    result = bare.run("bundle", "here", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert result.returncode == 1
    assert "check the network" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


def test_a_bundle_needs_a_folder(bare):
    result = bare.run("bundle")
    assert (result.returncode, result.stdout) == (2, "")
    assert "DIR" in result.stderr.splitlines()[-1]


# --- constraints.txt ------------------------------------------------------------------------------------


def test_constraints_hold_pins_and_sizes_and_nothing_of_the_machine_that_made_them():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not re.match(r"[a-z0-9-]+==\S+( ; .+)?$", line)] == []
    assert not re.search(r"://|/opt|/tmp|/root|/home|index", "\n".join(lines))
    for level in ("learner", "dev"):
        assert any(re.match(rf"# {level}: \d+ MB to download, \d+ MB on disk$", line) for line in lines)


def test_every_requirement_is_pinned():
    wanted = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-dev.txt").read_text()
    names = {re.split(r"[<>=\[;]", line)[0].strip() for line in wanted.splitlines() if re.match(r"\w", line)}
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    assert {name.lower().replace("_", "-") for name in names} <= pinned
