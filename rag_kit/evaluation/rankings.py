"""What two ways of searching find for labelled questions, kept in a file: fusing it again needs no model.

``python -m rag_kit.evaluation.rankings FILE`` writes the file that exercise 04 reads, from the sample documents.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Question, read_questions
from rag_kit.evaluation.relevance import holds
from rag_kit.files import write_whole
from rag_kit.operations.library import open_library
from rag_kit.protocols import Store
from rag_kit.retrieval.fusion import K, rrf_scores
from rag_kit.retrieval.hybrid import WAYS
from rag_kit.settings import load_settings, sample_docs

DEPTH = 50
AS_OF = date(2026, 11, 15)
QUESTIONS = "chunking.questions.jsonl"
DOCUMENTS = (
    "legal/larkspur-contract.md",
    "sales/price-list-2026.md",
    "sales/product-comparison-guide.md",
    "people/employee-handbook-2026.md",
    "products/xx-1024-pressure-transmitter-manual.md",
    "products/xx-2210-gateway-manual.md",
    "support/troubleshooting-playbook.md",
    "finance/invoicing-and-dunning-guideline.md",
)
"""Those that the questions are about."""


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """A question's lists of chunk ids, best first, and for each piece of its gold the chunks that hold it."""

    question_id: str
    lists: dict[str, tuple[str, ...]]
    golds: tuple[tuple[str, ...], ...]

    def fused(self, *, k: float = K, weights: Mapping[str, float] | None = None) -> list[str]:
        """Fuse the lists by RRF; equal scores go by the best rank, and then by id.

        >>> RankedQuestion("q", {"dense": ("A", "B", "C"), "bm25": ("D", "E", "C")}, ()).fused()
        ['C', 'A', 'D', 'B', 'E']
        """
        scores = rrf_scores(self.lists, k=k, weights=weights)
        best: dict[str, int] = {}
        for ids in self.lists.values():
            for rank, item in enumerate(ids, start=1):
                best[item] = min(rank, best.get(item, rank))
        return sorted(scores, key=lambda item: (-scores[item], best[item], item))

    def recall(self, ranked: Sequence[str], top_k: int) -> float:
        """Compute which share of the gold some chunk of the first ``top_k`` holds.

        >>> RankedQuestion("q", {}, (("A", "B"), ("C",))).recall(["B", "D", "C"], 2)
        0.5
        """
        shown = set(ranked[:top_k])
        return sum(bool(shown.intersection(gold)) for gold in self.golds) / len(self.golds)


def rank_questions(
    questions: Iterable[Question], store: Store, *, filters: Filters, depth: int = DEPTH
) -> list[RankedQuestion]:
    """Search for each question that has gold in both ways, and keep the ids of what is found."""
    rows = []
    for question in questions:
        if question.evidence:
            found = store.search(question.question, ways=WAYS, filters=filters, top_k=depth)
            lists = {way: tuple(item.chunk.chunk_id for item in found[way]) for way in WAYS}
            golds = tuple(
                tuple(chunk.chunk_id for chunk in store.chunks if holds(chunk, gold))
                for gold in question.evidence
            )
            rows.append(RankedQuestion(question.id, lists, golds))
    return rows


def save_rankings(rows: Iterable[RankedQuestion], path: str | Path) -> None:
    """Write rankings as JSON; each chunk id is written once, and meant by its number everywhere else."""
    numbers: dict[str, int] = {}

    def numbered(ids: Iterable[str]) -> list[int]:
        return [numbers.setdefault(name, len(numbers)) for name in ids]

    questions = [
        {
            "id": row.question_id,
            "golds": [numbered(gold) for gold in row.golds],
            "lists": {way: numbered(ids) for way, ids in row.lists.items()},
        }
        for row in rows
    ]
    lines = ",\n  ".join(json.dumps(question, separators=(",", ":")) for question in questions)
    chunks = json.dumps(list(numbers), separators=(",", ":"))
    write_whole(Path(path), f'{{\n "chunks": {chunks},\n "questions": [\n  {lines}\n ]\n}}\n')


def load_rankings(path: str | Path) -> list[RankedQuestion]:
    """Read saved rankings. Raises InvalidValue, naming the file, for one that is none."""
    try:
        held = json.loads(Path(path).read_text(encoding="utf-8"))
        names = held["chunks"]
        return [
            RankedQuestion(
                row["id"],
                {way: tuple(names[at] for at in numbers) for way, numbers in row["lists"].items()},
                tuple(tuple(names[at] for at in numbers) for numbers in row["golds"]),
            )
            for row in held["questions"]
        ]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidValue(
            f"{path}: no saved rankings ({type(error).__name__}): write it again with "
            "`python -m rag_kit.evaluation.rankings`"
        ) from None


def main() -> None:
    """Write the rankings of the sample documents to the file that is named."""
    parser = argparse.ArgumentParser(
        prog="rag_kit.evaluation.rankings", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("file", help="where to write, such as lessons/data/fusion.rankings.json")
    path = parser.parse_args().file
    folder = sample_docs()
    library = open_library([folder / name for name in DOCUMENTS], settings=load_settings(offline=True))
    questions = read_questions(folder / "questions" / QUESTIONS, library.documents)
    save_rankings(rank_questions(questions, library.store, filters=Filters.owner(as_of=AS_OF)), path)


if __name__ == "__main__":
    main()
