"""The readers of Office files are imported when they are used, and not before."""

import subprocess
import sys

import pytest

from rag_kit.parsing import office


def test_a_reader_loads_only_what_it_needs():
    code = (
        "import sys; from rag_kit.parsing import office; from rag_kit.parsing.office import parse_csv\n"
        "print({'lxml', 'openpyxl', 'docx'} & set(sys.modules))\n"
        "office.parse_docx; print({'openpyxl', 'docx'} & set(sys.modules), 'lxml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.splitlines() == ["set()", "set() True"]


def test_all_readers_are_there_and_no_other():
    assert all(callable(getattr(office, name)) for name in office.__all__)
    with pytest.raises(AttributeError, match="parse_pdf"):
        _ = office.parse_pdf
