"""What doctor finds on this machine beside the kit: packages, the notebook kernel, a browser, disk, caches."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
LEAST_FREE = 1_000_000_000
"""Bytes: an environment with the kit takes two thirds of that."""
INSTALL = (
    "run python3 kit.py doctor in the kit's folder, or pip install -r requirements.txt -c constraints.txt"
)


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at; ``mend`` says what to do where it is not well.

    What is not ``needed`` can be missing: then something optional does not work, and ``mend`` says what.
    """

    name: str
    ok: bool
    detail: str
    mend: str = ""
    needed: bool = True


def packages(requirements: Path = REQUIREMENTS) -> list[HealthCheck]:
    """Look for every package that a learner installs, and compare its version with what is asked for."""
    try:
        lines = requirements.read_text(encoding="utf-8").splitlines()
    except OSError:
        mend = f"run the kit from its own checkout; {requirements.name} names what it needs"
        return [HealthCheck("packages", False, f"no {requirements.name} beside the package", mend)]
    return [_package(line.split("#")[0].strip()) for line in lines if re.match(r"\w", line)]


def _package(wanted: str) -> HealthCheck:
    name = re.split(r"[^\w.-]", wanted)[0]
    try:
        held = version(name)
    except PackageNotFoundError:
        return HealthCheck(name, False, "not installed", INSTALL)
    from packaging.requirements import Requirement

    asked = Requirement(wanted)
    if asked.specifier.contains(held, prereleases=True):
        return HealthCheck(name, True, held)
    return HealthCheck(name, False, f"{held}, but the kit needs {asked.specifier}", INSTALL)


def kernel(prefix: str = sys.prefix) -> HealthCheck:
    """Tell whether notebooks run in this environment: which Python Jupyter's kernel `python3` starts."""
    mend = "run python3 kit.py lab, or choose this environment's kernel in the notebook's upper right corner"
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ImportError:
        return HealthCheck("notebook kernel", False, "Jupyter is not installed", INSTALL)
    try:
        started = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return HealthCheck("notebook kernel", False, "there is no kernel `python3`", INSTALL)
    # The kernel that ipykernel installs says `python`, which Jupyter reads as its own interpreter.
    path = Path(started if os.path.isabs(started) else sys.executable)
    # The folder, not the file: an environment's Python is itself a link to the one it was made from.
    if path.parent.resolve().is_relative_to(Path(prefix).resolve()):
        return HealthCheck("notebook kernel", True, str(path))
    return HealthCheck("notebook kernel", False, f"{path} is not in this environment ({prefix})", mend)


def browser() -> HealthCheck:
    """Look for a browser that could open a notebook."""
    import webbrowser

    mend = "python3 kit.py lab --no-browser prints the address to open elsewhere"
    try:
        name = getattr(webbrowser.get(), "name", "") or "found"
        return HealthCheck("web browser", True, str(name), mend, needed=False)
    except webbrowser.Error:
        return HealthCheck("web browser", False, "none found", mend, needed=False)


def chromium() -> HealthCheck:
    """Look for what the browser tests need."""
    path = find_chromium()
    mend = "kit.py test leaves the browser tests out; install chromium or set RAG_KIT_CHROMIUM to run them"
    return HealthCheck(
        "browser for tests", bool(path), path or "no Chromium or Chrome found", mend, needed=False
    )


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    return os.environ.get("RAG_KIT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)


def disk(folder: Path) -> HealthCheck:
    """Tell how much room the disk of a folder has."""
    free = shutil.disk_usage(_there(folder)).free
    mend = "free some space: an installation needs 1 GB, cached vectors need a few MB for a thousand chunks"
    return HealthCheck("disk space", free >= LEAST_FREE, f"{free / 1e9:.1f} GB free", mend, needed=False)


def cached(folder: Path) -> HealthCheck:
    """Tell where vectors and parsed documents are cached, how much that is, and whether it can be written."""
    files = cache_files(folder)
    size = sum(path.stat().st_size for path in files)
    detail = f"{folder}: {len(files)} files, {size / 1e6:.1f} MB"
    place = _there(folder)
    if place.is_dir() and os.access(place, os.W_OK | os.X_OK):
        return HealthCheck("vector cache", True, detail, needed=False)
    mend = "all is read and computed anew each time: set RAG_KIT_CACHE_DIR to a folder that can be written"
    return HealthCheck("vector cache", False, f"{detail}, cannot be written", mend, needed=False)


def cache_files(folder: Path) -> list[Path]:
    """Return the files that hold cached vectors and parsed documents, and damaged ones that were put aside."""
    kinds = [f"{what}/{kind}" for what in ("vectors", "parsed") for kind in ("*.sqlite*", "*.damaged")]
    return sorted(path for kind in kinds for path in folder.glob(kind))


def clear_cache(folder: Path) -> int:
    """Remove the cached vectors and parsed documents and nothing else; returns how many files went."""
    files = cache_files(folder)
    for path in files:
        path.unlink(missing_ok=True)
    return len(files)


def _there(path: Path) -> Path:
    """Return the path, or the nearest folder above it that exists."""
    return next(place for place in (path, *path.absolute().parents) if place.exists())
