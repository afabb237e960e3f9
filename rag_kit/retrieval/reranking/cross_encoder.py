"""A cross-encoder: a model that reads question and passage together and gives one score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Literal, Protocol, get_args

import numpy as np

from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue, MissingModel
from rag_kit.retrieval.reranking.order import reorder
from rag_kit.retrieval.reranking.remembered import Bounded
from rag_kit.types import Evidence

Scale = Literal["logit", "probability"]
BATCH = 32
MOST_SCORES = 100_000


class PairScorer(Protocol):
    """Scores pairs of question and passage, as sentence-transformers' CrossEncoder does."""

    def predict(self, pairs: Sequence[tuple[str, str]], /) -> Any:
        """Return one number a pair, in order."""


class CrossEncoderReranker:
    """Orders candidates by a cross-encoder's score; the score shown is a probability, 0 to 1.

    ``model`` is the name or folder of a model that sentence-transformers can load, or anything with
    ``predict``. Of a given object, ``scale`` says what it returns: "logit", any number, of which the
    probability is 1 / (1 + e^-x), or "probability", already squashed, which is taken as it is. The scores
    alone cannot tell: 0.9 may be either. A model that is loaded here is asked for logits.

    ``threshold`` is a probability: what is below it is left out, so that nothing may be left at all. Where
    it lies has to be measured for each model. Scores are remembered by question and text.
    """

    def __init__(
        self,
        model: str | PairScorer,
        *,
        scale: Scale = "logit",
        threshold: float | None = None,
        batch: int = BATCH,
        name: str | None = None,
    ) -> None:
        if scale not in get_args(Scale):
            raise InvalidValue.unknown("scale", scale, get_args(Scale))
        if threshold is not None and not 0 <= threshold <= 1:
            raise InvalidValue(f"threshold {threshold} is no probability: choose 0 to 1")
        if batch < 1:
            raise InvalidValue(f"batch {batch} scores nothing: choose 1 or more")
        if isinstance(model, str) and scale != "logit":
            raise InvalidValue(f"scale {scale!r} is for a given object: a model that is loaded gives logits")
        self.model: PairScorer = _load(model) if isinstance(model, str) else model
        self.scale = scale
        self.threshold = threshold
        self.batch = batch
        self.name = name or f"cross-encoder {model if isinstance(model, str) else type(model).__name__}"
        self._scores: Bounded[tuple[str, str], float] = Bounded(MOST_SCORES)

    def rerank(self, query: str, candidates: Sequence[Evidence], *, top_n: int) -> list[Evidence]:
        """Return the ``top_n`` with the highest scores of those that reach the threshold.

        Equal scores keep the order given, a score that is no number comes last with a warning and reaches no
        threshold. Raises InvalidValue for top_n below 1, for a model that does not give one number a pair,
        and for numbers outside 0 to 1 where probabilities were promised.
        """
        check_count("top_n", top_n)
        if not candidates:
            return []
        scores = self._score(query, [item.chunk.embed_text() for item in candidates])
        ranked = reorder(candidates, scores, top_n=len(candidates))
        if self.scale == "logit":
            # Ordered before it is squashed: 12 and 14 are both 0.99999.
            ranked = [replace(item, score=round(_sigmoid(item.score), 5)) for item in ranked]
        if self.threshold is not None:
            numbers = {
                item.chunk.chunk_id
                for item, score in zip(candidates, scores, strict=True)
                if math.isfinite(score)
            }
            ranked = [r for r in ranked if r.score >= self.threshold and r.chunk.chunk_id in numbers]
        return ranked[:top_n]

    def _score(self, query: str, texts: list[str]) -> list[float]:
        pairs = [(query, text) for text in texts]
        known = self._scores.get(dict.fromkeys(pairs))
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        for at in range(0, len(fresh), self.batch):
            known.update(self._predict(fresh[at : at + self.batch]))
        self._scores.put({pair: known[pair] for pair in fresh if math.isfinite(known[pair])})
        return [known[pair] for pair in pairs]

    def _predict(self, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], float]:
        given = np.asarray(self.model.predict(pairs), dtype=np.float64)
        if given.shape == (len(pairs), 1):
            given = given[:, 0]
        if given.shape != (len(pairs),):
            raise InvalidValue(
                f"{self.name} gave scores of the shape {given.shape} for {len(pairs)} pairs: "
                "choose a model that gives one number a pair"
            )
        outside = given[np.isfinite(given) & ((given < 0) | (given > 1))]
        if self.scale == "probability" and outside.size:
            raise InvalidValue(
                f"{self.name} gave {outside[0]:.3g}, which is no probability: say scale='logit'"
            )
        return dict(zip(pairs, given.tolist(), strict=True))


def _sigmoid(logit: float) -> float:
    """Return 1 / (1 + e^-x) without overflow.

    >>> [round(_sigmoid(x), 3) for x in (4.2, 0.3, -2.0, -1000.0)]
    [0.985, 0.574, 0.119, 0.0]
    """
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))


def _load(name: str) -> PairScorer:
    if not name.strip():
        raise InvalidValue("the cross-encoder has no name: give the folder of a model")
    try:
        sentence_transformers = import_module("sentence_transformers")
        torch = import_module("torch")
    except ImportError as error:
        raise MissingModel(
            f"the package {error.name or 'sentence-transformers'} is not installed: "
            "run pip install sentence-transformers, or choose another reranker"
        ) from None
    try:
        # Some models squash their scores by themselves and some do not: asked so, none does.
        model: PairScorer = sentence_transformers.CrossEncoder(name, activation_fn=torch.nn.Identity())
    except Exception as error:  # A folder that is no model, or half of one, raises a dozen kinds over there.
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise MissingModel(
            f"the cross-encoder {name!r} cannot be loaded ({reason}): "
            "give the folder of a model that is on this machine"
        ) from None
    return model
