"""What a reranker that adds up signs saw in a few candidates: each sign times its weight, and the sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rag_kit.errors import InvalidValue
from rag_kit.retrieval.reranking import WeightedReranker
from rag_kit.retrieval.reranking.order import reorder
from rag_kit.teaching.table import show_table
from rag_kit.types import Evidence

if TYPE_CHECKING:
    from IPython.display import Markdown


def signs_table(
    reranker: WeightedReranker,
    question: str,
    candidates: Sequence[Evidence],
    chosen: Iterable[str],
    *,
    gold: Iterable[str] = (),
) -> Markdown:
    """Return a table of some candidates, best sum first: places before and after, the products, the sum.

    ``chosen`` are chunk ids, ``gold`` those that are marked as holding the gold quote. A sign says how far a
    candidate stands from the mean of all ``candidates``, so all are given. Raises InvalidValue for an id that
    is no candidate.
    """
    names = tuple(reranker.weights)
    products = reranker.signs(question, candidates, names) * np.array(list(reranker.weights.values()))
    sums = products.sum(axis=1)
    ranked = reorder(candidates, sums.tolist(), top_n=len(candidates))
    after = {item.chunk.chunk_id: item.rank for item in ranked}
    at = {item.chunk.chunk_id: place for place, item in enumerate(candidates)}
    wanted, marked = list(dict.fromkeys(chosen)), set(gold)
    if unknown := [chunk_id for chunk_id in wanted if chunk_id not in at]:
        raise InvalidValue(f"{unknown[0]!r} is not among the candidates: choose one that is")
    rows: list[list[object]] = []
    for chunk_id in sorted(wanted, key=after.__getitem__):
        item = candidates[at[chunk_id]]
        rows.append(
            [
                after[chunk_id],
                item.rank,
                last_heading(item),
                "yes" if chunk_id in marked else "",
                *(float(value) for value in products[at[chunk_id]]),
                float(sums[at[chunk_id]]),
            ]
        )
    columns = [f"{name} × {weight:g}" for name, weight in reranker.weights.items()]
    return show_table(["rank", "rank before", "section", "gold quote", *columns, "sum"], rows)


def last_heading(item: Evidence) -> str:
    """Return the heading that tells a passage from others of its document, or the document's title.

    >>> from rag_kit.testing import make_chunk, make_evidence
    >>> one = make_chunk("5.", title="Fees", heading_path=("2. Fees", "2.1 Cards"))
    >>> [last_heading(item) for item in make_evidence(one, make_chunk("6.", title="Fees"))]
    ['2.1 Cards', 'Fees']
    """
    return item.chunk.heading_path[-1] if item.chunk.heading_path else item.chunk.title
