"""The exceptions of the kit.

    RagKitError
    ├── InvalidValue            the call itself is wrong (exit status 2); also a ValueError
    │   ├── BudgetTooSmall      the prompt alone, or its smallest passage, is over the budget
    │   └── UnusableIndex       a saved index is damaged, of another format or of another embedder
    ├── UnreadableDocument      one file cannot be read; the batch goes on
    ├── MissingModel            a package, or a model or data file that one should carry, is not there
    ├── UnexpectedReply         a server answered, and not as OpenAI's API does
    ├── UnrecordedRequest       a recording is replayed, and this request is not in it
    └── EmptyCorpus             nothing to search: no document that could be read holds any text

A message is one line: it names the file or the value, and the mend.
"""

from __future__ import annotations

from collections.abc import Iterable


class RagKitError(Exception):
    """Base of all errors that the kit raises on purpose; ``exit_status`` is the command line's."""

    exit_status = 1


class InvalidValue(RagKitError, ValueError):
    """A parameter, an option or a question that cannot be used as given."""

    exit_status = 2

    @classmethod
    def unknown(cls, what: str, name: object, names: Iterable[str]) -> InvalidValue:
        """Make the error for a name that is none of those there are.

        >>> str(InvalidValue.unknown("route", "sql", ["keyword", "semantic", "hybrid"]))
        "unknown route 'sql'; choose 'keyword', 'semantic' or 'hybrid'"
        """
        *some, last = map(repr, names)
        choices = f"{', '.join(some)} or {last}" if some else last
        return cls(f"unknown {what} {name!r}; choose {choices}")


class BudgetTooSmall(InvalidValue):
    """The token budget cannot hold the prompt's own words and one passage."""


class UnusableIndex(InvalidValue):
    """A saved index that cannot be searched as it is; the message says what mends it."""


class UnreadableDocument(RagKitError):
    """One file that cannot be read. ``code`` is stable; the message is for people."""

    def __init__(self, source_uri: str, code: str, message: str) -> None:
        super().__init__(f"{source_uri}: {message}")
        self.source_uri = source_uri
        self.code = code
        self.message = message


class MissingModel(RagKitError):
    """A package, a model file, its tokenizer or the token ranks are missing or not what was pinned."""

    @classmethod
    def package(cls, name: str, error: ImportError) -> MissingModel:
        """Make the error for a package that cannot be imported, or what it imports itself."""
        return cls(
            f"the package {error.name or name} cannot be imported: "
            "run pip install -r requirements.txt -c constraints.txt"
        )


class UnexpectedReply(RagKitError):
    """A server answered, and what it said is not what OpenAI's API says."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"the server at {host} did not answer as OpenAI's API does: "
            "check OPENAI_BASE_URL (does it end in /v1?)"
        )


class UnrecordedRequest(RagKitError):
    """A recording is replayed, and this request is not in it; the message shows the nearest one that is."""


class EmptyCorpus(RagKitError):
    """No document that could be read holds any text."""

    exit_status = 2
