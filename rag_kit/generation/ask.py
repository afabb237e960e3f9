"""Ask: evidence, one model call, and an answer that is shown only when its labels were checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.generation.context import DEFAULT_BUDGET, Compress, Context, assemble_context
from rag_kit.generation.ordering import Order
from rag_kit.generation.quotes import locate_quote, statements_of
from rag_kit.labels import find_labels, strip_labels
from rag_kit.protocols import Retriever
from rag_kit.refusals import read_refusal, refuse
from rag_kit.replies import reading_reply
from rag_kit.types import Answer, Citation, Evidence, Refusal, RefusalKind, Span, Usage
from rag_kit.wording import content_words, is_number

if TYPE_CHECKING:
    import openai

DEFAULT_TOP_K = 5
TRIES = 2
LONGEST_REJECTED = 2_000
"""Characters of a rejected draft that are sent back: enough to see the fault, and the prompt stays bounded."""


def ask(
    question: str,
    retriever: Retriever,
    *,
    client: openai.OpenAI,
    model: str,
    filters: Filters,
    top_k: int = DEFAULT_TOP_K,
    budget: int = DEFAULT_BUDGET,
    min_similarity: float = 0.0,
    compress: Compress | None = None,
    order: Order = "rank",
) -> Answer:
    """Answer a question from what the retriever finds, or refuse.

    Without evidence, or with none that is :func:`close_enough`, no call is made; what was found stays in the
    answer, to look at. A draft with no citation, or with a label that was never shown, is
    not shown: the model is told once, and after a second such draft the answer is a refusal. ``compress``
    and ``order`` are those of :func:`assemble_context`. Raises InvalidValue for an empty question and
    BudgetTooSmall for a budget that holds no passage.
    """
    if not question.strip():
        raise InvalidValue("the question is empty: ask something")
    assemble_context(question, (), budget=budget, model=model)  # is there room for more than the question?
    evidence = retriever.search(question, filters=filters, top_k=top_k)
    asked = Answer(question, "", (), None, tuple(evidence), model, Usage(), as_of=filters.as_of)
    if not any(close_enough(question, item, min_similarity) for item in evidence):
        return _refused(asked, refuse("no_evidence"))
    context = assemble_context(
        question, evidence, budget=budget, model=model, compress=compress, order=order, as_of=filters.as_of
    )
    asked = _shown(asked, context)
    messages = list(context.messages)
    citations: tuple[Citation, ...] = ()
    for _ in range(TRIES):
        draft, used = _complete(client, model, messages)
        asked = replace(asked, usage=asked.usage + used)
        # A refusal with a label behind it is still a refusal.
        if declined := read_refusal(strip_labels(draft)):
            return _refused(asked, declined)
        citations = cite(draft, context.shown, context.spans)
        fault = _fault(citations)
        if fault is None:
            return replace(asked, text=draft, citations=citations)
        asked = replace(asked, rejected=(*asked.rejected, draft))
        messages += [
            {"role": "assistant", "content": draft[:LONGEST_REJECTED]},
            {"role": "user", "content": _reproof(citations, context)},
        ]
    return _refused(asked, refuse("unverified" if citations else "uncited"))


def close_enough(question: str, item: Evidence, min_similarity: float) -> bool:
    """Tell whether a passage may answer a question: by its similarity, by a code, or by all of its words.

    A vector hardly feels a part number, and three questions in one passage are close to none of them. So a
    passage that holds a code of the question, or every word of it that carries a sense, is shown to the model.

    >>> from rag_kit.testing import make_chunk
    >>> far = [Evidence(make_chunk(text), 1, 0.1, 0.1) for text in ("The RB-7-113: 9 euro.", "The belt: 4 euro.")]
    >>> [close_enough("How much is the RB-7-113?", item, 0.25) for item in far]
    [True, False]
    """
    if item.similarity is None or item.similarity >= min_similarity:
        return True
    asked, held = set(content_words(question)), set(content_words(item.chunk.embed_text()))
    codes = {word for word in asked if not word.isalpha() and not is_number(word)}
    return bool(codes & held) or (len(asked) > 1 and asked <= held)


def cite(
    answer: str, shown: Mapping[str, Evidence], spans: Mapping[str, Sequence[Span]] | None = None
) -> tuple[Citation, ...]:
    """Make the citations of an answer: each label it mentions, and the words of the source behind it.

    ``spans`` are what was shown under a label, where it was not all of the chunk: nothing else is quoted.
    """
    citations: list[Citation] = []
    mentions = find_labels(answer)
    for mention, statement in zip(mentions, statements_of(answer, mentions), strict=True):
        item = shown.get(mention.label)
        if item is None:
            citations.append(Citation(mention.label, None, "", mention.span, None, "unknown_label"))
            continue
        chunk = item.chunk
        span = locate_quote(statement, chunk, within=(spans or {}).get(mention.label))
        quote = chunk.text[span[0] - chunk.span[0] : span[1] - chunk.span[0]] if span else ""
        citations.append(Citation(mention.label, chunk.chunk_id, quote, mention.span, span, "valid"))
    return tuple(citations)


def _fault(citations: tuple[Citation, ...]) -> RefusalKind | None:
    if not citations:
        return "uncited"
    return "unverified" if any(c.status == "unknown_label" for c in citations) else None


def _reproof(citations: tuple[Citation, ...], context: Context) -> str:
    known = ", ".join(context.shown)
    unknown = ", ".join(dict.fromkeys(c.label for c in citations if c.status == "unknown_label"))
    fault = (
        f"Your answer cites {unknown}, which was not shown." if unknown else "Your answer cites no source."
    )
    return f"{fault} Answer again, citing only {known}, or reply with the sentence of refusal."


def _complete(client: openai.OpenAI, model: str, messages: list[dict[str, str]]) -> tuple[str, Usage]:
    with reading_reply(client):
        response = client.chat.completions.create(model=model, messages=cast(Any, messages), temperature=0)
        text = (response.choices[0].message.content or "").strip() if len(response.choices) else ""
        used = response.usage
        counts = (used.prompt_tokens or 0, used.completion_tokens or 0) if used else (0, 0)
    return text, Usage(*counts, 1)


def _shown(asked: Answer, context: Context) -> Answer:
    """Note what of the evidence is in the prompt, and what was folded away."""
    return replace(
        asked,
        labels={label: item.chunk.chunk_id for label, item in context.shown.items()},
        folded=context.folded_ids(),
        spans=context.spans,
    )


def _refused(asked: Answer, refusal: Refusal) -> Answer:
    return replace(asked, text=refusal.text, refusal=refusal)
