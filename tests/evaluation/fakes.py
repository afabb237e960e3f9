"""A library of fakes: documents and passages as they are given, and a model that says what it was told."""

from dataclasses import dataclass

from rag_kit.generation import ask
from rag_kit.protocols import Retriever
from rag_kit.testing import ScriptedTransport
from rag_kit.types import Chunk, Document


@dataclass(frozen=True)
class Chosen:
    """What is read of the settings."""

    min_similarity: float = 0.0
    chat_model: str = "gpt-4o"


@dataclass(frozen=True)
class Desk:
    """A library with any retriever; its model replies from the script of ``server``."""

    documents: tuple[Document, ...]
    passages: tuple[Chunk, ...]
    searcher: Retriever
    server: ScriptedTransport
    settings: Chosen = Chosen()

    def ask(self, question, *, filters, top_k, budget):
        return ask(
            question,
            self.searcher,
            client=self.server.client(),
            model=self.settings.chat_model,
            filters=filters,
            top_k=top_k,
            budget=budget,
        )
