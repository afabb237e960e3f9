"""On the way to a server: what stays here, what goes out, and what a failure may show."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from urllib.request import getproxies, proxy_bypass

import httpx2

from rag_kit.errors import InvalidValue
from rag_kit.llm.recording import decoded_headers

SECRET_FROM = 16
"""A key this long is a secret of which no piece is shown; a shorter one is as likely a word (``ollama``)."""
_PIECE = 5


def network(base_url: httpx2.URL) -> httpx2.HTTPTransport:
    """Return the way to a server, through the proxy that the environment names for it, if any.

    A client that is handed a transport looks for no proxy itself. Raises InvalidValue for a proxy that is none.
    """
    import openai

    proxies = {} if proxy_bypass(base_url.host) else getproxies()
    proxy = proxies.get(base_url.scheme) or proxies.get("all")
    try:
        return httpx2.HTTPTransport(limits=openai.DEFAULT_CONNECTION_LIMITS, proxy=proxy)
    except (ValueError, ImportError, httpx2.InvalidURL):
        # Not shown: a proxy's address may hold a password.
        raise InvalidValue(
            f"{base_url.scheme.upper()}_PROXY (or ALL_PROXY) is no proxy that can be used: "
            "write it like http://proxy:3128, or unset it"
        ) from None


class Connection(httpx2.Client):
    """An HTTP client that closes its sockets when it is dropped, as the SDK's own does."""

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()


class EmbedHere(httpx2.BaseTransport):
    """Sends embedding calls for ``model`` to ``here`` and everything else ``elsewhere``.

    So a server that only chats can be used with the local embedder, through the same client.
    """

    def __init__(self, model: str, *, here: httpx2.BaseTransport, elsewhere: httpx2.BaseTransport) -> None:
        self.model = model
        self.here = here
        self.elsewhere = elsewhere

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Route one request; here, embeddings are found under ``/v1`` whatever the server's path is."""
        if request.url.path.endswith("/embeddings"):
            body = request.read()
            try:
                if json.loads(body).get("model") == self.model:
                    here = httpx2.Request("POST", request.url.copy_with(path="/v1/embeddings"), content=body)
                    return self.here.handle_request(here)
            except (ValueError, AttributeError, RecursionError):
                pass
        return self.elsewhere.handle_request(request)

    def close(self) -> None:
        """Close both."""
        self.here.close()
        self.elsewhere.close()


class HideKey(httpx2.BaseTransport):
    """Takes keys out of what a server says when it fails, before anyone prints or logs it.

    Servers repeat a wrong key, in part or whole, and the SDK puts their words into its exceptions.
    """

    def __init__(self, inner: httpx2.BaseTransport, *keys: str) -> None:
        self.inner = inner
        self.keys = keys

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass a request on, and an error back without the key."""
        response = self.inner.handle_request(request)
        if response.status_code < 400:
            return response
        text = response.read().decode("utf-8", "replace")
        for key in self.keys:
            text = hide_key(text, key)
        return httpx2.Response(response.status_code, headers=decoded_headers(response), content=text)

    def close(self) -> None:
        """Close the transport underneath."""
        self.inner.close()


def hide_key(text: str, key: str) -> str:
    """Replace a key, and every word that holds 5 characters of a long one.

    >>> hide_key("Wrong key: sk-test-****7890.", "sk-test-FAKE1234567890")
    'Wrong key: [key]'
    """
    text = text.replace(key, "[key]") if key else text
    secret = key.removeprefix("sk-")
    if len(key) < SECRET_FROM:
        return text
    pieces = {secret[at : at + _PIECE] for at in range(len(secret) - _PIECE + 1)}
    return re.sub(
        r"[^\s\"'\\]+", lambda word: "[key]" if any(p in word[0] for p in pieces) else word[0], text
    )
