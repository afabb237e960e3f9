#!/usr/bin/env python3
"""Make .venv, install the kit into it, and pass the command on; `python3 kit.py` lists the commands.

Needs Python 3.11 and nothing else. The first command installs the learner's packages, the first `test` the
developer's; nothing is installed again until what the INPUTS name, the Python or the folder changes.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file is what tells an older Python so
    message = "kit.py: needs Python 3.11 or newer, and this is {}.{}; try python3.11, or see python.org\n"
    sys.stderr.write(message.format(*sys.version_info[:2]))
    sys.exit(2)

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "kit-stamp.json"
UNFINISHED = ROOT / ".cache" / "kit-unfinished"
LEVELS = {"learner": "requirements.txt", "dev": "requirements-dev.txt"}
INPUTS = (*LEVELS.values(), "constraints.txt", "pyproject.toml")
HELP = """\
usage: python3 kit.py COMMAND [ARGUMENTS]     (the first one makes .venv and installs the kit there)
  lab [--no-browser]   open the first notebook in JupyterLab
  doctor               what is installed, which models answer, whether the network is needed
  ask, search          answer a question, or list passages; also parse, chunk, diagnose, index, sweep, benchmark,
                       serve, build: commands of rag_kit, run from the current folder; COMMAND --help explains each
  bundle DIR [--dev]   fill a folder with all wheels, to install where no package index is reachable
  test [--quick]       what CI runs: ruff, mypy, pytest, notebooks, build --check, browser;
                       --quick leaves out the last three; with pytest arguments, only pytest runs
