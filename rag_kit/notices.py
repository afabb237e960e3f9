"""What a reader should know before trusting an answer: how files were read, and what the filters leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import cast

from rag_kit.access import Filters, Hidden
from rag_kit.conditions import Filterable, keys_of
from rag_kit.excerpts import one_line
from rag_kit.hidden import for_terminal
from rag_kit.types import Document, Notice

ROUTINE = frozenset(["running_lines"])
"""Codes of notices about what a parser does to every good document of its kind."""
RELATION = "supersedes"
"""Code of notices about what one document does to another, which may tell of that other."""
MOST_NOTICES = 5
MOST_KEYS = 12
"""Keys that are named where one is unknown."""
LONGEST_KEY = 40


def select_notices(document: Document, *, owner: bool = True) -> list[Notice]:
    """Return the notices of a document that may matter to an answer.

    Those about what one document does to another are for the owner: that there is no other document with an
    id, or that there is one, tells of documents that somebody else may not see.
    """
    left = ROUTINE if owner else ROUTINE | {RELATION}
    return [notice for notice in document.notices if notice.code not in left]


def notices_text(documents: Iterable[Document], *, owner: bool = True) -> list[str]:
    """Say in a line a notice what a reader should know; of many, the first and how many more there are.

    What is done with every good document of its kind is left to `parse --json` and `diagnose`. Without
    ``owner``, so are the notices about other documents (:func:`select_notices`).
    """
    lines = [
        " ".join(for_terminal(f"{document.source_uri}: {notice.message}").split())
        for document in documents
        for notice in select_notices(document, owner=owner)
    ]
    more = len(lines) - MOST_NOTICES
    return [*lines[:MOST_NOTICES], f"{more} more notices: parse --json shows all"] if more > 0 else lines


def left_out_text(filters: Filters, documents: Iterable[Filterable]) -> str:
    """Say how many documents the filters hide, and why; nothing where a reader need not know.

    A chunk may stand for its document. Superseded ones are left out as a rule: they count where nothing else
    is left.
    """
    hidden = Counter(filters.hides(document) for document in documents)
    why = {
        "not yet in force": f"not yet in force on {filters.as_of} (--as-of)",
        "access": "without a tag of yours (--as)",
        "where": "that --where does not admit",
    }
    if not hidden[None]:
        why["superseded"] = "superseded (--include-superseded shows them)"
    parts = [f"{count} {words}" for reason, words in why.items() if (count := hidden[cast(Hidden, reason)])]
    if not parts:
        return ""
    first, _, rest = parts[0].partition(" ")
    return ", ".join([f"left out: {first} document{'s' if first != '1' else ''} {rest}", *parts[1:]])


def unknown_keys_text(filters: Filters, items: Iterable[Filterable]) -> list[str]:
    """Say in a line a key of ``--where`` that no document or chunk has, and which keys there are.

    Only what whoever asks may see counts: how others are described is not told. Of many keys those most like
    the unknown one are named.

    >>> from rag_kit.testing import make_chunk
    >>> fees = make_chunk("The fee is 5.", title="Fees", metadata={"region": "EU"})
    >>> unknown_keys_text(Filters.owner(where=["regoin=EU", "region=UK"]), [fees])
    ["no document has 'regoin' (--where); there are: id, region, source, title"]
    """
    seen = [item for item in items if filters.hides(item) != "access"]
    unknown = dict.fromkeys(condition.key for condition in filters.where if not condition.is_known(seen))
    if not seen or not unknown:
        return []
    keys = keys_of(seen)
    return [
        f"no document has {one_line(key, LONGEST_KEY)!r} (--where); there are: {_named(keys, key)}"
        for key in unknown
    ]


def _named(keys: list[str], unknown: str) -> str:
    """Name the keys that there are, of many those most like the unknown one."""
    likest = sorted(keys, key=lambda key: -SequenceMatcher(None, unknown, key).ratio())[:MOST_KEYS]
    more = len(keys) - len(likest)
    names = ", ".join(one_line(key, LONGEST_KEY) for key in sorted(likest))
    return f"{names} and {more} more" if more else names
