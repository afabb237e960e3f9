"""The parser of the command line: one command a verb, and what is wrong in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from rag_kit.console import program_name
from rag_kit.errors import InvalidValue

Run = Callable[[argparse.Namespace], int]
Group = Callable[[argparse.ArgumentParser], None]
"""Adds options that belong together to a command."""


@dataclass(frozen=True, slots=True)
class Command:
    """What runs a verb, a line about it, its options, and what its help says at the end."""

    run: Run
    summary: str
    options: tuple[Group, ...]
    epilog: str = ""


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line, and takes options by their whole names alone."""

    def __init__(self, **about: Any) -> None:
        super().__init__(allow_abbrev=False, **about)
        self._words: list[str] = []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words; what is left over is refused here, where the command's options are known."""
        self._words = list(args or ())
        parsed, left = super().parse_known_args(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return parsed, left

    def error(self, message: str) -> NoReturn:
        unknown = self._unknown_options()
        if "required: question" in message or "required: query" in message:
            if unknown:
                message = (
                    f"{unknown[0]} is no option: a text that begins with a dash goes last, after two of them, as "
                    f'in {self.prog} --docs PATH -- "{unknown[0]}"'
                )
            else:
                # After `--docs A B "question"` the question was taken for one more path.
                message += ": put it first, in quotes, and --docs after it"
        elif message.startswith("unrecognized arguments"):
            like = get_close_matches(unknown[0], self._option_string_actions, 1) if unknown else []
            if like:
                message += f": did you mean {like[0]}?"
            elif not unknown:
                message += ": put a text of several words in quotes"
        raise InvalidValue(f"{message} (see {self.prog} --help)")

    def _unknown_options(self) -> list[str]:
        words = self._words[: self._words.index("--")] if "--" in self._words else self._words
        dashed = (word for word in words if word.startswith("-") and " " not in word)
        return [word for word in dashed if word.partition("=")[0] not in self._option_string_actions]


def make_parser(commands: Mapping[str, Command]) -> argparse.ArgumentParser:
    """Make the parser of all commands."""
    parser = _OneLineParser(prog=program_name(), description="Grounded answers from your own documents.")
    added = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_OneLineParser)
    for name, command in commands.items():
        about = command.summary
        made = added.add_parser(
            name, help=about, description=about.capitalize() + ".", epilog=command.epilog or None
        )
        made.set_defaults(run=command.run)
        made.add_argument("--offline", action="store_true", help="use no server, even if a key is set")
        for group in command.options:
            group(made)
    return parser
