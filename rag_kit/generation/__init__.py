"""Generation: evidence to a prompt, a prompt to an answer whose labels were checked."""

from rag_kit.generation.ask import ask
from rag_kit.generation.context import SYSTEM_MESSAGE, Context, assemble_context

__all__ = ["SYSTEM_MESSAGE", "Context", "ask", "assemble_context"]
