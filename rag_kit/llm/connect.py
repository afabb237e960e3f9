"""Getting a client: the real ``openai.OpenAI``, answered by a server, by this machine or by a recording."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rag_kit.console import say
from rag_kit.errors import InvalidValue
from rag_kit.settings import BAD_ADDRESS, LOCAL_EMBED_MODEL, OPENAI_URL, Settings, load_settings

if TYPE_CHECKING:
    import openai

LOCAL_URL = "http://rag-kit.invalid/v1"
"""Never contacted: the local transport answers before a connection would be opened."""
NO_KEY = "not-needed"
"""A server behind OPENAI_BASE_URL may need no key, but the SDK insists on one."""


def connect(
    settings: Settings | None = None,
    *,
    offline: bool = False,
    record: str | Path | None = None,
    replay: str | Path | None = None,
) -> openai.OpenAI:
    """Connect to the model: to a server where one is configured, else to this machine.

    With ``OPENAI_API_KEY`` or ``OPENAI_BASE_URL`` set, text goes to that host, and one line on stderr says
    so; ``offline`` forces the other case. ``record`` names a file to which every call is written, ``replay``
    one that answers in the server's place: then nothing leaves the machine. Raises InvalidValue for an
    address or a proxy that is none.

    >>> connect(offline=True).models.list().data[0].id
    'offline-reader'
    """
    import httpx2
    import openai

    from rag_kit.llm.local import LocalTransport
    from rag_kit.llm.recording import RecordingTransport
    from rag_kit.llm.replay import ReplayTransport
    from rag_kit.llm.routing import Connection, EmbedHere, HideKey, network

    settings = settings or load_settings(offline=offline)
    if offline:
        settings = settings.go_offline()
    key, auth = NO_KEY, None
    # Always given: the SDK takes a blank OPENAI_BASE_URL for an address.
    try:
        url = httpx2.URL(settings.base_url or (LOCAL_URL if settings.offline else OPENAI_URL))
    except httpx2.InvalidURL:
        raise InvalidValue(BAD_ADDRESS) from None
    if url.userinfo:
        # Sent the same, but kept out of the address, which is logged.
        auth, url = (url.username, url.password), url.copy_with(userinfo=b"")
    transport: httpx2.BaseTransport = LocalTransport()
    if replay is not None:
        transport = EmbedHere(LOCAL_EMBED_MODEL, here=transport, elsewhere=ReplayTransport(replay))
    elif settings.remote_host:
        key = os.environ.get("OPENAI_API_KEY", "").strip() or NO_KEY
        secrets = [secret for secret in (key, auth and auth[1]) if secret and secret != NO_KEY]
        remote = HideKey(network(url), *secrets)
        say(f"text goes to {settings.remote_host}")
        transport = EmbedHere(LOCAL_EMBED_MODEL, here=transport, elsewhere=remote)
    if record is not None:
        transport = RecordingTransport(transport, record)
    return openai.OpenAI(
        api_key=key,
        base_url=str(url),
        http_client=Connection(
            transport=transport, timeout=openai.DEFAULT_TIMEOUT, auth=auth, follow_redirects=True
        ),
    )
