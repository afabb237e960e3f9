"""Parsing: files to documents whose blocks slice back to their text."""

from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.corpus import Parsed, parse
from rag_kit.parsing.html import parse_html
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.parsing.records import parse_json, parse_jsonl
from rag_kit.parsing.registry import PARSERS, Ocr, ReadOptions, register
from rag_kit.parsing.text import parse_text

__all__ = [
    "PARSERS",
    "Ocr",
    "Parsed",
    "Piece",
    "ReadOptions",
    "build_document",
    "parse",
    "parse_html",
    "parse_json",
    "parse_jsonl",
    "parse_markdown",
    "parse_text",
    "register",
]
