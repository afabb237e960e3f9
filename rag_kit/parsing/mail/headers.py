"""The headers of a mail as text: words in any encoding, dates in one form."""

from __future__ import annotations

import re
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.decoding import decode

_OF_MAIL = frozenset(
    [
        "from",
        "to",
        "cc",
        "subject",
        "date",
        "received",
        "message-id",
        "mime-version",
        "return-path",
        "reply-to",
    ]
)

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
"""Signs that no name or subject holds; encoded words can smuggle them in."""


def is_mail(message: Message) -> bool:
    """Tell whether a parsed file has any header that mails have."""
    return any(name.lower() in _OF_MAIL for name, _ in message.raw_items())


def header(message: Message, name: str) -> str:
    r"""Return a header's words in one line; "" where there is none.

    >>> import email
    >>> header(email.message_from_string("Subject: =?utf-8?q?Geb=C3=BChr?=\n =?utf-8?q?en?= 2026"), "Subject")
    'Gebühren 2026'
    """
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return words_of(str(raw))


def words_of(raw: str) -> str:
    """Decode the encoded words of a header or a file name, and bytes that say nothing of their encoding.

    >>> words_of("=?iso-8859-1?Q?Caf=E9?="), words_of("=?x-odd?B?bad")
    ('Café', '=?x-odd?B?bad')
    """
    try:
        parts = decode_header(re.sub(r"\r?\n(?=[ \t])|[\r\n]", "", raw))
    except (HeaderParseError, ValueError, LookupError):
        parts = [(raw, None)]
    words = "".join(_decoded(text, charset) for text, charset in parts)
    return " ".join(_CONTROLS.sub("", words).split())


def sent_at(message: Message) -> datetime | None:
    """Return when a mail says that it was sent."""
    try:
        return parsedate_to_datetime(header(message, "Date"))
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _decoded(text: bytes | str, charset: str | None) -> str:
    if isinstance(text, str):
        if text.isascii():
            return text
        text = text.encode("utf-8", "surrogateescape")
    try:
        return decode(text, "", declared=charset)[0]
    except UnreadableDocument:
        return text.decode("latin-1")  # A name in a header is too short to tell its encoding by.
