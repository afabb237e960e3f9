"""What a model's server answered when a call failed, for people."""

from __future__ import annotations

import os

LONGEST_SAID = 300
"""Characters of what a server says of its failure: some send a whole page."""
_MENDS = {
    400: "shorten the question, or check RAG_KIT_CHAT_MODEL and RAG_KIT_EMBED_MODEL",
    401: "check OPENAI_API_KEY, or use --offline",
    404: "check RAG_KIT_CHAT_MODEL and RAG_KIT_EMBED_MODEL",
    429: "wait and try again, or use --offline",
    None: "check the network and OPENAI_BASE_URL, or use --offline",
}


def explain_api_error(error: Exception) -> str | None:
    """Say in one line what the model's server answered, and the mend; None where it is another error.

    >>> explain_api_error(KeyError("fee")) is None
    True
    """
    if type(error).__module__.partition(".")[0] != "openai":
        return None
    status = getattr(error, "status_code", None)
    mend = _MENDS.get(status, "try again, or use --offline")
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    # Some gateways repeat the key that they refuse.
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    said = str(said or error).replace(key, "(the key)") if key else str(said or error)
    said = said if len(said) <= LONGEST_SAID else said[:LONGEST_SAID] + " …"
    return f"the model's server failed ({status or type(error).__name__}: {said}): {mend}"
