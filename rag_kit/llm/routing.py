"""One client, two places: the local embedding model's calls stay here, all others go to the server."""

from __future__ import annotations

import json

import httpx2


class EmbedHere(httpx2.BaseTransport):
    """Sends embedding calls for ``model`` to ``here`` and everything else ``elsewhere``.

    So a server that only chats can be used with the local embedder, through the same client.
    """

    def __init__(self, model: str, *, here: httpx2.BaseTransport, elsewhere: httpx2.BaseTransport) -> None:
        self.model = model
        self.here = here
        self.elsewhere = elsewhere

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Route one request."""
        if request.url.path.endswith("/embeddings"):
            body = request.read()
            try:
                if json.loads(body).get("model") == self.model:
                    return self.here.handle_request(request)
            except (ValueError, AttributeError):
                pass
        return self.elsewhere.handle_request(request)

    def close(self) -> None:
        """Close both."""
        self.here.close()
        self.elsewhere.close()
