"""What exercise 05 looks at is as it was measured: one value a question, and what each piece of evidence needs."""

import json
from collections import Counter
from pathlib import Path

from rag_kit.evaluation.questions import first_half
from rag_kit.evaluation.rerank_data import CANDIDATES, CITED, DEPTHS, HIT, KEPT, SEEN, outcome_of

ROOT = Path(__file__).resolve().parents[2]
HELD = json.loads((ROOT / "lessons" / "data" / "rerank.json").read_text(encoding="utf-8"))


def test_each_depth_has_a_value_for_each_question_of_the_tuning_half():
    path = ROOT / "sample_docs" / "questions" / "benchmark.questions.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    scored = sum(bool(row["evidence"]) and first_half(row["id"]) for row in rows)
    assert tuple(row["candidates"] for row in HELD["depths"]) == DEPTHS
    assert {len(row[kind]) for row in HELD["depths"] for kind in ("found", "kept")} == {scored}


def test_each_run_holds_what_a_diagnosis_needs_and_no_path():
    assert Counter(outcome_of(run["ask"]) for run in HELD["runs"][: sum(KEPT.values())]) == KEPT
    for run in HELD["runs"]:
        assert len(run["search"]["hits"]) == CANDIDATES
        assert {tuple(hit) for hit in run["search"]["hits"]} == {HIT}
        assert {tuple(hit) for hit in run["ask"]["evidence"]} == {SEEN}
        assert {tuple(citation) for citation in run["ask"]["citations"]} <= {CITED}


def test_in_the_last_two_runs_the_very_passage_that_is_looked_for_was_folded():
    copied, older = HELD["runs"][sum(KEPT.values()) :]
    for run, reason in ((copied, "same text"), (older, "older version")):
        name, (start, end) = run["gold"]["document_id"], run["gold"]["span"]
        (piece,) = (
            item
            for item in run["ask"]["evidence"]
            if item["document_id"] == name and item["span"][0] <= start and end <= item["span"][1]
        )
        assert (piece["fate"], piece["folded_as"]) == ("folded", reason)
        assert piece["folded_into"] in {citation["chunk_id"] for citation in run["ask"]["citations"]}
