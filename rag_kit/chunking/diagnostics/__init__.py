"""Diagnostics: what in the parsed text and its chunks can lose an answer, as named findings."""

from rag_kit.chunking.diagnostics.diagnose import diagnose
from rag_kit.chunking.diagnostics.findings import CODES, SEVERITIES, Finding, Place, Severity

__all__ = ["CODES", "SEVERITIES", "Finding", "Place", "Severity", "diagnose"]
