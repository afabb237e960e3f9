"""What `kit.py test` runs, in this order: the same checks for a developer and for CI.

Standard library only, as kit.py is: the checks themselves run in .venv.
"""

import os
import tempfile
from collections.abc import Callable, Sequence

NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=240", "-p", "no:cacheprovider"]
# Two at a time, the tests of a module together: they share what the module and the session have made.
PARALLEL = ["-n", "2", "--dist", "loadscope"]
CHECKS = {
    "ruff": ["ruff", "check", "."],
    "mypy": ["mypy"],
    "pytest": ["pytest", *PARALLEL, "-m", "not browser"],
    "notebooks": ["pytest", *NBVAL, "-o", "addopts=", "-o", "filterwarnings=", "notebooks"],
    "build --check": ["rag_kit", "build", "--check"],
    "browser": ["pytest", "-m", "browser"],
}
QUICK = ("ruff", "mypy", "pytest")
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
    with tempfile.TemporaryDirectory() as results:
        os.environ["RAG_KIT_LEARNER_DIR"] = results  # the checks of the exercises are not the learner's own
        for name, command in checks.items():
            say(f"== {name}: {' '.join(command)}")
            codes[name] = run([python, "-m", *command])
    for name, code in codes.items():
        say(f"{name:14}{f'FAILED (exit {code})' if code else 'passed'}")
    return int(any(codes.values()))
