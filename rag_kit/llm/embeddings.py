"""Embeddings of the offline service: MiniLM's vectors, and the real service's limits."""

from __future__ import annotations

import base64
from typing import Any

from rag_kit.limits import MAX_INPUT_TOKENS, MAX_INPUTS, MAX_REQUEST_TOKENS
from rag_kit.llm.api_errors import ApiError, unknown_model
from rag_kit.llm.minilm import DIMENSIONS, minilm
from rag_kit.settings import LOCAL_EMBED_MODEL
from rag_kit.tokens import encoding

_ACCEPTED = {"model", "input", "dimensions", "encoding_format", "user"}


def embeddings(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer ``POST /v1/embeddings``.

    The limits are counted in the tokens of cl100k_base, as the real service counts them, so that a batch
    which it would refuse is refused here; of each text, MiniLM reads the first 256 of its own tokens.
    """
    if asked.get("model") != LOCAL_EMBED_MODEL:
        raise unknown_model(asked.get("model"), f"'{LOCAL_EMBED_MODEL}' for embeddings")
    for name in asked:
        if name not in _ACCEPTED:
            raise ApiError(400, f"Unrecognized request argument supplied: {name}")
    texts = _read_input(asked.get("input"))
    if asked.get("dimensions") not in (None, DIMENSIONS):
        raise ApiError(400, f"This model gives {DIMENSIONS} dimensions.", param="dimensions")
    form = asked.get("encoding_format") or "float"
    if form not in ("float", "base64"):
        raise ApiError(400, "'encoding_format' is 'float' or 'base64'.", param="encoding_format")
    model = minilm()
    rows = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(row.tobytes()).decode() if form == "base64" else row.tolist(),
        }
        for index, row in enumerate(model.embed(texts))
    ]
    read = model.read_tokens(texts)
    usage = {"prompt_tokens": read, "total_tokens": read}
    return {"object": "list", "data": rows, "model": LOCAL_EMBED_MODEL, "usage": usage}


def _read_input(given: Any) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts:
        raise ApiError(400, "'input' must be a string or a list of strings, not empty.", param="input")
    if all(isinstance(item, int) or (isinstance(item, list) and item) for item in texts):
        message = "'input' holds token numbers; this model has a vocabulary of its own: send the text itself."
        raise ApiError(400, message, param="input")
    if len(texts) > MAX_INPUTS:
        message = (
            f"Invalid 'input': array too long. Expected an array with maximum length {MAX_INPUTS}, "
            f"but got an array with length {len(texts)} instead."
        )
        raise ApiError(400, message, param="input", code="array_above_max_length")
    for text in texts:
        if not isinstance(text, str):
            raise ApiError(400, "'input' must be a string or a list of strings, not empty.", param="input")
        if not text.strip():
            raise ApiError(400, "'input' cannot hold an empty string.", param="input")
    _check_lengths(texts)
    return texts


def _check_lengths(texts: list[str]) -> None:
    # A token is at least one byte, so most requests need no counting.
    sizes = [len(text.encode("utf-8", "surrogatepass")) for text in texts]
    if max(sizes) <= MAX_INPUT_TOKENS and sum(sizes) <= MAX_REQUEST_TOKENS:
        return
    counts = [len(ids) for ids in encoding("cl100k_base").encode_ordinary_batch(texts)]
    for index, count in enumerate(counts):
        if count > MAX_INPUT_TOKENS:
            message = (
                f"Invalid 'input[{index}]': maximum input length is {MAX_INPUT_TOKENS} tokens, got {count}."
            )
            raise ApiError(400, message, param="input", code="context_length_exceeded")
    if sum(counts) > MAX_REQUEST_TOKENS:
        message = f"Requested {sum(counts)} tokens, max {MAX_REQUEST_TOKENS} tokens per request."
        raise ApiError(
            400, message, param="input", code="max_tokens_per_request", kind="max_tokens_per_request"
        )
