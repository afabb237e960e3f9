"""Documents that look like versions of one, and nothing says which of them holds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from rag_kit.chunking.diagnostics.findings import Finding, Place, finding
from rag_kit.chunking.diagnostics.layout import Corpus
from rag_kit.shingles import Groups, Shingler, alike
from rag_kit.types import Document
from rag_kit.wording import content_words, one_form

MOSTLY = 0.5
"""Share of three-word runs in common from which two texts are mostly the same."""
ROWS = 2
FEWEST_RUNS = 20
SAME_WORDS = 0.3
"""Share of words in common from which documents of one name are more than a series of reports."""
_VERSION = re.compile(
    r"(?<![^\W_])(?:(?:19|20)\d\d(?:[-_./ ]?(?:0[1-9]|1[0-2])(?:[-_./ ]?[0-3]\d)?)?"
    r"|v(?:er(?:sion)?)?[-_. ]{0,2}\d{1,4}(?:\.\d{1,4})*|\d{1,3}(?:\.\d{1,3})+"
    r"|rev(?:ision)?[-_. ]{0,2}[a-z\d]{1,3}|q[1-4]|final|draft|old|new|copy|\(\d\))(?![^\W_])",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{2,}|\d+")


def check_versions(corpus: Corpus) -> Iterator[Finding]:
    """Find documents with mostly the same text, or one name with another year or version, and no link."""
    documents = [layout.document for layout in corpus.layouts if layout.document.blocks]
    linked = _linked(documents)
    shingler = Shingler()
    sets = [shingler(_body(document)) for document in documents]
    sets = [held if len(held) >= FEWEST_RUNS else held[:0] for held in sets]
    texts, shares = Groups(), dict[int, float]()
    for one, two, share in alike(sets, MOSTLY, rows=ROWS):
        texts.join(one, two)
        shares[one] = shares[two] = max(share, shares.get(two, 0))
    told: set[int] = set()
    for group in texts.all():
        if apart := _apart(group, linked):
            told.update(group)
            share = max(shares[number] for number in group)
            yield _found([documents[n] for n in apart], f"{share:.0%} of the text in common")
    for group in _of_one_name(documents):
        apart = _apart(group, linked)
        if apart and not told.issuperset(group):
            some = [documents[number] for number in apart]
            yield _found(some, "one name and another year or version", hint=not _share_words(some))


def _found(documents: list[Document], why: str, *, hint: bool = False) -> Finding:
    first, *others = documents
    names = " and ".join(document.document_id for document in documents[:2])
    more = f" and {len(documents) - 2} more" if len(documents) > 2 else ""
    return finding(
        "versions_of_one_document",
        f"{names}{more} look like versions of one document ({why}): write `supersedes: ID` and updated_at "
        "into the newer one, or take the older out",
        first,
        first.blocks[0].span,
        severity="hint" if hint else None,
        page=first.blocks[0].page,
        excerpts=tuple(document.title for document in documents[:2]),
        related=tuple(Place(other.document_id) for other in others),
    )


def _linked(documents: list[Document]) -> list[int]:
    """Return a number a document: those that supersede or amend each other have the same one."""
    numbers = {one_form(document.document_id): number for number, document in enumerate(documents)}
    groups = Groups()
    for number, document in enumerate(documents):
        for field in ("supersedes", "amends"):
            named = document.metadata.get(field)
            for other in named if isinstance(named, (list, tuple)) else [named]:
                if other and (found := numbers.get(one_form(str(other)))) is not None:
                    groups.join(number, found)
    return [groups.of(number) for number in range(len(documents))]


def _apart(group: list[int], linked: list[int]) -> list[int]:
    """Return one member of each linked part of a group; nothing where all are linked."""
    parts: dict[int, int] = {}
    for number in group:
        parts.setdefault(linked[number], number)
    return list(parts.values()) if len(parts) > 1 else []


def _of_one_name(documents: list[Document]) -> list[list[int]]:
    """Return groups of documents whose title or file name differs in a year or version alone."""
    names: dict[str, dict[str, int]] = defaultdict(dict)
    for number, document in enumerate(documents):
        for name in (document.title, PurePosixPath(document.source_uri).stem):
            rest = " ".join(_WORD.findall(_VERSION.sub(" ", name).casefold()))
            marks = " ".join(_VERSION.findall(name)).casefold()
            if re.search(r"[^\W\d_]{4}", rest):
                names[rest].setdefault(marks, number)
    groups = {tuple(sorted(set(found.values()))) for found in names.values() if len(found) > 1}
    return [list(group) for group in sorted(groups) if len(group) > 1]


def _share_words(documents: list[Document]) -> bool:
    one, two = (set(content_words(_body(document))) for document in documents[:2])
    return len(one & two) >= SAME_WORDS * len(one | two)


def _body(document: Document) -> str:
    return document.text[document.blocks[0].span[0] :]
