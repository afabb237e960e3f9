"""HTML pages: what of a page is content, and writing it once as Markdown-like text."""

from rag_kit.parsing.html.page import declared_encoding, parse_html

__all__ = ["declared_encoding", "parse_html"]
