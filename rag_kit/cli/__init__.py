"""The command line: one thin command a verb, its options in groups, its result on stdout."""

from rag_kit.cli.main import main

__all__ = ["main"]
