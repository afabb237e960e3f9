"""Operations: the stages put together."""

from rag_kit.operations.library import Library, open_library

__all__ = ["Library", "open_library"]
