"""Office files: Word, Excel, and values parted by commas; each reader is imported when it is first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_kit.parsing.office.docx import parse_docx
    from rag_kit.parsing.office.separated import parse_csv
    from rag_kit.parsing.office.xlsx import parse_xlsx

__all__ = ["parse_csv", "parse_docx", "parse_xlsx"]

_HOMES = {"parse_csv": "separated", "parse_docx": "docx", "parse_xlsx": "xlsx"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
