"""How many pages a PDF has, which says how long it may take to read."""

from __future__ import annotations


def count_pages(content: bytes, password: str | None) -> int:
    """Return the number of pages; 0 where the file cannot be opened, which its parser says better."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(content, password=password) as document:
            return len(document)
    except pypdfium2.PdfiumError:
        return 0
