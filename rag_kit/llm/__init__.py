"""The seam that makes the kit run anywhere: the real OpenAI client, over our transport or the network."""

from rag_kit.llm.connect import connect

__all__ = ["connect"]
