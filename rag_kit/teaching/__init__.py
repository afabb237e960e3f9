"""Teaching: what the notebooks show, and how they are built.

Everything shown here reads the same without a running kernel: each view carries a static twin of what the
live widget shows. ``build`` turns ``lessons/`` into executed notebooks; it is imported by name.
"""

from rag_kit.settings import sample_docs
from rag_kit.teaching.checkpoint import checkpoint
from rag_kit.teaching.glossary import glossary
from rag_kit.teaching.grading.check import check
from rag_kit.teaching.grading.progress import progress
from rag_kit.teaching.grading.try_it import try_it
from rag_kit.teaching.prose import show_markdown
from rag_kit.teaching.quiz import Quiz
from rag_kit.teaching.self_rating import SelfRating
from rag_kit.teaching.source_code import show_source
from rag_kit.teaching.table import show_table
from rag_kit.teaching.views.benchmark_plot import benchmark_plot
from rag_kit.teaching.views.benchmark_table import (
    benchmark_comparisons,
    benchmark_halves,
    benchmark_kinds,
    benchmark_table,
    benchmark_timings,
)
from rag_kit.teaching.views.depth_plot import depth_plot
from rag_kit.teaching.views.evidence import evidence_table
from rag_kit.teaching.views.folder import FolderPanel, ask_folder
from rag_kit.teaching.views.inspector import ChunkInspector
from rag_kit.teaching.views.page import blocks_view, page_view
from rag_kit.teaching.views.panel import CitationPanel
from rag_kit.teaching.views.retrieval.inspector import RetrievalInspector
from rag_kit.teaching.views.sweep_plot import sweep_plot
from rag_kit.teaching.views.sweep_table import sweep_table, sweep_winner

__all__ = [
    "ChunkInspector",
    "CitationPanel",
    "FolderPanel",
    "Quiz",
    "RetrievalInspector",
    "SelfRating",
    "ask_folder",
    "benchmark_comparisons",
    "benchmark_halves",
    "benchmark_kinds",
    "benchmark_plot",
    "benchmark_table",
    "benchmark_timings",
    "blocks_view",
    "check",
    "checkpoint",
    "depth_plot",
    "evidence_table",
    "glossary",
    "page_view",
    "progress",
    "sample_docs",
    "show_markdown",
    "show_source",
    "show_table",
    "sweep_plot",
    "sweep_table",
    "sweep_winner",
    "try_it",
]
