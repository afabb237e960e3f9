"""Opening a PDF: whatever is wrong with a file becomes one error that says what mends it."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pypdfium2 as pdfium
from pypdfium2 import raw

from rag_kit.errors import UnreadableDocument

# Viewers look for the signature in the first 1,024 bytes, and for the end mark in the last ones.
_LOOKED_AT = 1_024
_NOISY = ("pdfminer", "pdfplumber", "pypdfium2")


def open_pdf(content: bytes, source_uri: str, password: str | None = None) -> pdfium.PdfDocument:
    """Open a PDF, an encrypted one with the empty user password too.

    Raises UnreadableDocument, with the code ``empty``, ``password`` or ``pdf``.
    """
    if not content.strip():
        raise UnreadableDocument(source_uri, "empty", "holds no bytes: copy or download the file again")
    start = content[:_LOOKED_AT]
    if b"%PDF-" not in start:
        kind = "is HTML" if b"<html" in start.lower() or b"<!doctype" in start.lower() else "is no PDF"
        raise UnreadableDocument(
            source_uri,
            "pdf",
            f"{kind} although it is named .pdf: name it as what it is, or get the PDF itself",
        )
    try:
        opened = pdfium.PdfDocument(content, password=password or None)
    except pdfium.PdfiumError as error:
        raise _refused(error.err_code, source_uri, password) from None
    except Exception:
        raise _refused(None, source_uri, password) from None
    if not len(opened):
        opened.close()
        raise _refused(None, source_uri, password)
    return opened


def _refused(code: int | None, source_uri: str, password: str | None) -> UnreadableDocument:
    if code == raw.FPDF_ERR_PASSWORD:
        message = (
            "the password given does not open it: check --password"
            if password
            else "needs a password: pass --password or remove the protection"
        )
        return UnreadableDocument(source_uri, "password", message)
    if code == raw.FPDF_ERR_SECURITY:
        message = "is protected in a way that cannot be read: save it again without protection"
        return UnreadableDocument(source_uri, "password", message)
    return UnreadableDocument(
        source_uri, "pdf", "is damaged or cut short and cannot be opened: get the file again"
    )


def has_end(content: bytes) -> bool:
    r"""Return whether the end mark is there; a file that was cut short has none.

    >>> has_end(b"%PDF-1.4 startxref 9 %%EOF\n"), has_end(b"%PDF-1.4 stream")
    (True, False)
    """
    return b"%%EOF" in content[-_LOOKED_AT:]


def read_date(text: str | None) -> date | None:
    """Return the day of a PDF date.

    >>> read_date("D:20240131120000+01'00'"), read_date("yesterday")
    (datetime.date(2024, 1, 31), None)
    """
    digits = (text or "").removeprefix("D:")[:8]
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return None


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' warnings and log lines off the console while a file is read."""
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
