"""The commands that look at documents before any question is asked: ``parse``, ``chunk`` and ``diagnose``."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rag_kit import report_text, reports
from rag_kit.chunking import Finding, chunk, diagnose, strategy_of
from rag_kit.chunking.diagnostics import CODES, SEVERITIES, Severity
from rag_kit.cli.output import print_result
from rag_kit.cli.reading import parsed_of, settings_of
from rag_kit.hidden import for_terminal
from rag_kit.llm import connect
from rag_kit.operations.library import embedder_of, tokenizer_of
from rag_kit.parsing import Parsed
from rag_kit.settings import Settings
from rag_kit.types import Chunk

EXAMPLES = 3
"""Findings of each code that the readable form shows."""


def run_parse(options: argparse.Namespace) -> int:
    """Print what is read of files and folders."""
    parsed = parsed_of(options, options.paths)
    print_result(options, lambda: reports.parsed_json(parsed), lambda: report_text.parsed_text(parsed))
    return 1 if parsed.errors else 0


def run_chunk(options: argparse.Namespace) -> int:
    """Print the pieces that documents are cut into."""
    settings = settings_of(options)
    parsed = parsed_of(options, options.paths, settings=settings)
    chunks = _cut(options, parsed, settings)
    shape = {
        "chunks": [reports.chunk_json(piece) for piece in chunks],
        "errors": reports.failures_json(parsed.errors),
    }
    print_result(options, lambda: shape, lambda: report_text.chunks_text(chunks))
    return 1 if parsed.errors else 0


def run_diagnose(options: argparse.Namespace) -> int:
    """Parse, cut and examine; findings are the result, so only a file that cannot be read gives 1."""
    settings = settings_of(options)
    parsed = parsed_of(
        options, options.paths, notices=False, settings=settings
    )  # They are among the findings.
    chunks = _cut(options, parsed, settings)
    findings = diagnose(parsed.documents, chunks, tokenizer_of(settings))
    print_result(
        options,
        lambda: diagnosis_json(findings, parsed, chunks),
        lambda: diagnosis_text(
            findings, documents=len(parsed.documents), chunks=len(chunks), unread=len(parsed.errors)
        ),
    )
    return 1 if parsed.errors else 0


def _cut(options: argparse.Namespace, parsed: Parsed, settings: Settings) -> list[Chunk]:
    embeds = strategy_of(options.strategy).embeds
    return chunk(
        parsed.documents,
        tokenizer_of(settings),
        strategy=options.strategy,
        embedder=embedder_of(connect(settings), settings) if embeds else None,
        size=options.size,
        overlap=options.overlap,
        unit=options.unit,
    )


def diagnosis_json(findings: Sequence[Finding], parsed: Parsed, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """Shape findings as `diagnose --json` prints them, worst first, with the number of each code."""
    return {
        "findings": [asdict(item) for item in findings],
        "summary": {code: count for code, count, _ in _counts(findings)},
        "documents": len(parsed.documents),
        "chunks": len(chunks),
        "errors": reports.failures_json(parsed.errors),
    }


def diagnosis_text(findings: Sequence[Finding], *, documents: int, chunks: int, unread: int = 0) -> str:
    r"""Sum findings up: a line a code, the worst first, then examples of each with their place.

    >>> print(diagnosis_text([], documents=1, chunks=2))
    1 document, 2 chunks: nothing found
    >>> print(diagnosis_text([], documents=1, chunks=2, unread=1))
    1 document, 2 chunks, 1 file that could not be read: nothing else found
    """
    read = f"{_number(documents, 'document')}, {_number(chunks, 'chunk')}"
    if unread:
        read += f", {_number(unread, 'file')} that could not be read"
    if not findings:
        return f"{read}: nothing {'else ' if unread else ''}found"
    worst = Counter(item.severity for item in findings)
    found = ", ".join(_number(worst[severity], severity) for severity in SEVERITIES if worst[severity])
    lines = [f"{read}: {found}", ""]
    counts = _counts(findings)
    for code, count, severity in counts:
        about = f"  {CODES[code][1]}" if code in CODES else ""
        lines.append(f"{severity:8}{count:6}  {code}{about}")
    left = 0
    for code, count, _ in counts:
        lines += ["", f"{code} ({count})"]
        of_code = [item for item in findings if item.code == code]
        for item in of_code[:EXAMPLES]:
            lines += [f"  {_place(item)}", f"    {item.message}"]
            lines += [f'    "{shown}"' for shown in item.excerpts]
        if more := count - len(of_code[:EXAMPLES]):
            lines.append(f"  … and {more} more")
            left += more
    if left:
        lines += ["", "--json shows every finding"]
    return for_terminal("\n".join(lines))


def _counts(findings: Iterable[Finding]) -> list[tuple[str, int, Severity]]:
    """Return each code with its number and its worst severity, the worst first."""
    found = list(findings)
    counts = Counter(item.code for item in found)
    worst: dict[str, Severity] = {}
    for item in sorted(found, key=lambda item: SEVERITIES.index(item.severity)):
        worst.setdefault(item.code, item.severity)
    rows = [(code, counts[code], severity) for code, severity in worst.items()]
    return sorted(rows, key=lambda row: (SEVERITIES.index(row[2]), -row[1], row[0]))


def _place(item: Finding) -> str:
    page = f", page {item.page}" if item.page is not None else ""
    others = f", and {_number(len(item.related), 'other place')}" if item.related else ""
    return f"{item.source_uri}{page}, characters {item.span[0]} to {item.span[1]}{others}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
