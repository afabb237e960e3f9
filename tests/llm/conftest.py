import os
from collections.abc import Iterator

import pytest
from openai import OpenAI

from rag_kit.llm import connect


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.startswith(("OPENAI_", "RAG_KIT_CHAT_", "RAG_KIT_EMBED_"))]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def client() -> Iterator[OpenAI]:
    with connect(offline=True) as client:
        yield client
