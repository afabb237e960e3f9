"""Operations: the stages put together."""

from rag_kit.operations.index import build_index, open_index
from rag_kit.operations.library import Library, open_library

__all__ = ["Library", "build_index", "open_index", "open_library"]
