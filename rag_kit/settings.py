"""Settings, read from the environment once and passed on.

| variable | meaning |
|---|---|
| `OPENAI_API_KEY` | talk to OpenAI, or to `OPENAI_BASE_URL`, with this key |
| `OPENAI_BASE_URL` | any OpenAI-compatible server; enough on its own |
| `RAG_KIT_CHAT_MODEL` | the chat model |
| `RAG_KIT_EMBED_MODEL` | the embedding model; the local one's name keeps embeddings on this machine |
| `RAG_KIT_CACHE_DIR` | where vectors and parsed documents are cached, and a learner's results kept |
| `RAG_KIT_LEARNER_DIR` | another folder for a learner's results |
| `RAG_KIT_PARSE_SECONDS` | how long one file may take to read; a page more gives a twelfth more |
| `RAG_KIT_PARSE_MEMORY_MB` | how much memory one file may take to read |
| `RAG_KIT_PROGRESS` | `0` hides progress bars |
| `RAG_KIT_PROG` | the name under which the command line was called, for its messages |

Neither variable set: everything runs on this machine. A blank value counts as not set.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from rag_kit.errors import EmptyCorpus, InvalidValue

LOCAL_CHAT_MODEL = "offline-reader"
LOCAL_MEMORY_MODEL = "local-memory"
LOCAL_EMBED_MODEL = "all-MiniLM-L6-v2"
LOCAL_EMBED_LANGUAGES = ("en",)
"""What the local embedder was made for; the embedding models behind an API know many languages."""
LOCAL_MIN_SIMILARITY = 0.25
"""Provisional: of the answerable development questions, none found its best passage below 0.3."""
OPENAI_CHAT_MODEL = "gpt-4o-mini"
OPENAI_EMBED_MODEL = "text-embedding-3-small"
SERVE_PORT = 8765
PARSE_SECONDS = 60.0
PARSE_MEMORY_MB = 3072
MOST = 10_000_000.0
"""No limit is higher: a timer cannot wait for longer, and no machine has as many megabytes."""
OPENAI_HOST = "api.openai.com"
OPENAI_URL = f"https://{OPENAI_HOST}/v1"
BAD_ADDRESS = (
    "OPENAI_BASE_URL is not a web address: write it like http://127.0.0.1:11434/v1, or use --offline"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Where text goes and which models answer. Never holds a key, so it can be printed.

    An address may carry a password of its own, so it is not printed; ``remote_host`` is without.
    """

    offline: bool = True
    base_url: str | None = field(default=None, repr=False)
    chat_model: str = LOCAL_CHAT_MODEL
    embed_model: str = LOCAL_EMBED_MODEL
    cache_dir: Path = Path(".cache")
    progress: bool = True
    parse_seconds: float = PARSE_SECONDS
    parse_memory_mb: int = PARSE_MEMORY_MB

    @property
    def embeds_locally(self) -> bool:
        """Tell whether embeddings are made on this machine."""
        return self.offline or self.embed_model == LOCAL_EMBED_MODEL

    @property
    def embed_languages(self) -> tuple[str, ...] | None:
        """Return the languages that the embedder was made for, or None where it knows many."""
        return LOCAL_EMBED_LANGUAGES if self.embeds_locally else None

    @property
    def min_similarity(self) -> float:
        """Return the similarity below which no passage is worth showing to a model.

        It is known for the local embedder alone; another embedder's similarities lie elsewhere.
        """
        return LOCAL_MIN_SIMILARITY if self.embeds_locally else 0.0

    @property
    def remote_host(self) -> str | None:
        """Return the host that receives text, or None where none does."""
        if self.offline:
            return None
        if self.base_url is None:
            return OPENAI_HOST
        # Without a user name or password that the address may hold.
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    def go_offline(self) -> Settings:
        """Return these settings with everything on this machine."""
        return replace(
            self, offline=True, base_url=None, chat_model=LOCAL_CHAT_MODEL, embed_model=LOCAL_EMBED_MODEL
        )


def load_settings(environ: Mapping[str, str] | None = None, *, offline: bool = False) -> Settings:
    """Read the settings from the environment; ``offline`` wins over any key.

    Raises InvalidValue for an address or a key that no request could be sent with, and for a limit that is
    none.

    >>> load_settings({}).chat_model
    'offline-reader'
    >>> load_settings({"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}).embed_model
    'all-MiniLM-L6-v2'
    >>> load_settings({"OPENAI_API_KEY": "k"}, offline=True).remote_host is None
    True
    """
    env = os.environ if environ is None else environ

    def value(name: str) -> str | None:
        return (env.get(name) or "").strip() or None

    key, base_url = value("OPENAI_API_KEY"), value("OPENAI_BASE_URL")
    settings = Settings(
        offline=not (key or base_url),
        base_url=base_url,
        cache_dir=folder_of(value("RAG_KIT_CACHE_DIR") or default_cache_dir()),
        progress=value("RAG_KIT_PROGRESS") != "0",
        parse_seconds=_amount("RAG_KIT_PARSE_SECONDS", value("RAG_KIT_PARSE_SECONDS"), PARSE_SECONDS),
        parse_memory_mb=int(
            _amount("RAG_KIT_PARSE_MEMORY_MB", value("RAG_KIT_PARSE_MEMORY_MB"), PARSE_MEMORY_MB)
        ),
    )
    if offline or settings.offline:
        return settings.go_offline()
    if base_url:
        _check_address(base_url)
    if key and not (key.isascii() and key.isprintable()):
        raise InvalidValue("OPENAI_API_KEY holds signs that no key has: copy it again, or use --offline")
    # A server behind OPENAI_BASE_URL may well only chat, so it keeps the local embedder unless told.
    embed_default = LOCAL_EMBED_MODEL if base_url else OPENAI_EMBED_MODEL
    return replace(
        settings,
        chat_model=value("RAG_KIT_CHAT_MODEL") or OPENAI_CHAT_MODEL,
        embed_model=value("RAG_KIT_EMBED_MODEL") or embed_default,
    )


def _amount(name: str, given: str | None, default: float) -> float:
    try:
        amount = float(given) if given else default
    except ValueError:
        amount = 0.0
    if not 1 <= amount <= MOST:  # neither of them holds for what is no number
        raise InvalidValue(f"{name} {str(given)[:40]!r} is not an amount: choose 1 or more")
    return amount


def _check_address(base_url: str) -> None:
    """Refuse an address that is none, without repeating it: it may hold a password."""
    try:
        parts = urlsplit(base_url)
        # A port that is no number raises ValueError when it is looked at.
        fault = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        fault = True
    if fault or any(sign.isspace() or not sign.isprintable() for sign in base_url):
        raise InvalidValue(BAD_ADDRESS)


def folder_of(name: str) -> Path:
    """Return the folder that a variable names; ``~`` is the user's own, also where no shell has seen it.

    >>> folder_of("~/vectors") == Path.home() / "vectors"
    True
    """
    try:
        return Path(name).expanduser()
    except RuntimeError:  # "~somebody" who is not a user here is a folder's name
        return Path(name)


def sample_docs() -> Path:
    """Return the folder of sample documents beside the package, whatever the current folder is."""
    folder = Path(__file__).parents[1] / "sample_docs"
    if not folder.is_dir():
        raise EmptyCorpus(f"{folder}: the sample documents are not here; run the kit from its own checkout")
    return folder


def default_cache_dir() -> str:
    """Return the user's own cache folder for the kit, as this operating system has it."""
    from platformdirs import user_cache_dir

    return user_cache_dir("rag_kit", appauthor=False)
