"""Chunks that say the same, or nearly: they crowd each other out of the few places of a prompt.

Versions that another document supersedes are left out, since no search sees them beside the newer one; so
are chunks that share a stretch of one document, since they are meant to overlap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, Place, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Corpus
from rag_kit.shingles import FEWEST_RUNS, NEARLY, Groups, Shingler, Shingles, alike
from rag_kit.spans import overlap
from rag_kit.types import Chunk
from rag_kit.wording import all_words, is_number

ROWS = 4
_MOST_NAMED = 4


def check_copies(corpus: Corpus) -> Iterator[Finding]:
    """Find chunks with the same text, then those with nearly the same."""
    shingler = Shingler()
    same: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in corpus.searched:
        if chunk.superseded_at is None:
            same[" ".join(chunk.text.casefold().split())].append(chunk)
    first: list[Chunk] = []
    sets: list[Shingles] = []
    for copies in same.values():
        held = shingler(copies[0].text)
        if len(held) < FEWEST_RUNS:
            continue
        first.append(copies[0])
        sets.append(held)
        others = [copy for copy in copies[1:] if not _overlap(copies[0], copy)]
        if others:
            yield _found(
                "duplicate_chunk", copies[0], others, "keep one of them, or mark the older as superseded"
            )
    groups = Groups()
    shares: dict[int, float] = {}
    for one, two, share in alike(sets, NEARLY, rows=ROWS):
        if not _overlap(first[one], first[two]):
            groups.join(one, two)
            shares[two] = share
    for group in groups.all():
        yield _nearly([first[number] for number in group], max(shares.get(number, 0) for number in group))


def _nearly(chunks: list[Chunk], share: float) -> Finding:
    numbers = [{word for word in all_words(chunk.text) if is_number(word)} for chunk in chunks]
    odd = sorted(numbers[0].union(*numbers) - numbers[0].intersection(*numbers))
    about = f"{share:.0%} alike at most"
    if odd:
        differ = ", ".join(odd[:_MOST_NAMED]) + (" …" if len(odd) > _MOST_NAMED else "")
        mend = f"{about}, but not in their numbers ({differ}): see that each says what it is about"
    else:
        mend = f"{about}, and the same numbers: keep one of them"
    return _found("near_duplicate_chunk", chunks[0], chunks[1:], mend, hint=not odd)


def _found(code: str, chunk: Chunk, others: list[Chunk], mend: str, *, hint: bool = False) -> Finding:
    documents = len({item.document_id for item in (chunk, *others)})
    where = f"{documents} documents" if documents > 1 else "one document"
    what = "the same text" if code == "duplicate_chunk" else "nearly the same text"
    return finding(
        code,
        f"{len(others) + 1} chunks of {where} hold {what}: {mend}",
        chunk,
        chunk.span,
        severity="hint" if hint else None,
        page=chunk.page_at(chunk.span[0]),
        chunk_id=chunk.chunk_id,
        excerpts=tuple(excerpt(item.text, (0, len(item.text))) for item in (chunk, *others[:1])),
        related=tuple(Place(other.document_id, other.span, other.chunk_id) for other in others),
    )


def _overlap(one: Chunk, two: Chunk) -> bool:
    return one.document_id == two.document_id and overlap(one.span, two.span)
