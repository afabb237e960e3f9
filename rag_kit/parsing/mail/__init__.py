"""Mail: its headers, its body and what is attached to it."""

from rag_kit.parsing.mail.message import parse_eml

__all__ = ["parse_eml"]
