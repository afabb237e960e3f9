"""Generation: evidence to a prompt, a prompt to an answer whose labels were checked."""

from rag_kit.generation.ask import ask
from rag_kit.generation.compression import compress
from rag_kit.generation.context import SYSTEM_MESSAGE, Context, assemble_context
from rag_kit.generation.folding import Fold, Folded, fold
from rag_kit.generation.ordering import edges_first
from rag_kit.generation.passages import Passage

__all__ = [
    "SYSTEM_MESSAGE",
    "Context",
    "Fold",
    "Folded",
    "Passage",
    "ask",
    "assemble_context",
    "compress",
    "edges_first",
    "fold",
]
