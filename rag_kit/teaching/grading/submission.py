"""Running somebody else's notebook for the grader: whatever a cell does, the next one gets its turn."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Self

from rag_kit.teaching.building.execute import environment, own_kernel_manager
from rag_kit.teaching.grading.marking import mark_code, read_mark, setup_code
from rag_kit.teaching.markup import shorten

SECONDS_TO_START = 120


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a submission: its place, counted from 1, its kind and its source."""

    place: int
    kind: str
    source: str


class Session:
    """The submission in a kernel. Cells that hang or end the kernel are left out after a fresh start.

    ``troubles`` says by place what went wrong with a cell, ``notes`` names the cells that were left out.
    """

    def __init__(self, cells: list[Cell], *, seconds: int, token: str) -> None:
        self.cells = [cell for cell in cells if cell.kind == "code" and cell.source.strip()]
        self.seconds = seconds
        self.token = token
        self.troubles: dict[int, str] = {}
        self.left_out: set[int] = set()
        self._open = ExitStack()
        self._client: Any = None

    def __enter__(self) -> Self:
        """Start; the kernel comes with the first mark."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the kernel."""
        self._stop()

    @property
    def notes(self) -> list[str]:
        """Return one line for each cell that was left out."""
        return [f"cell {place} was left out: it {self.troubles[place]}" for place in sorted(self.left_out)]

    def mark(self, number: str) -> tuple[dict[str, Any] | None, str]:
        """Run the cases of an exercise; return the report, or None and what went wrong."""
        while self._client is None:
            self._start()
        cell = _code(mark_code(self.token, number))
        trouble = self._run(cell)
        if trouble:
            self._stop()  # the next exercise gets a kernel that nothing was done to
            return None, f"the function {trouble}"
        report = read_mark(cell, self.token)
        return report, "" if report else "its marks could not be read"

    def _start(self) -> None:
        """Start a kernel and run the learner's cells; after one that breaks off there is no client."""
        import nbformat
        from nbclient import NotebookClient

        make: Any = nbformat.v4.new_notebook
        folder = self._open.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        profile = self._open.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        self._client = NotebookClient(
            make(cells=[_code("")]),
            kernel_name="python3",
            kernel_manager_class=own_kernel_manager(),
            extra_arguments=["--Application.log_level=CRITICAL"],
            allow_errors=True,
            timeout=SECONDS_TO_START,
            startup_timeout=SECONDS_TO_START,
            shutdown_kernel="immediate",
            resources={"metadata": {"path": folder}},
        )
        self._client.log.setLevel("CRITICAL")  # a cell that hangs is reported, and not logged as well
        self._open.enter_context(self._client.setup_kernel(env=environment(profile)))
        self._run(_code(setup_code(self.token)))
        self._client.timeout = self.seconds
        for cell in self.cells:
            if cell.place in self.left_out:
                continue
            code = _code(cell.source)
            if trouble := self._run(code):
                self.left_out.add(cell.place)
                self.troubles[cell.place] = trouble
                self._stop()
                return
            if raised := _error(code):
                self.troubles[cell.place] = f"raised {raised}"

    def _run(self, cell: Any) -> str:
        """Run one cell; return what it did to the kernel, or nothing where that is fine."""
        from nbclient.exceptions import CellTimeoutError, DeadKernelError

        try:
            self._client.execute_cell(cell, 0)
        except CellTimeoutError:
            return f"did not end within {self.seconds} s"
        except DeadKernelError:
            return "ended the kernel"
        return ""

    def _stop(self) -> None:
        self._open.close()
        self._client = None


def _code(source: str) -> Any:
    import nbformat

    make: Any = nbformat.v4.new_code_cell
    return make(source)


def _error(cell: Any) -> str:
    errors = [output for output in cell.outputs if output["output_type"] == "error"]
    return shorten(f"{errors[0]['ename']}: {errors[0]['evalue']}", 160) if errors else ""
