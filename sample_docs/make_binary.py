"""Write the sample documents that are no plain text, or check that they are what this script writes.

    python sample_docs/make_binary.py            write all of them
    python sample_docs/make_binary.py --check    name those that differ, and change nothing
    python sample_docs/make_binary.py --to DIR   write all of them below another folder

The same versions of the libraries give the same bytes in every run. Needs what requirements-dev.txt adds.
"""

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # The modules, one a document, are in tools/binary_docs.
MODULES = (
    "price_table",
    "probe_manual",
    "maintenance_contract",
    "sensor_sheet",
    "warranty_scan",
    "safety_handbook",
    "commissioning_form",
    "cleaning_limits",
    "volume_note",
    "subcontractor_policy",
    "review_minutes",
    "gauge_workbook",
    "field_sites",
    "drift_mail",
)
LIBRARIES = ("reportlab", "pypdfium2", "PIL", "numpy", "docx", "openpyxl")


def made() -> dict[str, bytes]:
    """Return the bytes of every file by its path below the folder, sidecars among them."""
    files: dict[str, bytes] = {}
    for name in MODULES:
        module = importlib.import_module(f"tools.binary_docs.{name}")
        files[module.ABOUT.path] = module.build()
        if module.ABOUT.sidecar:
            files[f"{module.ABOUT.path}.meta.yaml"] = module.ABOUT.as_yaml().encode()
    return files


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".make_binary-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def differing(files: dict[str, bytes], folder: Path) -> list[str]:
    """Name the files of the folder that are missing or hold other bytes."""
    return [
        name
        for name, data in files.items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != data
    ]


def main() -> int:
    """Read the arguments; exit code 1 if a file differs, 2 if a library is missing or a folder is not."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="name the files that differ, and write nothing")
    parser.add_argument("--to", type=Path, default=HERE, metavar="DIR", help="the folder of the documents")
    arguments = parser.parse_args()
    try:
        files = made()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        sys.stderr.write(f"{error.name} is missing: install requirements-dev.txt\n")
        return 2
    wrong = differing(files, arguments.to)
    if arguments.check:
        sys.stderr.write("".join(f"{name} differs: run make_binary.py\n" for name in wrong))
        return int(bool(wrong))
    try:
        for name in wrong:
            write(arguments.to / name, files[name])
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {(error.strerror or str(error)).lower()}\n")
        return 2
    sys.stdout.write(f"{len(files)} files, {len(wrong)} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
