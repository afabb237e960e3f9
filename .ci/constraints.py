"""Rewrite constraints.txt with the newest releases, and measure what installing them takes.

Run as `python3.11 .ci/constraints.py`, with uv on PATH. The sizes are those of the wheels that pip fetches on
this machine and of the environment it makes of them; kit.py shows them before it installs.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEVELS = {"learner": "requirements.txt", "dev": "requirements-dev.txt"}
COMPILE = (
    "uv pip compile --universal --python-version 3.11 --no-header --no-annotate --no-emit-package rag-kit "
    "requirements-dev.txt"
)
HEADER = """\
# The versions that were tested, with markers for Linux, macOS and Windows and for Python 3.11 and newer.
# Made by `python3.11 .ci/constraints.py`, which runs
#   {compile}
# and measures, on {platform}:
{sizes}
"""


def megabytes(folder: Path) -> str:
    """Return the size of all files in a folder."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return f"{size / 1e6:.0f} MB"


def measure(requirements: list[str], constraints: Path, folder: Path) -> str:
    """Download and install the requirements in an empty folder, and say how much that was."""
    wheels, venv = folder / "wheels", folder / "venv"
    wanted = folder / "requirements.txt"
    wanted.write_text("\n".join(requirements), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = sys.executable, "-m", "pip", "--quiet", "--python", venv
    what = "-r", wanted, "-c", constraints
    subprocess.run([*pip, "download", "--no-cache-dir", "--dest", wheels, *what], check=True)
    subprocess.run([*pip, "install", "--no-index", "--find-links", wheels, *what], check=True)
    return f"{megabytes(wheels)} to download, {megabytes(venv)} on disk"


def main() -> None:
    """Compile, measure each level, write."""
    pins = subprocess.run(COMPILE.split(), cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    sizes, requirements = [], []
    for level, name in LEVELS.items():  # a level has its own lines and those of the level before
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        requirements += [line for line in lines if not line.startswith("-")]
        with tempfile.TemporaryDirectory() as scratch:
            constraints = Path(scratch, "constraints.txt")
            constraints.write_text(pins, encoding="utf-8")
            sizes.append(f"# {level}: {measure(requirements, constraints, Path(scratch))}")
    header = HEADER.format(compile=COMPILE, platform=sys.platform, sizes="\n".join(sizes))
    (ROOT / "constraints.txt").write_text(header + pins, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
