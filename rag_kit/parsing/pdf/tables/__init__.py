"""Tables on a page: drawn ones by their lattice, others by the gaps that go on from row to row."""

from rag_kit.parsing.pdf.tables.finding import find_tables, find_unruled, join_continued
from rag_kit.parsing.pdf.tables.grid import FoundTable

__all__ = ["FoundTable", "find_tables", "find_unruled", "join_continued"]
