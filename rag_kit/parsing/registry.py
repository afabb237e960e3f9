"""Which parser reads which files, by suffix. A new format is one function and one call of :func:`register`.

    def parse_log(text, *, source_uri, relative_path, notices=()):
        pieces = [Piece("paragraph", span) for span in spans_of_entries(text)]
        return build_document(
            text, pieces, FrontMatter(), source_uri=source_uri, relative_path=relative_path, notices=notices
        )

    register(".log", parse_log)

Whatever a parser makes has to pass tests/contracts/test_parsers.py: every span slices back to its text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from rag_kit.errors import InvalidValue
from rag_kit.parsing.html import parse_html
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.parsing.records import parse_json, parse_jsonl
from rag_kit.parsing.text import parse_text
from rag_kit.types import Document, Notice, ParseFailure

Result = Document | Iterable[Document | ParseFailure]


class Parser(Protocol):
    """Makes one document of a file's content, or several, with a failure for each part that cannot be read.

    Raises UnreadableDocument, and nothing else, where the whole file cannot be read.
    """

    def __call__(
        self, content: Any, /, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
    ) -> Result:
        """Parse a content; ``notices`` are what was found when it was decoded."""


@dataclass(frozen=True, slots=True)
class Format:
    """A parser, and whether it wants a file's bytes or its decoded text."""

    parser: Parser
    reads: Literal["text", "bytes"] = "text"


PARSERS: dict[str, Format] = {
    ".md": Format(parse_markdown),
    ".markdown": Format(parse_markdown),
    ".txt": Format(parse_text),
    ".text": Format(parse_text),
    ".html": Format(parse_html, reads="bytes"),
    ".htm": Format(parse_html, reads="bytes"),
    ".xhtml": Format(parse_html, reads="bytes"),
    ".json": Format(parse_json),
    ".jsonl": Format(parse_jsonl),
}


def register(suffix: str, parser: Parser, *, reads: Literal["text", "bytes"] = "text") -> None:
    """Let files with this suffix be read by this parser; a parser that was there is replaced."""
    if not suffix.startswith(".") or suffix != suffix.strip() or len(suffix) < 2:
        raise InvalidValue(f"suffix {suffix!r} is not one: write it with its dot, like '.log'")
    PARSERS[suffix.lower()] = Format(parser, reads)