"""


def say(message: str) -> None:
    """Write one line on stderr; stdout belongs to the command that is passed on."""
    sys.stderr.write(f"kit.py: {message}\n")
    sys.stderr.flush()


def venv_python(venv: PurePath, *, windows: bool = os.name == "nt") -> PurePath:
    """Return where an environment keeps its interpreter.

    >>> venv_python(PurePath(".venv"), windows=False).as_posix()
    '.venv/bin/python'
    """
    return venv / "Scripts" / "python.exe" if windows else venv / "bin" / "python"


PYTHON = str(venv_python(VENV))


def run(
    command: Sequence[str], *, cwd: Path | None = ROOT, stdout: int | None = None, limit: float | None = None
) -> int:
    """Run a command and return its exit code; raises TimeoutExpired after ``limit`` seconds. It never stays."""
    process = subprocess.Popen(command, cwd=cwd, stdout=stdout)
    try:
        return process.wait(limit)
    finally:
        end([process])


def end(processes: Sequence[subprocess.Popen[bytes]], *, patience: float = 5) -> None:
    """Give them some seconds, for Ctrl-C has reached them too; then as many after a signal; then kill."""
    try:
        for told in (False, True):
            for process in processes if told else ():
                process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
            until = time.monotonic() + patience
            for process in processes:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(0, until - time.monotonic()))
    finally:  # at once when Ctrl-C is pressed again
        for process in processes:
            process.kill()
            process.wait()


def fingerprint(root: Path, python: Sequence[int]) -> str:
    """Hash what an installation is made from, so that a change of any of it installs again."""
    digest = hashlib.sha256(repr((str(root), *python[:2])).encode())
    for name in INPUTS:
        content = (root / name).read_bytes()
        digest.update(f"\n{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def read_stamp() -> dict[str, str]:
    """Return what the last completed installation wrote down, or nothing."""
    with suppress(OSError, ValueError, TypeError):
        return dict(json.loads(STAMP.read_text(encoding="utf-8")))
    return {}


def why_rebuild(stamp: Mapping[str, str]) -> str | None:
    """Say why .venv has to be made anew, or None when its Python is the one to use."""
    if not os.path.lexists(PYTHON):
        return "there is none yet"
    ask, this = "import sys; print('%d.%d' % sys.version_info[:2])", "{}.{}".format(*sys.version_info[:2])
    try:
        asked = subprocess.run([PYTHON, "-I", "-S", "-c", ask], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "its Python does not run any more"
    if asked.stdout.strip() != this:
        return f"it was made for Python {asked.stdout.strip()}, and this is {this}"
    if not (VENV / "pyvenv.cfg").exists() or stamp.get("root", str(ROOT)) != str(ROOT):
        return "it was moved or damaged"
    return None


@contextmanager
def installing() -> Iterator[None]:
    """Let one process at a time change .venv; the system releases the lock of one that dies."""
    lock, waiting = UNFINISHED.with_name("kit.lock"), False
    lock.parent.mkdir(exist_ok=True)
    with lock.open("a", encoding="utf-8") as file:
        while True:
            try:
                if sys.platform == "win32":
                    import msvcrt

                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                else:
                    import fcntl

                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except (BlockingIOError, PermissionError):
                if not waiting:
                    say("another kit.py is installing; waiting for it")
                waiting = True
                time.sleep(0.2)
        yield


def step(name: str, command: Sequence[str], mend: str) -> None:
    """Run one step of the installation, or exit with a line that names it and says what mends it."""
    code = run(command, stdout=sys.stderr.fileno())
    if code:
        sys.exit(f"kit.py: {name} failed (exit {code}; its own words are above): {mend}")


def installer() -> list[str]:
    """Return the command that installs into .venv: uv when there is one, else pip."""
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", PYTHON]
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        mend = "delete the folder .venv and run the same command again"
        step("adding pip to .venv", [PYTHON, "-m", "ensurepip", "--default-pip"], mend)
    return [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def wheels() -> list[str]:
    """Return the options that install from the folder of a bundle, when one is named or lies here."""
    named = os.environ.get("RAG_KIT_WHEELS", "").strip()
    folder = Path(named).resolve() if named else ROOT / "wheels"
    return ["--no-index", "--find-links", str(folder)] if named or folder.is_dir() else []


def ensure(level: str) -> None:
    """Install `level` unless it is there; the stamp comes last, and what was stopped half-way starts anew."""
    inputs = fingerprint(ROOT, sys.version_info[:2])

    def ready() -> bool:
        stamp = read_stamp()
        enough = stamp.get("level") in ("dev", level) and stamp.get("inputs") == inputs
        return enough and why_rebuild(stamp) is None

    if ready():
        return
    with installing():
        if ready():  # thanks to the process we waited for
            return
        start, stamp = time.monotonic(), read_stamp()
        reason = "the last installation was stopped" if UNFINISHED.exists() else why_rebuild(stamp)
        UNFINISHED.touch()
        STAMP.unlink(missing_ok=True)
        if reason:
            say(f"making .venv ({reason})")
            base = getattr(sys, "_base_executable", None) or sys.executable  # stays when .venv goes
            mend = "free some disk space; on Debian and Ubuntu, run sudo apt install python3-venv first"
            step("making .venv", [base, "-m", "venv", "--clear", str(VENV)], mend)
        level = "dev" if stamp.get("level") == "dev" else level
        needs, command, local = LEVELS[level], installer(), wheels()
        tool = "pip, which takes minutes" if command[0] == PYTHON else "uv"
        tool += f", from {local[-1]}" if local else ""
        size = re.search(rf"^# {level}: (.+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
        say(f"installing {needs} with {tool} (from scratch: {size[1] if size else 'size unknown'}) ...")
        mend = "check the network (behind a proxy, set HTTPS_PROXY) and the disk space, then run it again"
        if local:
            mend = "make that folder again, with kit.py bundle DIR --dev on this system and with this Python"
        step(f"installing {needs}", [*command, *local, "-r", needs, "-c", "constraints.txt"], mend)
        written, stamp = STAMP.with_suffix(".new"), {"level": level, "root": str(ROOT), "inputs": inputs}
        written.write_text(json.dumps(stamp), encoding="utf-8")
        written.replace(STAMP)
        UNFINISHED.unlink()
        say(f"installed in {time.monotonic() - start:.0f} s")


def hand_over(arguments: Sequence[str]) -> int:
    """Become .venv's Python in the user's own folder; -P keeps the files there from being imported."""
    command = [PYTHON, "-P", "-m", *arguments]
    os.environ["RAG_KIT_PROG"] = "kit.py"  # help and messages name the command as it was typed
    if os.name == "posix":
        os.execv(PYTHON, command)
    return run(command, cwd=None)


def lab(arguments: Sequence[str]) -> int:
    """Open JupyterLab on the first notebook; its log prints the address to click."""
    options = [f"--ServerApp.root_dir={ROOT}", "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"]
    if sys.platform != "win32" and os.geteuid() == 0:
        options.append("--allow-root")
    return hand_over(["jupyterlab", *options, *arguments])


def main(arguments: Sequence[str]) -> int:
    """Install what the command needs, then run it."""
    command, *rest = arguments or ["help"]
    if command in ("help", "-h", "--help"):
        sys.stdout.write(HELP)
        return 0
    try:
        if command == "bundle":
            from tools.bundle import bundle

            return bundle(rest, root=ROOT, levels=LEVELS, inputs=INPUTS, say=say)
        ensure("dev" if command == "test" else "learner")
        if command == "test":
            from tools.checks import check

            return check(rest, python=PYTHON, run=run, end=end, say=say)
        return lab(rest) if command == "lab" else hand_over(["rag_kit", *arguments])
    except OSError as error:
        say(f"cannot prepare .venv: {error}; close what uses it, make the folder writable, or delete .venv")
    except KeyboardInterrupt:
        say("stopped")
        return 130
    return 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the same way as Ctrl-C
    sys.exit(main(sys.argv[1:]))
