"""What the kit says on stderr, one line each: notices, warnings and errors, and under which name."""

from __future__ import annotations

import os
import sys

from rag_kit.hidden import show_unseen


def program_name() -> str:
    """Return the name that the command line was called by; ``kit.py`` sets RAG_KIT_PROG to its own."""
    return os.environ.get("RAG_KIT_PROG", "").strip() or "rag_kit"


def say(message: str) -> None:
    """Write one line on stderr, whatever the message holds; stdout belongs to the result."""
    print(f"{program_name()}: {show_unseen(' '.join(message.split()))}", file=sys.stderr, flush=True)  # noqa: T201
