"""Getting a client: the real ``openai.OpenAI``, answered by a server or by this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from rag_kit.settings import LOCAL_EMBED_MODEL, OPENAI_HOST, Settings, load_settings

if TYPE_CHECKING:
    import openai

OPENAI_URL = f"https://{OPENAI_HOST}/v1"
LOCAL_URL = "http://rag-kit.invalid/v1"
"""Never contacted: the local transport answers before a connection would be opened."""


def connect(
    settings: Settings | None = None, *, offline: bool = False, record: str | Path | None = None
) -> openai.OpenAI:
    """Connect to the model: to a server where one is configured, else to this machine.

    With ``OPENAI_API_KEY`` or ``OPENAI_BASE_URL`` set, text goes to that host, and one line on stderr says
    so; ``offline`` forces the other case. ``record`` names a file to which every call is written.

    >>> connect(offline=True).models.list().data[0].id
    'offline-reader'
    """
    import httpx2
    import openai

    from rag_kit.llm.local import LocalTransport
    from rag_kit.llm.recording import RecordingTransport
    from rag_kit.llm.routing import EmbedHere

    settings = settings or load_settings(offline=offline)
    if offline:
        settings = settings.go_offline()
    transport: httpx2.BaseTransport = LocalTransport()
    if settings.remote_host:
        print(f"rag_kit: text goes to {settings.remote_host}", file=sys.stderr)  # noqa: T201
        remote = httpx2.HTTPTransport(proxy=_proxy(settings.base_url or OPENAI_URL))
        transport = EmbedHere(LOCAL_EMBED_MODEL, here=transport, elsewhere=remote)
    if record is not None:
        transport = RecordingTransport(transport, record)
    return openai.OpenAI(
        # A server behind OPENAI_BASE_URL may need no key, but the SDK insists on one.
        api_key=(not settings.offline and os.environ.get("OPENAI_API_KEY", "").strip()) or "not-needed",
        # Always said, or the SDK would read OPENAI_BASE_URL itself, a blank one too.
        base_url=settings.base_url or (LOCAL_URL if settings.offline else OPENAI_URL),
        http_client=openai.DefaultHttpxClient(transport=transport),
    )


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for a URL; a client with its own transport asks none."""
    parts = urlsplit(url)
    if proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")
