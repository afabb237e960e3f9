"""What `kit.py test` runs, in this order: the same checks for a developer and for CI.

Standard library only, as kit.py is: the checks themselves run in .venv.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
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
LIMIT = 30 * 60
"""Seconds that a check may take: several times what the longest one needs. Then it is ended, and has failed."""
SCRUBBED = ("OPENAI_", "RAG_KIT_CHAT_", "RAG_KIT_EMBED_")


End = Callable[[Sequence[subprocess.Popen[bytes]]], None]


def check(
    arguments: Sequence[str],
    *,
    python: str,
    run: Callable[..., int],
    end: End,
    say: Callable[[str], None],
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
    codes: dict[str, int | None] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # The checks of the exercises are not the learner's own, and no check begins with what another run
        # has cached; what one of them has embedded, the next ones need not.
        os.environ["RAG_KIT_LEARNER_DIR"] = str(Path(folder, "learner"))
        os.environ["RAG_KIT_CACHE_DIR"] = os.environ["RAG_KIT_TESTS_CACHE"] = str(Path(folder, "cache"))
        commands = {name: [python, "-m", *command] for name, command in checks.items()}
        for name in [name for name in commands if name not in SIDE_BY_SIDE]:
            show(f"{name}: {' '.join(checks[name])}")
            codes[name] = None
            with suppress(subprocess.TimeoutExpired):
                codes[name] = run(commands.pop(name), limit=LIMIT)
        codes |= side_by_side(commands, Path(folder), end)
    verdicts = {0: "passed", None: f"FAILED (not done after {LIMIT // 60} minutes)"}
    for name in checks:
        say(f"{name:14}{verdicts.get(codes[name], f'FAILED (exit {codes[name]})')}")
    return int(any(code != 0 for code in codes.values()))


def side_by_side(
    commands: Mapping[str, Sequence[str]], folder: Path, end: End, *, limit: float = LIMIT
) -> dict[str, int | None]:
    """Run commands, two at a time, and show what each has said when it has ended.

    Returns their exit codes; None is one that was ended after ``limit`` seconds.
    """
    waiting, running, codes = list(commands), dict[str, subprocess.Popen[bytes]](), dict[str, int | None]()
    if waiting:
        show(f"{', '.join(waiting)}: {AT_A_TIME} at a time, each shown as it ends")
    said = {name: folder / f"{at}.log" for at, name in enumerate(commands)}
    due: dict[str, float] = {}
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}  # what is killed has written all it said
    try:
        while waiting or running:
            while waiting and len(running) < AT_A_TIME:
                name = waiting.pop(0)
                with said[name].open("wb") as log:
                    running[name] = subprocess.Popen(
                        commands[name], cwd=ROOT, env=unbuffered, stdout=log, stderr=subprocess.STDOUT
                    )
                due[name] = time.monotonic() + limit
            time.sleep(0.1)
            for name, process in list(running.items()):
                code = process.poll()
                if code is None and time.monotonic() < due[name]:
                    continue
                end([process])
                codes[name] = code
                del running[name]
                why = ", which took too long" if code is None else ""
                show(f"{name}{why}: {' '.join(commands[name][2:])}", said[name].read_bytes())
    finally:
        try:
            end(list(running.values()))
        finally:
            for name in running:
                show(f"{name}, which was stopped: {' '.join(commands[name][2:])}", said[name].read_bytes())
    return codes


def show(title: str, said: bytes = b"") -> None:
    """Write a title and what was said under it on stdout, both at once: two streams would get mixed up."""
    sys.stdout.flush()
    sys.stdout.buffer.write(f"== {title}\n".encode() + said)
    if said and not said.endswith(b"\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.flush()
