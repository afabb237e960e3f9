"""The commands around the kit itself: ``doctor``, ``serve`` and ``build``."""

from __future__ import annotations

import argparse
from pathlib import Path

from rag_kit import doctor
from rag_kit.cli.output import print_result
from rag_kit.cli.reading import settings_of
from rag_kit.console import say
from rag_kit.machine import clear_cache


def run_doctor(options: argparse.Namespace) -> int:
    """Print what is installed and which models answer."""
    settings = settings_of(options)
    if options.clear_cache:
        say(f"{clear_cache(settings.cache_dir)} files of cached vectors and parsed documents removed")
    checks = doctor.examine(settings)
    print_result(options, lambda: doctor.checks_json(checks), lambda: doctor.checks_text(checks))
    return 0 if doctor.all_well(checks) else 1


def run_serve(options: argparse.Namespace) -> int:
    """Serve the offline backend until it is stopped."""
    from rag_kit.llm.serve import serve

    serve(options.port)
    return 0


def run_build(options: argparse.Namespace) -> int:
    """Rebuild the notebooks, or only compare."""
    from rag_kit.teaching.building.build import build

    names = build(Path.cwd(), check=options.check, only=options.only)
    for name in names:
        say(f"{'stale' if options.check else 'written'}: {name}")
    return 1 if options.check and names else 0
