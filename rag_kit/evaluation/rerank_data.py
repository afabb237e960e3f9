"""What the exercise of lesson 05 looks at, measured once on the sample documents and kept.

python -m rag_kit.evaluation.rerank_data lessons/data/rerank.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

from rag_kit import reports
from rag_kit.access import Filters
from rag_kit.evaluation.depths import measure_depths
from rag_kit.evaluation.questions import Question, read_questions
from rag_kit.files import write_whole
from rag_kit.llm import connect
from rag_kit.operations import Library, open_library
from rag_kit.retrieval.reranking import WeightedReranker
from rag_kit.settings import load_settings, sample_docs

AS_OF = date(2026, 11, 15)
TOP_K, CANDIDATES, BUDGET = 5, 50, 700
DEPTHS = (TOP_K, 10, 20, CANDIDATES)
Outcome = Literal["refused", "answered", "folded"]
KEPT: dict[Outcome, int] = {"refused": 9, "answered": 3, "folded": 3}
"""How many runs are kept of those that ended in a refusal, in an answer, and in which something was folded."""
HIT = ("rank", "chunk_id", "document_id", "span")
SEEN = (*HIT, "label", "fate", "shown", "folded_into", "folded_as")
CITED = ("label", "status", "chunk_id", "document_id", "quote", "span")
"""What a diagnosis needs of what the commands print; paths and scores of machines are left out."""


def collect(library: Library, questions: Sequence[Question]) -> dict[str, Any]:
    """Ask with a prompt so small that something has to give, older versions included, and measure all by depth.

    Of each outcome the first few runs are kept, in the order of the questions.
    """
    hybrid, reranking = library.using("hybrid"), library.using("hybrid+rerank")
    owner = Filters.owner(as_of=AS_OF)

    def filters_of(question: Question) -> Filters:
        tags = question.user_tags
        return owner if tags is None else Filters.for_tags(tags, as_of=AS_OF)

    every = Filters.owner(as_of=AS_OF, include_superseded=True)
    runs: list[dict[str, Any]] = []
    left = dict(KEPT)
    for question in [question for question in questions if question.evidence]:
        answer = reports.answer_json(
            reranking.ask(question.question, filters=every, top_k=TOP_K, budget=BUDGET)
        )
        if not left[outcome_of(answer)]:
            continue
        left[outcome_of(answer)] -= 1
        ask = {key: answer[key] for key in ("question", "answer", "refused", "refusal_reason")}
        ask["citations"] = [_part(citation, CITED) for citation in answer["citations"]]
        ask["evidence"] = [_part(hit, SEEN) for hit in answer["evidence"]]
        hits = hybrid.search(question.question, filters=every, top_k=CANDIDATES)
        search = {"hits": [_part(reports.hit_json(hit), HIT) for hit in hits]}
        gold = question.evidence[0]
        runs.append(
            {"search": search, "ask": ask, "gold": {"document_id": gold.document_id, "span": gold.span}}
        )
    depths = measure_depths(
        questions,
        hybrid.searcher,
        WeightedReranker(library.store.embedder),
        depths=DEPTHS,
        k=TOP_K,
        filters_of=filters_of,
    )
    rows = [{"candidates": row.candidates, "found": row.found, "kept": row.kept} for row in depths]
    return {"top_k": TOP_K, "depths": rows, "runs": runs}


def outcome_of(answer: dict[str, Any]) -> Outcome:
    """Say what came of a question, from the JSON of its answer; what was folded comes before the rest.

    >>> outcome_of({"refused": False, "evidence": [{"fate": "shown"}]})
    'answered'
    >>> outcome_of({"refused": True, "evidence": [{"fate": "shown"}, {"fate": "folded"}]})
    'folded'
    """
    if any(item["fate"] == "folded" for item in answer["evidence"]):
        return "folded"
    return "refused" if answer["refused"] else "answered"


def main(path: str) -> None:
    """Measure on the sample documents, offline, and write the file."""
    settings = load_settings(offline=True)
    library = open_library(sample_docs(), client=connect(settings), settings=settings)
    questions = read_questions(sample_docs() / "questions" / "benchmark.questions.jsonl", library.documents)
    held = json.dumps(collect(library, questions), ensure_ascii=False)
    # One run or depth a line, so that a change can be seen.
    lined = held.replace('{"search"', '\n{"search"').replace('{"candidates"', '\n{"candidates"')
    write_whole(Path(path), f"{lined}\n")


def _part(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


if __name__ == "__main__":
    main(sys.argv[1])
