"""At which stage the evidence for an answer was lost: the first thing to know of a wrong answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rag_kit.access import Filters
from rag_kit.errors import BudgetTooSmall, InvalidValue
from rag_kit.evaluation.golds import Found, place_quote
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.evaluation.stages import STAGES, MissReport, Part, Searched
from rag_kit.excerpts import one_line
from rag_kit.generation.ask import DEFAULT_TOP_K, close_enough
from rag_kit.generation.context import DEFAULT_BUDGET, assemble_context
from rag_kit.spans import overlap, share
from rag_kit.types import Answer, Chunk, Evidence, Span

CANDIDATES = 50
_SHOWN = 3
_LONGEST = 80


def explain_miss(
    question: str | Question,
    gold_quote: str | None,
    library: Searched,
    *,
    filters: Filters,
    document_id: str | None = None,
    top_k: int = DEFAULT_TOP_K,
    budget: int = DEFAULT_BUDGET,
    candidates: int = CANDIDATES,
    answer: Answer | None = None,
) -> MissReport:
    """Say at which stage the words that answer a question were lost on their way to the answer.

    ``gold_quote`` is those words; without it, the evidence that a :class:`Question` names is followed, and of
    several pieces the one that got furthest. ``document_id`` says which document it is in, where several
    could be. With ``answer``, what came of an earlier call is explained; else the question is asked again,
    and a model is called only where the evidence reaches the prompt. Raises InvalidValue for an empty quote,
    an id that no document has, and counts below 1.
    """
    if min(top_k, candidates) < 1:
        raise InvalidValue(f"top_k {top_k} and candidates {candidates}: choose 1 or more of each")
    asked = question.question if isinstance(question, Question) else question
    if gold_quote is not None:
        golds = place_quote(gold_quote, library, document_id)
    else:
        named = question.evidence if isinstance(question, Question) else ()
        golds = [(gold, Found("same", gold.span, 1.0)) for gold in named]
    if not golds:
        return MissReport(None, "the question names no evidence: there is nothing to follow")
    walk = _Walk(asked, library, filters, top_k, budget, max(candidates, top_k), answer)
    reports = [walk.follow(gold, found) for gold, found in golds]
    return max(reports, key=lambda report: STAGES.index(report.stage) if report.stage else -1)


@dataclass
class _Walk:
    """One question on its way through the stages; each search and call is made once, and only if needed."""

    question: str
    library: Searched
    filters: Filters
    top_k: int
    budget: int
    candidates: int
    answer: Answer | None
    rankings: dict[int, list[Evidence]] = field(default_factory=dict)

    def follow(self, gold: Gold, found: Found) -> MissReport:
        report = MissReport("used", "", gold.document_id, found.span)
        if found.likeness != "same" or gold.document_id not in self._documents():
            return self._not_parsed(report, gold, found)
        text = self._documents()[gold.document_id]
        report = replace(report, found=text[slice(*found.span)] if found.span and text else "")
        # Without a span, any chunk of the document will do.
        mine = [chunk for chunk in self.library.passages if chunk.document_id == gold.document_id]
        held = [(chunk, share(found.span, chunk.span) if found.span else 1.0) for chunk in mine]
        held = [(chunk, part) for chunk, part in held if part > 0]
        held.sort(key=lambda pair: (-pair[1], pair[0].span))
        report = replace(report, parts=tuple(Part(chunk.chunk_id, part) for chunk, part in held))
        holding = [chunk for chunk, part in held if part == 1.0]
        if not holding:
            return self._cut(report, held)
        seen = [chunk for chunk in holding if self.filters.admits(chunk)]
        if not seen:
            why = self.filters.hides(holding[0])
            reason = (
                f"{gold.document_id} is not searched ({why}): look at --as, --as-of, --where and supersedes"
            )
            return replace(report, stage="hidden by the filters", message=reason)
        return self._search(report, {chunk.chunk_id for chunk in seen})

    def _documents(self) -> dict[str, str]:
        if self.library.documents:
            return {document.document_id: document.text for document in self.library.documents}
        return {chunk.document_id: "" for chunk in self.library.passages}

    def _not_parsed(self, report: MissReport, gold: Gold, found: Found) -> MissReport:
        text = self._documents().get(gold.document_id, "")
        stands = " ".join(text[slice(*found.span)].split()) if found.span else ""
        shown = one_line(stands, _LONGEST)
        said = {
            "broken": f"the text has `{shown}`, so its words are broken: mend the parser or the file",
            "near": f"the text has `{shown}` ({found.share:.0%} of its words in that order): "
            "mend the quote, or the parser if the file says otherwise",
            "pieces": f"its words stand apart in {gold.document_id}, as in word soup: read the file with a parser "
            "that keeps layout",
        }
        none = "no document holds these words: look at what `parse` shows of the file"
        message = said.get(found.likeness, none)
        return replace(report, stage="not in the parsed text", message=message, found=stands)

    def _cut(self, report: MissReport, held: Sequence[tuple[Chunk, float]]) -> MissReport:
        if not held:
            return replace(
                report,
                stage="cut by the chunker",
                message="no chunk holds any of it: choose another strategy or size",
            )
        shares = ", ".join(f"{part:.0%}" for _, part in held[:_SHOWN])
        message = f"no chunk holds all of it ({shares}): cut at the structure, or overlap more"
        if self.answer and _used(self.answer, {chunk.chunk_id for chunk, _ in held}, report.span):
            return replace(report, stage="used", message=f"cited, though {message}")
        return replace(report, stage="cut by the chunker", message=message)

    def _search(self, report: MissReport, holding: set[str]) -> MissReport:
        taken = list(self.answer.evidence) if self.answer else self._ranking(self.top_k)
        mine = [item for item in taken if item.chunk.chunk_id in holding]
        if not mine:
            return self._not_taken(report, *self._beyond(holding), taken)
        report = replace(report, rank=mine[0].rank, similarity=mine[0].similarity)
        least = self.library.settings.min_similarity
        if not any(close_enough(self.question, item, least) for item in taken):
            message = f"nothing found is as similar as {least}, so no model was asked: lower the threshold"
            return replace(report, stage="below the similarity threshold", message=message)
        return self._prompt(report, holding, taken)

    def _beyond(self, holding: set[str]) -> tuple[Evidence | None, bool]:
        """Return the best place of the evidence below k, and whether that is among the candidates.

        The candidates are looked at first, by themselves: a fused list that reaches deeper is another list.
        """
        for depth in (self.candidates, max(len(self.library.passages), self.candidates)):
            if best := next((item for item in self._ranking(depth) if item.chunk.chunk_id in holding), None):
                return best, depth == self.candidates
        return None, False

    def _ranking(self, depth: int) -> list[Evidence]:
        """Search once to a depth: a quote may stand in many places."""
        if depth not in self.rankings:
            self.rankings[depth] = self.library.searcher.search(
                self.question, filters=self.filters, top_k=depth
            )
        return self.rankings[depth]

    def _not_taken(
        self, report: MissReport, best: Evidence | None, is_candidate: bool, taken: Sequence[Evidence]
    ) -> MissReport:
        instead = tuple(taken[:_SHOWN])
        report = replace(report, instead=instead)
        before = f"; first came {one_line(instead[0].chunk.text, _LONGEST)!r}" if instead else ""
        if best is None:
            message = (
                f"the retriever does not find it at all: raise k, or ask in the words of the document{before}"
            )
            return replace(report, stage="not among the candidates", message=message)
        report = replace(report, rank=best.rank, similarity=best.similarity)
        close = "" if best.similarity is None else f", similarity {best.similarity:.3f}"
        if not is_candidate:
            few = f"and the {self.candidates} candidates are without it"
            message = f"rank {best.rank}{close}, {few}: raise k, or ask in the words of the document{before}"
            return replace(report, stage="not among the candidates", message=message)
        message = f"rank {best.rank}{close}, and {len(taken)} are taken: raise k, or rerank{before}"
        return replace(report, stage="ranked below k", message=message)

    def _prompt(self, report: MissReport, holding: set[str], taken: Sequence[Evidence]) -> MissReport:
        if self.answer:
            shown, folded = set(self.answer.labels.values()), self.answer.folded
        else:
            model = self.library.settings.chat_model
            try:
                context = assemble_context(
                    self.question, taken, budget=self.budget, model=model, as_of=self.filters.as_of
                )
            except BudgetTooSmall as error:
                return replace(report, stage="dropped by the budget", message=str(error))
            shown = {item.chunk.chunk_id for item in context.shown.values()}
            folded = context.folded_ids()
        instead = tuple(item for item in taken if item.chunk.chunk_id in shown)[:_SHOWN]
        # A copy that is shown says what the evidence says; a newer version need not.
        mine = {chunk_id: into for chunk_id, into in folded.items() if chunk_id in holding}
        stand_ins = {into for into, reason in mine.values() if reason != "older version"}
        if mine and not (holding | stand_ins) & shown:
            into, reason = next(iter(mine.values()))
            message = f"found at rank {report.rank}, but {into} was shown in its place ({reason})"
            return replace(report, stage="folded into another passage", message=message, instead=instead)
        if not (holding | stand_ins) & shown:
            message = (
                f"found at rank {report.rank}, but it did not fit the budget: raise it, or use smaller chunks"
            )
            return replace(report, stage="dropped by the budget", message=message, instead=instead)
        if self.answer is None:
            self.answer = self.library.ask(
                self.question, filters=self.filters, top_k=self.top_k, budget=self.budget
            )
        if _used(self.answer, holding, report.span) or _used(self.answer, stand_ins, None):
            return replace(report, stage="used", message="the answer cites it")
        quotes = [citation.quote for citation in self.answer.citations if citation.quote]
        did = f"quoted {one_line(quotes[0], _LONGEST)!r}" if quotes else "cited nothing of it"
        if self.answer.refusal:
            did = f"refused ({self.answer.refusal.kind.replace('_', ' ')})"
        message = f"the model saw it and {did}: look at the question and the prompt"
        return replace(report, stage="in the prompt but not used", message=message, instead=instead)


def _used(answer: Answer, chunk_ids: set[str], span: Span | None) -> bool:
    """Tell whether an answer cites one of these chunks, and the evidence itself where the quote is known."""
    if answer.refusal:
        return False
    for citation in answer.citations:
        if citation.chunk_id in chunk_ids:
            quoted = citation.source_span
            if quoted is None or span is None or overlap(quoted, span):
                return True
    return False
