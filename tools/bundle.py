"""Bundle: every wheel that an installation needs, in a folder to carry to where no package index is reachable.

Standard library only: `kit.py bundle DIR [--dev]` calls :func:`bundle` before anything is installed.
"""

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

INSTALL = """\
Wheels for an installation of the kit without a package index.
Made for Python {python} on {system} {machine}; another system or Python needs a bundle of its own.

1. Copy the folder `wheels` beside kit.py, in a checkout of the same state of the kit
   (or leave it where it is, and set RAG_KIT_WHEELS to its path).
2. Run `python3 kit.py doctor`, or any other command.{test}

By hand, in an environment of your own and in the kit's folder:
   pip install --no-index --find-links wheels -r {needs} -c constraints.txt
"""


def bundle(
    arguments: Sequence[str],
    *,
    root: Path,
    levels: Mapping[str, str],
    inputs: Sequence[str],
    say: Callable[[str], None],
) -> int:
    """Make a bundle, with one line on stderr at the start and at the end; returns the exit status."""
    parser = argparse.ArgumentParser(
        "kit.py bundle", description="Fill a folder with all wheels to install.", allow_abbrev=False
    )
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--dev", action="store_true", help="with what `kit.py test` needs")
    options = parser.parse_args(arguments)
    needs, start = levels["dev" if options.dev else "learner"], time.monotonic()
    say(f"fetching the wheels of {needs} into {options.folder} ...")
    try:
        held = fill(root, options.folder, needs=needs, inputs=inputs)
    except subprocess.CalledProcessError as error:
        say(
            f"that failed (exit {error.returncode}; its own words are above): check the network and try again"
        )
        return 1
    except OSError as error:
        say(f"that failed: {error}: choose another folder, or free some disk space")
        return 1
    say(f"{held} in {time.monotonic() - start:.0f} s; {options.folder / 'INSTALL.txt'} says how to use them")
    return 0


def requirements(root: Path, name: str) -> list[str]:
    """Return what a requirements file asks for, the files that it names included, without the kit itself."""
    wanted: list[str] = []
    for line in (root / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            wanted += requirements(root, line.split()[1])
        elif line and not line.startswith(("#", "-")):
            wanted.append(line)
    return wanted


def build_requirements(root: Path) -> list[str]:
    """Return what building the kit itself needs: pip fetches that apart, so a bundle has to hold it too."""
    with (root / "pyproject.toml").open("rb") as file:
        return [str(line) for line in tomllib.load(file).get("build-system", {}).get("requires", [])]


def fill(root: Path, folder: Path, *, needs: str, inputs: Sequence[str]) -> str:
    """Fill a folder with wheels for this system and Python, and return what it holds in words.

    ``needs`` is the requirements file to serve; ``inputs`` are copied beside the wheels, to see later what
    they were made for. Raises OSError or CalledProcessError where that fails.
    """
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        # An environment of its own, for its pip: neither uv nor Debian's Python can be asked for wheels.
        subprocess.run([sys.executable, "-m", "venv", scratch], check=True, stdout=sys.stderr)
        [python] = [path for path in Path(scratch).glob("*/python*") if path.stem == "python"]
        wanted = Path(scratch, "wanted.txt")
        wanted.write_text("\n".join(requirements(root, needs) + build_requirements(root)), encoding="utf-8")
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
        what = ["-r", str(wanted), "-c", str(root / "constraints.txt")]
        subprocess.run([*pip, "--wheel-dir", str(wheels), *what], check=True, stdout=sys.stderr)
    for name in inputs:
        shutil.copyfile(root / name, folder / name)
    test = "\n   `python3 kit.py test` works too." if needs.endswith("-dev.txt") else ""
    text = INSTALL.format(
        python="{}.{}".format(*sys.version_info[:2]),
        system=platform.system(),
        machine=platform.machine(),
        test=test,
        needs=needs,
    )
    (folder / "INSTALL.txt").write_text(text, encoding="utf-8")
    files = list(wheels.iterdir())
    return f"{len(files)} wheels, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB"
