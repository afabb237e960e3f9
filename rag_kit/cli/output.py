"""What every command does with its result: one value on stdout, what to know besides on stderr."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rag_kit.console import say
from rag_kit.notices import notices_text
from rag_kit.types import Document, ParseFailure

_CONTROLS = re.compile("[\x7f-\x9f]")
"""Of the signs that steer a terminal, those that JSON does not escape itself."""


def print_result(options: argparse.Namespace, shape: Callable[[], Any], text: Callable[[], str]) -> None:
    """Print a result: as JSON where it was asked for, else as text."""
    # A console's stand-in for a sign (\\x81) is not JSON: there, JSON escapes all that is not ASCII itself.
    ascii_only = not str(sys.stdout.encoding).lower().startswith("utf")
    if options.json:
        out = _CONTROLS.sub(
            lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(shape(), ensure_ascii=ascii_only, indent=2)
        )
    else:
        out = text()
    print(out)  # noqa: T201
    sys.stdout.flush()


def report_reading(
    errors: Iterable[ParseFailure],
    passed_over: Mapping[str, int],
    noted: Iterable[Document],
    *,
    owner: bool = True,
) -> None:
    """Say what could not be read, what a reader should know of the rest, and what was passed over."""
    for error in errors:
        say(f"{error.source_uri}: {error.message}")
    for line in notices_text(noted, owner=owner):
        say(line)
    if passed_over:
        counts = ", ".join(f"{count} {suffix}" for suffix, count in sorted(passed_over.items()))
        say(f"passed over, no documents: {counts}")
