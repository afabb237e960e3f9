"""What `kit.py test` runs, in this order: the same checks for a developer and for CI.

Standard library only, as kit.py is: the checks themselves run in .venv.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=240", "-p", "no:cacheprovider"]
# Two at a time, the tests of a module together: they share what the module and the session have made.
PARALLEL = ["-n", "2", "--dist", "loadscope"]
CHECKS = {
    "ruff": ["ruff", "check", "."],
    "mypy": ["mypy"],
    "pytest": ["pytest", *PARALLEL, "-m", "not browser"],
    "browser": ["pytest", "-m", "browser"],
    "build --check": ["rag_kit", "build", "--check"],
    "notebooks": ["pytest", *NBVAL, "-o", "addopts=", "-o", "filterwarnings=", "notebooks"],
}
QUICK = ("ruff", "mypy", "pytest")
SIDE_BY_SIDE = ("browser", "build --check", "notebooks")
"""The last ones: each is busy on one core, and most of them waits for a kernel. The longest comes first."""
AT_A_TIME = 2
SCRUBBED = ("OPENAI_", "RAG_KIT_CHAT_", "RAG_KIT_EMBED_")


def check(
    arguments: Sequence[str], *, python: str, run: Callable[[Sequence[str]], int], say: Callable[[str], None]
) -> int:
    """Run every check, go on after a failure, and sum up; 1 if any failed."""
    checks = CHECKS
    extra = [argument for argument in arguments if argument != "--quick"]
    if extra:
        checks = {"pytest": ["pytest", *extra]}
    elif arguments:
        checks = {name: CHECKS[name] for name in QUICK}
    for name in [name for name in os.environ if name.startswith(SCRUBBED)]:
        del os.environ[name]
    codes = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # The checks of the exercises are not the learner's own, and no check begins with what another run
        # has cached; what one of them has embedded, the next ones need not.
        os.environ["RAG_KIT_LEARNER_DIR"] = str(Path(folder, "learner"))
        os.environ["RAG_KIT_CACHE_DIR"] = os.environ["RAG_KIT_TESTS_CACHE"] = str(Path(folder, "cache"))
        commands = {name: [python, "-m", *command] for name, command in checks.items()}
        for name in [name for name in commands if name not in SIDE_BY_SIDE]:
            say(f"== {name}: {' '.join(checks[name])}")
            codes[name] = run(commands.pop(name))
        codes |= side_by_side(commands, Path(folder), say)
    for name in checks:
        say(f"{name:14}{f'FAILED (exit {codes[name]})' if codes[name] else 'passed'}")
    return int(any(codes.values()))


def side_by_side(
    commands: Mapping[str, Sequence[str]], folder: Path, say: Callable[[str], None]
) -> dict[str, int]:
    """Run commands, two at a time, and show what each has said when it has ended; returns their exit codes."""
    waiting, running, codes = list(commands), dict[str, subprocess.Popen[bytes]](), dict[str, int]()
    if waiting:
        say(f"== {', '.join(waiting)}: {AT_A_TIME} at a time, each shown as it ends")
    said = {name: folder / f"{at}.log" for at, name in enumerate(commands)}
    try:
        while waiting or running:
            while waiting and len(running) < AT_A_TIME:
                name = waiting.pop(0)
                with said[name].open("wb") as log:
                    running[name] = subprocess.Popen(
                        commands[name], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
                    )
            time.sleep(0.1)
            for name in [name for name, process in running.items() if process.poll() is not None]:
                codes[name] = running.pop(name).returncode
                say(f"== {name}: {' '.join(commands[name][2:])}")
                sys.stdout.flush()
                sys.stdout.buffer.write(said[name].read_bytes())
                sys.stdout.flush()
    finally:
        for process in running.values():  # at Ctrl-C they clean up after themselves, in some seconds
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
    return codes
