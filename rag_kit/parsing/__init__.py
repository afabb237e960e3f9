"""Parsing: files to documents whose blocks slice back to their text."""

from rag_kit.parsing.corpus import Parsed, parse
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.parsing.text import parse_text

__all__ = ["Parsed", "parse", "parse_markdown", "parse_text"]
