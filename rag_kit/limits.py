"""What OpenAI's embedding service takes at most; the offline backend keeps to the same limits."""

MAX_INPUTS = 2_048
"""Texts a request."""
MAX_INPUT_TOKENS = 8_191
"""Tokens a text, in cl100k_base."""
MAX_REQUEST_TOKENS = 300_000
"""Tokens a request, all texts together."""
