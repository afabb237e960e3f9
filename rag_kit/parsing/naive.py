"""What most first attempts do with a PDF: take its text as it comes, page after page. Kept to compare with."""

from __future__ import annotations

from collections.abc import Iterator

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.parsing.text import text_pieces
from rag_kit.types import Document, Notice


def parse_pdf_naively(
    content: bytes, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    """Parse a PDF into paragraphs in the order in which its file draws the words, and into nothing else.

    No columns, no tables, no headings; running headers stay where they fall, and a scan is empty. Raises
    UnreadableDocument where the file cannot be opened.
    """
    text, pieces = "", []
    for number, page in enumerate(naive_pages(content, source_uri), start=1):
        start = len(text)
        text += page + "\n\n"
        pieces += [Piece("paragraph", piece.span, page=number) for piece in text_pieces(text, start)]
    return build_document(
        text, pieces, FrontMatter(), source_uri=source_uri, relative_path=relative_path, notices=notices
    )


def naive_pages(content: bytes, source_uri: str) -> Iterator[str]:
    """Yield the text of each page as the file holds it."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(content) as document:
            for number in range(len(document)):
                text = document[number].get_textpage().get_text_range()
                yield text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    except pypdfium2.PdfiumError as error:
        raise UnreadableDocument(source_uri, "pdf", f"cannot be opened ({error}): check the file") from None
