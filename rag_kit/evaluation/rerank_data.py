"""What the exercise of lesson 05 looks at, measured once on the sample documents and kept.

python -m rag_kit.evaluation.rerank_data lessons/data/rerank.json
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Literal

from rag_kit import reports
from rag_kit.access import Filters
from rag_kit.evaluation.depths import measure_depths
from rag_kit.evaluation.questions import Gold, Question, asker_of, first_half, read_questions
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
COPIED = ("sales/product-comparison-guide.md", "Comparison guide XX-1042")
"""A document that a colleague has saved once more, and the title of that copy."""
ASKED_OF_COPY = "bench-inform-24"
ASKED_OF_OLDER = (
    "What does the inspection of a meter out of warranty cost?",
    "meter-returns-2026-10",
    "For a meter out of warranty, the inspection fee is €85.",
)
"""A question, and what the older version said: whoever wants that is not served by the newer one."""
HIT = ("rank", "chunk_id", "document_id", "span")
SEEN = (*HIT, "label", "fate", "shown", "folded_into", "folded_as")
CITED = ("label", "status", "chunk_id", "document_id", "quote", "span")
"""What a diagnosis needs of what the commands print; paths and scores of machines are left out."""


def collect(library: Library, with_copy: Library, questions: Sequence[Question]) -> dict[str, Any]:
    """Ask with a prompt so small that something has to give, older versions included, and measure by depth.

    Of each outcome the first few runs are kept, in the order of the questions. Two more follow in which the
    very passage that is looked for is folded: into the copy that ``with_copy`` holds, and into a newer
    version. The depths are those of the tuning half, for a number of candidates is a setting.
    """
    runs: list[dict[str, Any]] = []
    left = dict(KEPT)
    asked = [question for question in questions if question.evidence]
    for question in asked:
        run = ask_both(library, question.question, question.evidence[0])
        if left[outcome_of(run["ask"])]:
            left[outcome_of(run["ask"])] -= 1
            runs.append(run)
    copied = next(question for question in asked if question.id == ASKED_OF_COPY)
    runs.append(ask_both(with_copy, copied.question, copied.evidence[0]))
    older, name, quote = ASKED_OF_OLDER
    at = library.document(name).text.index(quote)
    runs.append(ask_both(library, older, Gold(name, (at, at + len(quote)))))
    depths = measure_depths(
        [question for question in questions if first_half(question.id)],
        library.using("hybrid").searcher,
        WeightedReranker(library.store.embedder),
        depths=DEPTHS,
        k=TOP_K,
        filters_of=partial(asker_of, Filters.owner(as_of=AS_OF)),
    )
    rows = [{"candidates": row.candidates, "found": row.found, "kept": row.kept} for row in depths]
    return {"top_k": TOP_K, "depths": rows, "runs": runs}


def ask_both(library: Library, question: str, gold: Gold) -> dict[str, Any]:
    """Return what `search` and `ask` tell of a question, as far as a diagnosis needs it, and the gold."""
    every = Filters.owner(as_of=AS_OF, include_superseded=True)
    reranking, hybrid = library.using("hybrid+rerank"), library.using("hybrid")
    answer = reports.answer_json(reranking.ask(question, filters=every, top_k=TOP_K, budget=BUDGET))
    ask = {key: answer[key] for key in ("question", "answer", "refused", "refusal_reason")}
    ask["citations"] = [_part(citation, CITED) for citation in answer["citations"]]
    ask["evidence"] = [_part(hit, SEEN) for hit in answer["evidence"]]
    hits = hybrid.search(question, filters=every, top_k=CANDIDATES)
    search = {"hits": [_part(reports.hit_json(hit), HIT) for hit in hits]}
    return {"search": search, "ask": ask, "gold": {"document_id": gold.document_id, "span": gold.span}}


def copy_under_title(text: str, title: str) -> str:
    r"""Return a Markdown document as somebody saved it once more: another id and title, the same words.

    >>> copy_under_title("---\nid: fees\ntitle: Fees\n---\nThe fee is 5.", "What it costs")
    '---\nid: fees-copy\ntitle: What it costs\n---\nThe fee is 5.'
    """
    text = re.sub(r"^id: (.*)$", r"id: \1-copy", text, count=1, flags=re.M)
    return re.sub(r"^title: .*$", lambda _: f"title: {title}", text, count=1, flags=re.M)


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
    client = connect(settings)
    library = open_library(sample_docs(), client=client, settings=settings)
    questions = read_questions(sample_docs() / "questions" / "benchmark.questions.jsonl", library.documents)
    name, title = COPIED
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"copy-of-{Path(name).name}"
        original = (sample_docs() / name).read_text(encoding="utf-8")
        copy.write_text(copy_under_title(original, title), encoding="utf-8", newline="\n")
        with_copy = open_library([sample_docs(), folder], client=client, settings=settings)
    held = json.dumps(collect(library, with_copy, questions), ensure_ascii=False)
    # One run or depth a line, so that a change can be seen.
    lined = held.replace('{"search"', '\n{"search"').replace('{"candidates"', '\n{"candidates"')
    write_whole(Path(path), f"{lined}\n")


def _part(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


if __name__ == "__main__":
    main(sys.argv[1])
