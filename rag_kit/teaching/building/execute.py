"""Run a notebook in a kernel of this very Python, and find the errors that a run can hide."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

from rag_kit.errors import RagKitError
from rag_kit.teaching.building.canonical import NOT_RUN, WIDGET_STATE
from rag_kit.teaching.grading.results import LEARNER_DIR
from rag_kit.teaching.markup import shorten

SECONDS_A_CELL = 600
LOOK_AGAIN = 1.0
"""Seconds after which whoever waits for a message looks whether one has come unseen."""
_SCRUBBED = ("OPENAI_", "RAG_KIT_CHAT_", "RAG_KIT_EMBED_")
_MAY_RAISE = "raises-exception"


def execute(notebook: Any, folder: Path, name: str) -> None:
    """Run all cells in place, in ``folder``; one clear error names the lesson and the cell that failed."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellControlSignal

    begun = ["the start of the kernel"]
    with tempfile.TemporaryDirectory() as profile:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            kernel_manager_class=own_kernel_manager(),
            extra_arguments=["--Application.log_level=ERROR"],
            timeout=SECONDS_A_CELL,
            startup_timeout=60,
            record_timing=False,
            skip_cells_with_tag=NOT_RUN,
            on_cell_start=lambda cell, cell_index: begun.append(f"cell {cell_index + 1}"),
            resources={"metadata": {"path": str(folder)}},
        )
        try:
            client.execute(env=environment(profile))
        except (CellControlSignal, RuntimeError) as error:
            where, said = next(_errors(notebook), (begun[-1], _one_line(str(error))))
            raise RagKitError(f"{name}: {where} failed: {said}") from None
    for where, said in _errors(notebook):
        raise RagKitError(f"{name}: {where} holds an error that did not stop the run: {said}")


def own_kernel_manager() -> Any:
    """Return a manager that starts this very Python, whichever `python3` kernel is installed for the user."""
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    class OwnKernel(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=argv, display_name="Python 3", language="python")

    class OwnKernelManager(AsyncKernelManager):
        def _kernel_spec_manager_default(self) -> KernelSpecManager:
            return OwnKernel()

        def _client_factory_default(self) -> Any:
            return patient_client()

    return OwnKernelManager


def patient_client() -> Any:
    """Return a client that looks for messages again and again while it waits for one.

    A socket tells once that something came. Where another task sends over it at that moment, as for an error in
    an Output widget, that can be missed, and whoever waits for the kernel's answer waits until the time is up.
    """
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.channels import AsyncZMQSocketChannel
    from traitlets import Type

    class PatientChannel(AsyncZMQSocketChannel):
        async def get_msg(self, timeout: float | None = None) -> dict[str, Any]:  # type: ignore[override]
            until = float("inf") if timeout is None else time.monotonic() + timeout
            while True:
                with suppress(Empty):
                    return await super().get_msg(max(0.0, min(LOOK_AGAIN, until - time.monotonic())))
                if time.monotonic() >= until:
                    raise Empty

    class PatientClient(AsyncKernelClient):
        shell_channel_class = Type(PatientChannel)
        iopub_channel_class = Type(PatientChannel)

    return PatientClient


def environment(profile: str) -> dict[str, str]:
    """Return the kernel's environment: no key, no bars, no start-up files or results of the user's own.

    What a cell makes in the folder for temporary files goes with ``profile``.

    >>> environment("p")["PYTHONHASHSEED"], environment("p")["TMPDIR"]
    ('0', 'p')
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_SCRUBBED)}
    own = dict.fromkeys(("IPYTHONDIR", LEARNER_DIR, "TMPDIR", "TEMP", "TMP"), profile)
    return kept | own | {"RAG_KIT_PROGRESS": "0", "PYTHONHASHSEED": "0"}


def _errors(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield place and words of each error, those caught by an Output widget too."""
    for place, cell in enumerate(notebook.cells, 1):
        if cell.cell_type == "code" and _MAY_RAISE not in cell.metadata.get("tags", []):
            yield from ((f"cell {place}", said) for said in _said(cell.outputs))
    states = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    for widget in states.values():
        yield from (("an Output widget", said) for said in _said(widget["state"].get("outputs", [])))


def _said(outputs: Any) -> list[str]:
    errors = (output for output in outputs if output["output_type"] == "error")
    return [_one_line(f"{error['ename']}: {error['evalue']}") for error in errors]


def _one_line(text: str) -> str:
    return shorten(text, 300)
