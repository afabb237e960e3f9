"""A minimal plan: what kind of question it is, what to search for, and which codes it names.

The offline planner is a few rules. A language model may write a plan too; all that it can do with ``filters``
is to narrow what the caller may see, never to widen it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Literal

from pydantic import BaseModel, ConfigDict

from rag_kit.access import Filters
from rag_kit.conditions import parse_where
from rag_kit.counts import check_count
from rag_kit.protocols import Retriever
from rag_kit.retrieval.codes import codes_in, is_code
from rag_kit.types import Evidence

Route = Literal["knowledge", "transaction_api", "no_retrieval"]

_SMALL_TALK = re.compile(
    # Nothing is given back (++), or "thank you" said thirty times, which reads in two ways each, never ends.
    r"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks?|thank you|cheers|bye|goodbye|welcome"
    r"|nice to meet you|how are you|who are you|what can you do|ok(?:ay)?|great|sorry|please|you|very|so|much"
    r"|a lot|there|again|all|everyone|doing|today|many|and|well done|never ?mind)[\s,.!?:;]*+)++",
    re.I,
)
_LIVE = re.compile(
    r"(?:please\s+)?(?:(?:where (?:is|are)|track|(?:what(?:'s| is) )?(?:the )?(?:current |delivery |payment )?"
    r"(?:status of|balance (?:of|on)))|cancel|change|place|pay|book)\s+(?:my|our)\b",
    re.I,
)
LONGEST_COMPARED = 500
"""Characters of a question in which a comparison is looked for: what is longer is a text, not two names."""
_ASKS = r"(?:what|how|when|where|which|who|why|is|are|was|were|do|does|did|can|could|may|should|will)\b"
_MORE = (
    r"more|most|less|least|fewer|fewest|better|best|worse|worst"
    r"|(?:high|low|long|short|cheap|dear|costl|fast|slow|quick|larg|small|bigg|old|new|earl|lat|soon|strong|weak"
    r"|heav|light|wid|narrow|deep|hott|cold|warm|hard|eas|saf|simpl|tall|thick|thinn|broad|nois|quiet|clos|near)"
    r"i?e(?:r|st)"
)
_GOES_ON = (
    r"and|apart|as|at|because|besides|by|during|either|except|excluding|for|from|given|if|in|including|like|not|on"
    r"|once|or|per|regardless|since|so|such|than|that|though|to|unless|until|when|whether|which|while|who|with"
    r"|without"
)
"""What begins a part of a sentence, and no name of a thing."""
_COMPARED = (
    # Told to compare, and not "how does it compare to the others".
    re.compile(
        r"(?:^|\b(?:please|you|to|and|i|we|me)\s+)(?:compare|contrast)\s+(?!to\b|with\b)(?P<a>.+?)"
        r"\s+(?:and|with|to|against|versus|vs\.?)\s+(?P<b>.+)",
        re.I,
    ),
    re.compile(rf"\bdifferences?\s+between\s+(?!{_ASKS})(?P<a>.+?)\s+and\s+(?P<b>.+)", re.I),
    re.compile(
        r"\bhow\s+(?:does|do)\s+(?!(?:its|their|it|they|this|that)\b)(?P<a>.+?)"
        r"\s+(?:differ\s+from|compare\s+(?:to|with))\s+(?P<b>.+)",
        re.I,
    ),
    # Which costs more, the one or the other? Without a word such as "more" it is no comparison, but a list.
    re.compile(
        rf"^(?:which|what|who)\b(?=[^,;:]*\b(?:{_MORE})\b)(?P<asked>\s[^,;:]+)[,;:]\s+(?!(?:{_GOES_ON})\b)"
        r"(?P<a>[^,]+?)\s+or\s+(?P<b>[^,]+)$",
        re.I,
    ),
    # Two names, or a phrase; a whole question with "versus" in it would fall to pieces.
    re.compile(rf"^(?!{_ASKS})(?P<a>.+?)\s+(?:versus|vs\.?)\s+(?P<b>.+)", re.I),
)
_SENTENCE_END = re.compile(r"(?<=[.?!])(?<!\bvs\.)\s", re.I)
_JOINT = r"of|for|in|on|under|from|with|at"
_STAND_IN = re.compile(rf"(?:the one|one|ones|that|those)\s+(?:{_JOINT})\s+", re.I)
_BEFORE = re.compile(rf"(.+?\s(?:{_JOINT})\s)(.+)", re.I | re.S)
_AFTER = re.compile(
    r".+?(\s(?:in|on|for|when|with (?:regard|respect) to|regarding|concerning|as to)\s.+)", re.I | re.S
)
_POLITE = re.compile(r",? please\Z", re.I)
_ARTICLE = re.compile(r"\Athe\s+", re.I)
_FIRST = re.compile(r"((?:the\s+)?\S+)(\s.+)", re.I | re.S)
_LAST = re.compile(r"(.+\s)((?:the\s+)?\S+)", re.I | re.S)


class RetrievalPlan(BaseModel):
    """What to do for a question. ``question`` is as it was asked; ``queries`` are what is searched for.

    ``filters`` are conditions such as ``region=EU``, added to the caller's own.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    route: Route = "knowledge"
    queries: tuple[str, ...] = ()
    keyword_terms: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()


