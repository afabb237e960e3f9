"""PDF: pages to blocks in reading order, with headings, lists, code, tables, notes, links and form fields."""

from rag_kit.parsing.pdf.document import parse_pdf

__all__ = ["parse_pdf"]
