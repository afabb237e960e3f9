"""Parsers that behave badly, for the process that reads files: it imports them by their dotted names."""

import json
import os
import signal
import sys
import time

from rag_kit.errors import MissingModel, UnreadableDocument
from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.types import ParseFailure


def parse_oddly(content, *, source_uri, relative_path, notices=(), password=None, ocr="auto"):
    """Do what the file says, and tell in the document who read it and how."""
    word, _, rest = content.decode("utf-8", "surrogatepass").partition(" ")
    if word == "sleep":
        time.sleep(float(rest))
    if word == "greedy":
        list(bytearray(2**20 * int(rest)))
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "interrupt":
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(600)
    if word == "leave":
        os._exit(3)
    if word == "unread":
        raise UnreadableDocument(source_uri, "damaged", "the file is damaged")
    if word == "missing":
        raise MissingModel("the package nothing cannot be imported")
    if word == "fault":
        raise KeyError(password)
    if word == "alloc":
        raise RuntimeError("std::bad_alloc")
    if word == "print":
        sys.stdout.write("to stdout")
        sys.stdout.flush()
        os.write(1, b"to the pipe")
        sys.stderr.write("to stderr")
        rest = sys.stdin.read()
    if word == "whole":
        import rag_kit
        from rag_kit import Filters, chunk_fixed
        from rag_kit.parsing import parse

        rest = f"{Filters.__module__} {chunk_fixed.__module__} {parse is rag_kit.parse} {rag_kit.__version__}"
    if word == "several":
        return [one("a", "x"), ParseFailure(f"{source_uri}#2", "empty", "no text")]
    state = {
        "process": os.getpid(),
        "password": password,
        "ocr": ocr,
        "key": os.environ.get("OPENAI_API_KEY"),
    }
    return one(relative_path, f"{json.dumps(state)}\n\n{word} {rest}", source_uri, notices)


def one(name, text, source_uri="x", notices=()):
    return build_document(
        text,
        [Piece("paragraph", (0, len(text)), page=1, confidence=0.5, anchor="a")],
        FrontMatter(metadata={"nested": {"list": [1, "é"]}}),
        source_uri=source_uri,
        relative_path=name,
        notices=notices,
    )


def many_pages(content, password):
    return 12_000
