"""Lesson 05, to be written: the stage that lost the evidence, told from the JSON of `search` and `ask`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rag_kit.teaching.grading.expect import expect_text
from rag_kit.teaching.grading.learner import LearnerFunction
from rag_kit.teaching.grading.registry import exercise

LOST = exercise("05.1", "where was it lost?", "where_lost", "search_json", "ask_json", "gold")
GOLD = {"document_id": "fees", "span": [100, 140]}
BEFORE, HOLDING, AFTER = ("fees#1", [0, 90]), ("fees#2", [90, 200]), ("fees#3", [200, 260])
OTHER = ("terms#1", [90, 200])
Place = tuple[str, list[int]]


def _hit(place: Place) -> dict[str, Any]:
    name, span = place
    return {"rank": 1, "chunk_id": name, "document_id": name.partition("#")[0], "span": span}


def _seen(
    place: Place,
    fate: str = "shown",
    *,
    spans: Sequence[list[int]] | None = None,
    into: str | None = None,
    folded_as: str | None = None,
) -> dict[str, Any]:
    """Return a piece of evidence as `ask --json` prints it; what is shown is shown whole unless told."""
    shown = fate == "shown"
    return {
        **_hit(place),
        "label": "[1]" if shown else None,
        "fate": fate,
        "shown": [list(span) for span in (spans or [place[1]])] if shown else [],
        "folded_into": into,
        "folded_as": folded_as,
    }


def _cites(place: Place, span: list[int] | None = None, status: str = "valid") -> dict[str, Any]:
    return {
        "label": "[1]",
        "status": status,
        "chunk_id": place[0] if status == "valid" else None,
        "document_id": place[0].partition("#")[0] if status == "valid" else None,
        "span": span,
    }


def _tells(
    fn: LearnerFunction,
    wanted: str,
    said: str,
    *,
    hits: Iterable[Place],
    evidence: Iterable[dict[str, Any]],
    citations: Iterable[dict[str, Any]] = (),
    refused: bool = False,
) -> None:
    search = {"hits": [{**_hit(place), "rank": rank} for rank, place in enumerate(hits, 1)]}
    ranked = [{**item, "rank": rank} for rank, item in enumerate(evidence, 1)]
    ask = {"refused": refused, "citations": list(citations), "evidence": ranked}
    expect_text(fn(search, ask, GOLD), wanted, f"where {said},")


@LOST.case(
    "what no search found was lost by recall",
    "Look through search_json['hits']: holds_all(hit['document_id'], hit['span'], gold) for each.",
    "If neither a hit nor a piece of evidence holds it whole, return 'recall'.",
)
def _recall(fn: LearnerFunction) -> None:
    _tells(fn, "recall", "no hit holds the quote", hits=[BEFORE, AFTER], evidence=[_seen(BEFORE)])
    said = "only another document has a passage at that place"
    _tells(fn, "recall", said, hits=[OTHER], evidence=[_seen(OTHER)])


@LOST.case(
    "what was a candidate and not taken was lost by the reranker",
    "A hit of the search holds it; does a piece of ask_json['evidence']?",
    "First list the evidence that holds the quote. If that list is empty, the hits decide between two words.",
)
def _rerank(fn: LearnerFunction) -> None:
    said = "a hit holds the quote and no evidence does"
    _tells(fn, "rerank", said, hits=[BEFORE, HOLDING], evidence=[_seen(BEFORE)])


@LOST.case(
    "what was taken and not shown was lost in the context",
    "Of the evidence that holds the quote, look at 'fate'.",
    "Anything but 'shown' did not reach the model: return 'context' if none of the pieces was shown.",
)
def _context(fn: LearnerFunction) -> None:
    for fate in ("dropped by the budget", "not sent"):
        _tells(
            fn,
            "context",
            f"the fate is {fate!r}",
            hits=[HOLDING],
            evidence=[_seen(BEFORE, "shown" if fate != "not sent" else fate), _seen(HOLDING, fate)],
            refused=fate == "not sent",
        )


@LOST.case(
    "what was shown and not cited was lost by generation",
    "The model saw it. Does a citation name the passage, by its chunk_id?",
    "No citation at all, or one of another passage: 'generation'.",
)
def _generation(fn: LearnerFunction) -> None:
    evidence = [_seen(BEFORE), _seen(HOLDING)]
    _tells(fn, "generation", "the answer was refused", hits=[HOLDING], evidence=evidence, refused=True)
    said = "another passage is cited"
    cited = [_cites(BEFORE, [10, 30])]
    _tells(fn, "generation", said, hits=[HOLDING], evidence=evidence, citations=cited)


@LOST.case(
    "what is cited was not lost",
    "A citation with the status 'valid' whose chunk_id is that of a passage in which the quote was seen.",
    "Where citation['span'] is None, the passage is enough.",
)
def _not_lost(fn: LearnerFunction) -> None:
    for span in ([100, 140], None):
        cited = [_cites(BEFORE, [10, 30]), _cites(HOLDING, span)]
        said = f"a citation of the passage has the span {span}"
        evidence = [_seen(BEFORE), _seen(HOLDING)]
        _tells(fn, "not lost", said, hits=[HOLDING], evidence=evidence, citations=cited)


@LOST.case(
    "compression can take the quote out of a passage that was shown",
    "What the model saw of a passage are the spans in piece['shown'], and not piece['span'].",
    "any(holds_all(piece['document_id'], span, gold) for span in piece['shown'])",
)
def _compressed(fn: LearnerFunction) -> None:
    cut = [_seen(HOLDING, spans=[[90, 99], [150, 200]])]
    said = "two spans of the passage are shown, and the quote stands between them"
    _tells(fn, "context", said, hits=[HOLDING], evidence=cut, citations=[_cites(HOLDING, [160, 180])])
    left = [_seen(HOLDING, spans=[[90, 142], [160, 200]])]
    said = "the first of two shown spans holds the quote"
    _tells(fn, "not lost", said, hits=[HOLDING], evidence=left, citations=[_cites(HOLDING, [100, 140])])


@LOST.case(
    "a copy was seen in the passage that it was folded into",
    "For a piece with fate 'folded' and folded_as 'same text', the passage that was seen is piece['folded_into'].",
    "Collect the chunk_ids in which the quote was seen, and compare the citations with these.",
)
def _folded(fn: LearnerFunction) -> None:
    copy = _seen(HOLDING, "folded", into=OTHER[0], folded_as="same text")
    said = "it was folded as the same text into a passage that was shown"
    cited = [_cites(OTHER, [100, 140])]
    _tells(fn, "not lost", said, hits=[HOLDING], evidence=[_seen(OTHER), copy], citations=cited)
    older = _seen(HOLDING, "folded", into=OTHER[0], folded_as="older version")
    said = "it was folded as an older version"
    _tells(fn, "context", said, hits=[HOLDING], evidence=[_seen(OTHER), older], citations=cited)


@LOST.case(
    "a copy of a passage that was not shown either was not seen",
    "piece['folded_into'] is only a name. Was the passage of that name shown?",
    "Collect the chunk_ids of all evidence with the fate 'shown' first, and look the name up among them.",
)
def _copy_of_dropped(fn: LearnerFunction) -> None:
    copy = _seen(HOLDING, "folded", into=OTHER[0], folded_as="same text")
    said = "the passage that it was folded into was dropped"
    evidence = [_seen(BEFORE), _seen(OTHER, "dropped by the budget"), copy]
    _tells(fn, "context", said, hits=[HOLDING], evidence=evidence, citations=[_cites(BEFORE)])


@LOST.case(
    "a citation of other words of the passage does not rest on the quote",
    "Compare citation['span'] with gold['span'], where both are of one document.",
    "Two spans share a letter when each begins before the other one ends.",
    "A span ends before its second number: [140, 160] begins where [100, 140] has ended, so use < and not <=.",
)
def _other_words(fn: LearnerFunction) -> None:
    for span in ([150, 180], [140, 160]):
        said = f"the quote is at {GOLD['span']} and the citation's span is {span}"
        cited = [_cites(HOLDING, span)]
        _tells(fn, "generation", said, hits=[HOLDING], evidence=[_seen(HOLDING)], citations=cited)
    said, cited = "a citation touches the quote", [_cites(HOLDING, [139, 170])]
    _tells(fn, "not lost", said, hits=[HOLDING], evidence=[_seen(HOLDING)], citations=cited)


@LOST.case(
    "a citation counts where its status is valid and the answer was given",
    "Two more things have to hold before you return 'not lost'.",
    "citation['status'] == 'valid', and not ask_json['refused'].",
)
def _counts(fn: LearnerFunction) -> None:
    evidence = [_seen(HOLDING)]
    cited = [{**_cites(HOLDING, [100, 140]), "status": "unknown_label"}]
    said = "the status of the only citation is 'unknown_label'"
    _tells(fn, "generation", said, hits=[HOLDING], evidence=evidence, citations=cited)
    said, cited = "the answer was refused after all", [_cites(HOLDING, [100, 140])]
    _tells(fn, "generation", said, hits=[HOLDING], evidence=evidence, citations=cited, refused=True)


@LOST.case("one of two passages with the quote is enough at every stage", hidden=True)
def _two(fn: LearnerFunction) -> None:
    wider = ("fees#9", [50, 150])
    dropped, shown = _seen(HOLDING, "dropped by the budget"), _seen(wider)
    cited = [_cites(wider, [100, 140])]
    said = "one of two passages with the quote was dropped"
    _tells(fn, "not lost", said, hits=[HOLDING], evidence=[dropped, shown], citations=cited)
    _tells(fn, "generation", said, hits=[HOLDING], evidence=[shown, dropped], citations=[_cites(BEFORE)])


@LOST.case("evidence that holds the quote is enough, where the search was not as deep", hidden=True)
def _shallow(fn: LearnerFunction) -> None:
    said = "no hit holds the quote, and a piece of evidence does"
    cited = [_cites(HOLDING)]
    _tells(fn, "not lost", said, hits=[], evidence=[_seen(HOLDING)], citations=cited)


@LOST.case("a passage that holds a part of the quote does not hold it", hidden=True)
def _part(fn: LearnerFunction) -> None:
    part, exact = ("fees#7", [90, 139]), ("fees#8", [100, 140])
    said = "the passage ends one letter before the quote does"
    _tells(fn, "recall", said, hits=[part], evidence=[_seen(part)], citations=[_cites(part, [100, 139])])
    said = "the passage is the quote"
    cited = [_cites(exact, [100, 140])]
    _tells(fn, "not lost", said, hits=[exact], evidence=[_seen(exact)], citations=cited)


@LOST.case("a citation that ends where the quote begins, or touches its first letter", hidden=True)
def _edges(fn: LearnerFunction) -> None:
    for span, wanted in (([90, 100], "generation"), ([90, 101], "not lost"), ([110, 112], "not lost")):
        said = f"the quote is at {GOLD['span']} and the citation's span is {span}"
        cited = [_cites(HOLDING, span)]
        _tells(fn, wanted, said, hits=[HOLDING], evidence=[_seen(HOLDING)], citations=cited)


@LOST.case("an unknown label cites nothing, and a second citation may still rest on the quote", hidden=True)
def _labels(fn: LearnerFunction) -> None:
    unknown, evidence = _cites(HOLDING, None, "unknown_label"), [_seen(HOLDING)]
    said = "the only label was never shown"
    _tells(fn, "generation", said, hits=[HOLDING], evidence=evidence, citations=[unknown])
    said, cited = "the first label was never shown, and the second is valid", [unknown, _cites(HOLDING)]
    _tells(fn, "not lost", said, hits=[HOLDING], evidence=evidence, citations=cited)
    copy = _seen(HOLDING, "folded", into=OTHER[0], folded_as="same text")
    said = "it was folded into a passage that was shown, and that one is not cited"
    cited = [_cites(BEFORE)]
    evidence = [_seen(BEFORE), _seen(OTHER), copy]
    _tells(fn, "generation", said, hits=[HOLDING], evidence=evidence, citations=cited)
