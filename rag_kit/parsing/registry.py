"""Which parser reads which files, by suffix. A new format is one function and one call of :func:`register`.

    def parse_log(text, *, source_uri, relative_path, notices=()):
        pieces = [Piece("paragraph", span) for span in spans_of_entries(text)]
        return build_document(
            text, pieces, FrontMatter(), source_uri=source_uri, relative_path=relative_path, notices=notices
        )

    register(".log", parse_log)

A parser that leans on a heavy library is named instead, ``"package.module:function"``, and imported at its
first file. Whatever a parser makes has to pass tests/contracts/test_parsers.py: every span slices back to
its text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from rag_kit.errors import InvalidValue
from rag_kit.parsing.dotted import resolve
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.parsing.records import parse_json, parse_jsonl
from rag_kit.parsing.text import parse_text
from rag_kit.types import Document, Notice, ParseFailure

Result = Document | Iterable[Document | ParseFailure]
Ocr = Literal["auto", "off"]
OptionName = Literal["password", "ocr"]


class Parser(Protocol):
    """Makes one document of a file's content, or several, with a failure for each part that cannot be read.

    Raises UnreadableDocument, and nothing else, where the whole file cannot be read. A format's ``options``
    are passed on by name.
    """

    def __call__(
        self,
        content: Any,
        /,
        *,
        source_uri: str,
        relative_path: str,
        notices: tuple[Notice, ...] = (),
        **options: Any,
    ) -> Result:
        """Parse a content; ``notices`` are what was found when it was decoded."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are read: the password of locked ones, and whether pictures of text are recognised.

    >>> ReadOptions("secret")
    ReadOptions(ocr='auto')
    """

    password: str | None = field(default=None, repr=False)
    ocr: Ocr = "auto"

    def __post_init__(self) -> None:
        if self.ocr not in get_args(Ocr):
            raise InvalidValue(f"ocr {self.ocr!r} is not one: choose {' or '.join(get_args(Ocr))}")


@dataclass(frozen=True, slots=True)
class Format:
    """A parser or its dotted name, and how it is run.

    ``reads`` says whether it wants a file's bytes or its decoded text, ``options`` which fields of
    ReadOptions it takes. A ``limited`` one runs in a process of its own, so that no file can take all time
    or memory, and what it made is remembered; with ``limited_from`` files of so many bytes or more do.
    ``pages`` names a function of content and password that counts a file's pages: each gives it more time.
    """

    named: Any
    reads: Literal["text", "bytes"] = "text"
    limited: bool = False
    options: tuple[OptionName, ...] = ()
    pages: str | None = None
    limited_from: int | None = None

    def is_limited(self, size: int) -> bool:
        """Tell whether a file of ``size`` bytes is read under a limit.

        >>> Format("p:f", limited_from=9).is_limited(9), Format("p:f", limited=True).is_limited(0)
        (True, True)
        """
        return self.limited or (self.limited_from is not None and size >= self.limited_from)

    @property
    def parser(self) -> Any:
        """Return the parser; raises MissingModel where what it needs is not installed."""
        return resolve(self.named) if isinstance(self.named, str) else self.named

    def taken(self, options: ReadOptions) -> dict[str, str | None]:
        """Return the options that the parser takes, by name.

        >>> Format(print, options=("ocr",)).taken(ReadOptions("secret", "off"))
        {'ocr': 'off'}
        """
        return {name: getattr(options, name) for name in self.options}


# The time for a page can grow with the square of its size, where its elements stand in each other without end.
_HTML = Format("rag_kit.parsing.html:parse_html", reads="bytes", limited_from=100_000)
_PDF = Format(
    "rag_kit.parsing.pdf:parse_pdf",
    reads="bytes",
    limited=True,
    options=("password", "ocr"),
    pages="rag_kit.parsing.pdf.page_count:count_pages",
)
PARSERS: dict[str, Format] = {
    ".md": Format(parse_markdown),
    ".markdown": Format(parse_markdown),
    ".txt": Format(parse_text),
    ".text": Format(parse_text),
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".json": Format(parse_json),
    ".jsonl": Format(parse_jsonl),
    ".pdf": _PDF,
    ".docx": Format("rag_kit.parsing.office:parse_docx", reads="bytes", limited=True),
    ".xlsx": Format("rag_kit.parsing.office:parse_xlsx", reads="bytes", limited=True),
    ".csv": Format("rag_kit.parsing.office:parse_csv", reads="bytes"),
    ".tsv": Format("rag_kit.parsing.office:parse_csv", reads="bytes"),
    ".eml": Format("rag_kit.parsing.mail:parse_eml", reads="bytes"),
}


def register(
    suffix: str,
    parser: Parser | str,
    *,
    reads: Literal["text", "bytes"] = "text",
    limited: bool = False,
    options: Iterable[OptionName] = (),
) -> None:
    """Let files with this suffix be read by this parser; a parser that was there is replaced.

    ``parser`` is a function, or its dotted name, ``"package.module:function"``. A ``limited`` one has to be
    a function that another process can import.
    """
    if not suffix.startswith(".") or suffix != suffix.strip() or len(suffix) < 2:
        raise InvalidValue(f"suffix {suffix!r} is not one: write it with its dot, like '.log'")
    if isinstance(parser, str) and not all(parser.partition(":")):
        raise InvalidValue(f"parser {parser!r} is no dotted name: write it like 'package.module:function'")
    known = get_args(OptionName)
    options = tuple(options)
    if unknown := [name for name in options if name not in known]:
        raise InvalidValue(f"unknown option {unknown[0]!r}; choose {' or '.join(known)}")
    named = _dotted(parser) if limited and not isinstance(parser, str) else parser
    PARSERS[suffix.lower()] = Format(named, reads, limited, options)


def _dotted(parser: Any) -> str:
    module, name = getattr(parser, "__module__", None), getattr(parser, "__qualname__", "")
    if module in (None, "__main__") or "<" in name or "." in name:
        raise InvalidValue("a limited parser runs in another process: define it in a module of its own")
    return f"{module}:{name}"
