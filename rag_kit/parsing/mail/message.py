"""Mail: its headers, its body once, and what is attached: texts and tables as sections, the rest named."""

from __future__ import annotations

import email
import re
import warnings
from collections.abc import Callable
from email.message import Message
from pathlib import PurePosixPath

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.parsing.html import declared_encoding, parse_html
from rag_kit.parsing.mail.headers import header, is_mail, sent_at
from rag_kit.parsing.mail.parts import bytes_of, file_name, is_attached, parts_to_read, unflowed
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.parsing.office.separated import parse_csv
from rag_kit.parsing.text import parse_text
from rag_kit.parsing.writer import TextWriter
from rag_kit.types import Document, Notice

SHOWN = ("From", "To", "Cc", "Date")
DEEPEST = 20
"""Mails inside each other that are read."""

_OF_WHOLE = ("hidden_characters", "empty")
"""Notices that the whole mail gets for itself."""
_MARKED_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ATX = re.compile(r"(#{1,6})[ \t]")

Embedded = Callable[..., Document]


def _as_text(parser: Embedded) -> Embedded:
    def parse(content: bytes, *, source_uri: str, relative_path: str) -> Document:
        text, notices = decode(content, source_uri)
        return parser(text, source_uri=source_uri, relative_path=relative_path, notices=tuple(notices))

    return parse


# What is read of what is attached, by suffix.
_READ: dict[str, Embedded] = {
    ".txt": _as_text(parse_text),
    ".md": _as_text(parse_markdown),
    ".csv": parse_csv,
    ".tsv": parse_csv,
    ".html": parse_html,
    ".htm": parse_html,
}


def parse_eml(
    content: bytes, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    r"""Parse a mail into a document: its subject as the title, headers, body, and a section an attachment.

    Of a body that is there twice the plain text is read. Raises UnreadableDocument where this is no mail.

    >>> mail = b"From: Ada <ada@a.example>\nSubject: Fees\n\nThe fee is 5.\n"
    >>> print(parse_eml(mail, source_uri="a.eml", relative_path="a.eml").text)
    # Fees
    <BLANKLINE>
    From: Ada <ada@a.example>
    <BLANKLINE>
    The fee is 5.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Decoding uuencoded parts is deprecated in some Pythons.
            message = email.message_from_bytes(_unmarked(content))
            writer = _MailWriter(source_uri)
            if is_mail(message):
                writer.write(message, 1)
            sent = sent_at(message)
            subject = header(message, "Subject")
    except UnreadableDocument:
        raise
    except Exception:  # A broken mail raises a dozen kinds in the standard library.
        reason = "the mail is damaged: export it again as .eml"
        raise UnreadableDocument(source_uri, "damaged", reason) from None
    if not is_mail(message):
        reason = "this is no mail (it has none of the headers that mails have): export it as .eml"
        raise UnreadableDocument(source_uri, "not_mail", reason)
    return build_document(
        writer.out.text,
        writer.out.pieces,
        FrontMatter(
            title=subject or PurePosixPath(relative_path).stem, updated_at=sent.date() if sent else None
        ),
        source_uri=source_uri,
        relative_path=relative_path,
        notices=[*notices, *writer.notices],
    )


class _MailWriter:
    """Writes a mail into ``out``, and the mails and texts attached to it below."""

    def __init__(self, source_uri: str) -> None:
        self.out = TextWriter()
        self.notices: list[Notice] = []
        self._source_uri = source_uri

    def write(self, message: Message, level: int) -> None:
        """Write a mail whose subject is a heading of this level."""
        self.out.title(header(message, "Subject") or ("Mail" if level > 1 else ""), level)
        lines = [f"{name}: {text}" for name in SHOWN if (text := _shown(message, name))]
        self.out.paragraph("\n".join(lines))
        attached: list[tuple[str, Message]] = []
        for part in parts_to_read(message):
            name = file_name(part)
            if part.get_content_type() == "message/rfc822" or name or is_attached(part):
                attached.append((name, part))
            elif part.get_content_type() in ("text/plain", "text/html"):
                self._write_body(part, level)
            elif bytes_of(part):
                attached.append((f"a part of type {part.get_content_type()}", part))
        self._list_attached([(name, part) for name, part in attached if name])
        for name, part in attached:
            self._write_attached(name, part, level)

    def _write_body(self, part: Message, level: int) -> None:
        data = bytes_of(part)
        if part.get_content_type() == "text/html":
            charset = part.get_content_charset() or declared_encoding(data)
            text = self._text(data, charset)
            if text:
                self._embed(parse_html(text, source_uri=self._source_uri, relative_path="body"), level)
            return
        text = self._text(data, part.get_content_charset())
        if str(part.get_param("format") or "").lower() == "flowed":
            text = unflowed(text, delete_blank=str(part.get_param("delsp") or "").lower() == "yes")
        for block in re.split(r"\n[^\S\n]*\n\s*", text):
            self.out.paragraph("\n".join(line.rstrip() for line in block.split("\n")))

    def _text(self, data: bytes, charset: str | None) -> str:
        try:
            text, found = decode(data, self._source_uri, declared=charset)
        except UnreadableDocument as error:
            self.notices.append(Notice("part_not_read", f"a part of the mail was not read: {error.message}"))
            return ""
        self.notices.extend(found)
        return text

    def _list_attached(self, attached: list[tuple[str, Message]]) -> None:
        if attached:
            self.out.list([f"- Attached: {name} ({len(bytes_of(part)):,} bytes)" for name, part in attached])

    def _write_attached(self, name: str, part: Message, level: int) -> None:
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload()
            message = inner[0] if isinstance(inner, list) and inner else None
            if isinstance(message, Message) and level < DEEPEST:
                self.write(message, level + 1)
            elif isinstance(message, Message):
                deep = f"more than {DEEPEST} mails inside each other: save it as a file of its own"
                self.notices.append(Notice("attachment_not_read", f"an attached mail was not read: {deep}"))
            return
        kind = PurePosixPath(name.lower()).suffix
        kind = kind or {"text/csv": ".csv", "text/plain": ".txt"}.get(part.get_content_type(), "")
        reason = "save it beside the mail to have it read"
        if kind in _READ:
            try:
                document = _READ[kind](bytes_of(part), source_uri=self._source_uri, relative_path=name)
            except UnreadableDocument as error:
                reason = error.message
            else:
                self.out.title(name or "Attachment", level + 1)
                self._embed(document, level + 1)
                return
        self.notices.append(
            Notice("attachment_not_read", f"{name or 'an attachment'} was not read: {reason}")
        )

    def _embed(self, document: Document, level: int) -> None:
        """Write the blocks of another document below the heading in force."""
        self.notices.extend(notice for notice in document.notices if notice.code not in _OF_WHOLE)
        for block in document.blocks:
            if block.block_type == "title":
                match = _ATX.match(block.text)
                depth = len(match[1]) if match else 1 if block.text.rstrip().endswith("=") else 2
                self.out.title(block.heading_path[-1], level + depth)
            else:
                self.out.block(block.block_type, block.text)


def _shown(message: Message, name: str) -> str:
    sent = sent_at(message) if name == "Date" else None
    return sent.isoformat(" ", "minutes") if sent else header(message, name)


def _unmarked(content: bytes) -> bytes:
    """Return a mail that an editor saved with a mark, or as UTF-16, as the bytes that it was."""
    if content.startswith(_MARKED_UTF16):
        try:
            content = content.decode("utf-16").encode("utf-8")
        except UnicodeError:
            return content
    return content.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