def make_plan(question: str) -> RetrievalPlan:
    """Plan a question by rules; the same question, the same plan.

    >>> make_plan("Compare the warranty of the XX-1042 and the XX-2210.").queries
    ('the warranty of the XX-1042', 'the warranty of the XX-2210')
    >>> make_plan("Thanks a lot!").route, make_plan("Where is my order 4711?").route
    ('no_retrieval', 'transaction_api')
    """
    asked = question.strip()
    if not asked or _SMALL_TALK.fullmatch(asked):
        return RetrievalPlan(question=question, route="no_retrieval")
    return RetrievalPlan(
        question=question,
        route="transaction_api" if _LIVE.match(asked) else "knowledge",
        queries=compared(asked) or (asked,),
        keyword_terms=codes_in(asked),
    )


def compared(question: str) -> tuple[str, ...]:
    """Return one query for each of two things that a question compares, or nothing.

    What is said of one of them alone counts for both: the words before it, or after it. A question of more
    than 500 characters is searched for as it stands.

    >>> compared("What is the difference between plan Oslo and plan Rome in notice period?")
    ('plan Oslo in notice period', 'plan Rome in notice period')
    >>> compared("What is the notice period?")
    ()
    """
    asked = " ".join(question.split())
    sentences = _SENTENCE_END.split(asked) if len(asked) <= LONGEST_COMPARED else ()
    for sentence, pattern in product(sentences, _COMPARED):
        if match := pattern.search(_POLITE.sub("", sentence.rstrip("?.! "))):
            one, two = match["a"].strip(" ,"), match["b"].strip(" ,")
            two = _STAND_IN.sub("", two, count=1) if _STAND_IN.match(two) else two
            if two.isdecimal() and re.search(r"\d", one):
                two = re.sub(r"\d+(?=\D*$)", two, one)  # "costs in 2026 and 2027"
            elif (before := _BEFORE.fullmatch(one)) and not _BEFORE.fullmatch(two):
                two = before[1] + two
            elif (after := _AFTER.fullmatch(two)) and not _AFTER.fullmatch(one):
                one += after[1]
            elif is_code(one) and (named := _FIRST.fullmatch(two)) and is_code(named[1]):
                one += named[2]  # "PX-44 and PX-440 flow rate"
            elif is_code(two) and not is_code(one) and (named := _LAST.fullmatch(one)) and is_code(named[2]):
                two = named[1] + _ARTICLE.sub("", two)
            asked_of_both = match.groupdict().get("asked") or ""
            return one + asked_of_both, two + asked_of_both
    return ()


class PlannedRetriever:
    """Plans each question, and searches for what the plan says.

    Small talk finds nothing. A question about live state (``transaction_api``) is still searched for: no
    system of record is connected here, and a document may say where to look.

    Of several queries, the question as it was asked says the order: it names all that is wanted, a part of it
    does not. What is closest to each part has a place beside it, the last ones if need be, so that neither
    side of a comparison is missing, and a part that makes no sense by itself costs one place.
    """

    def __init__(self, retriever: Retriever, planner: Callable[[str], RetrievalPlan] = make_plan) -> None:
        self.retriever = retriever
        self.plan = planner

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the best ``top_k`` for all the plan's queries; nothing where it needs no retrieval."""
        check_count("top_k", top_k)
        plan = self.plan(query)
        if plan.route == "no_retrieval":
            return []
        narrowed = replace(filters, where=(*filters.where, *map(parse_where, plan.filters)))
        if len(plan.queries) == 1:
            return self.retriever.search(plan.queries[0], filters=narrowed, top_k=top_k)
        found = self.retriever.search(query, filters=narrowed, top_k=top_k)
        best = [self.retriever.search(part, filters=narrowed, top_k=1) for part in plan.queries]
        return _with_a_place(found, [item for items in best for item in items], top_k)


def _with_a_place(found: list[Evidence], wanted: list[Evidence], top_k: int) -> list[Evidence]:
    """Keep what is wanted among ``top_k`` places, at their end where it was not found; the first place stays."""
    by_id = {item.chunk.chunk_id: item for item in wanted}
    held = {item.chunk.chunk_id for item in found}
    missing = [item for chunk_id, item in by_id.items() if chunk_id not in held]
    spare = [item.chunk.chunk_id for item in found[1:] if item.chunk.chunk_id not in by_id]
    too_many = max(len(found) + len(missing) - top_k, 0)
    out = set(spare[max(len(spare) - too_many, 0) :])
    kept = [item for item in found if item.chunk.chunk_id not in out]
    # Scores of two queries do not compare: what is added counts no more than what it stands behind.
    lowest = kept[-1].score if kept else math.inf
    added = [replace(item, score=min(item.score, lowest)) for item in missing]
    added.sort(key=lambda item: -item.score)
    return [replace(item, rank=rank) for rank, item in enumerate([*kept, *added][:top_k], start=1)]
