"""JupyterLab in a real Chromium, on a copy of the kit, with every request watched."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import nbformat
import pytest

from rag_kit.machine import find_chromium
from rag_kit.settings import default_cache_dir
from rag_kit.teaching.building.canonical import METADATA, canonical
from rag_kit.teaching.building.execute import execute
from rag_kit.teaching.building.lessons import read_lesson, to_notebook

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = find_chromium()
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NOT_COPIED = (
    ".git",
    ".venv",
    ".cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    "__pycache__",
    "*.egg-info",
)
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}


def missing(reason):
    if os.environ.get("RAG_KIT_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{reason}, and RAG_KIT_REQUIRE_BROWSER=1 asks for a browser")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    if not CHROMIUM:
        missing("no Chromium found; install it or set RAG_KIT_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def kit(tmp_path_factory, browser):
    """Copy the kit: JupyterLab writes beside the notebooks it opens. No browser, no copy."""
    root = tmp_path_factory.mktemp("lab") / "kit"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*NOT_COPIED))
    (root / "notebooks").mkdir(exist_ok=True)
    return root


@pytest.fixture(scope="session")
def known_vectors():
    """Begin with the vectors that this user's notebooks have made, as a learner would; theirs stay as they are.
    In `kit.py test` those of the other tests are there already.

    Without them the first lesson embeds all sample documents, which takes longer than all these tests.
    """
    target = Path(os.environ["RAG_KIT_CACHE_DIR"]) / "vectors"
    if "RAG_KIT_TESTS_CACHE" in os.environ:
        return
    target.mkdir(parents=True, exist_ok=True)
    for path in (Path(default_cache_dir()) / "vectors").glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as held, closing(sqlite3.connect(target / path.name)) as copy:
            held.backup(copy)


@pytest.fixture(scope="session")
def lab(kit, known_vectors):
    """Start JupyterLab and return its address; it and its kernels are gone afterwards."""
    home = kit.parent
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(NO_NEWS), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    scrubbed = ("OPENAI_", "RAG_KIT_CHAT_", "RAG_KIT_EMBED_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(scrubbed)}
    (home / "temporary").mkdir()
    env |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(home / "temporary")) | {
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"),
        *("--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={kit}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    log_path, base = home / "lab.log", f"http://127.0.0.1:{port}"
    with log_path.open("w", encoding="utf-8") as log:
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            wait_for(base + "/api/status", server, log_path)
            yield base
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def wait_for(address, server, log_path):
    for _ in range(300):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                answer.read()
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("JupyterLab did not start: " + log_path.read_text(encoding="utf-8")[-2000:])


class Lab:
    """What the tests do in JupyterLab, through its own commands."""

    def __init__(self, page):
        self.page = page

    def command(self, name, **arguments):
        self.page.evaluate(
            "async ([name, arguments]) => { await window.jupyterapp.commands.execute(name, arguments); }",
            [name, arguments],
        )

    def open(self, path):
        self.command("docmanager:open", path=path, factory="Notebook")
        self.page.wait_for_function(
            """path => { const w = window.jupyterapp.shell.currentWidget;
            return w?.context?.path === path && w.sessionContext?.isReady
                && w.sessionContext.session?.kernel?.status === 'idle'; }""",
            arg=path,
            timeout=60_000,
        )
        return self

    def run_all(self):
        """Run every cell, and wait until the last code cell has its count."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            """() => { const w = window.jupyterapp.shell.currentWidget;
            const code = w.content.widgets.filter(c => c.model.type === 'code' && c.model.sharedModel.source);
            return code.every(c => c.model.executionState === 'idle' && c.model.executionCount)
                && w.sessionContext.session.kernel.status === 'idle'; }""",
            timeout=240_000,
        )
        return self

    def errors(self):
        """Return the errors among the outputs of the notebook."""
        return self.page.evaluate(
            """async () => { const w = window.jupyterapp.shell.currentWidget;
            const cells = w.content.widgets.filter(c => c.model.type === 'code');
            return cells.flatMap(c => c.model.outputs.toJSON())
                .filter(o => o.output_type === 'error').map(o => o.ename + ': ' + o.evalue); }"""
        )

    def theme(self, name):
        self.command("apputils:change-theme", theme=name)
        light = "false" if "Dark" in name else "true"
        self.page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")
        self.page.wait_for_function("() => !document.querySelector('#jupyterlab-splash')")

    def shot(self, name, folder):
        """Keep a picture, also in the folder RAG_KIT_SHOTS where one is named."""
        for place in filter(None, (folder, os.environ.get("RAG_KIT_SHOTS"))):
            self.page.screenshot(path=str(Path(place) / f"{name}.png"))

    def close(self):
        self.page.evaluate(
            """async () => { const w = window.jupyterapp.shell.currentWidget;
            if (w?.context) { await w.sessionContext.shutdown(); w.dispose(); } }"""
        )


@pytest.fixture(scope="session")
def lab_page(lab, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1100})
    page.set_default_timeout(120_000)  # a machine that does something else as well is slow, not broken
    page.strangers = []
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith((lab, "data:", "blob:")) else page.strangers.append(request.url)
        ),
    )
    page.goto(lab + "/lab?reset")
    page.wait_for_function(
        "() => window.jupyterapp?.restored && document.querySelector('.jp-Launcher')", timeout=60_000
    )
    page.evaluate("async () => { await window.jupyterapp.restored; }")
    yield page
    page.close()


@pytest.fixture
def jupyter(lab_page, tmp_path):
    """Hand out JupyterLab; afterwards the notebook is closed and no request may have left this machine."""
    jupyter = Lab(lab_page)
    yield jupyter
    jupyter.shot("end", tmp_path)
    jupyter.theme("JupyterLab Light")
    jupyter.close()
    assert not lab_page.strangers, lab_page.strangers


@pytest.fixture(scope="module")
def inspector_notebook(kit, request):
    """Put the notebook of the module's SOURCE into the copied kit, without outputs; return its path there."""
    source = request.module.SOURCE
    notebook = to_notebook(read_lesson(source))
    notebook.metadata = nbformat.from_dict(METADATA)
    path = kit / "notebooks" / f"browser_{source.stem}.ipynb"
    nbformat.write(notebook, path)
    return f"notebooks/{path.name}"


@pytest.fixture(scope="module")
def executed_notebook(kit, request):
    """The same, executed as the build does it."""
    source = request.module.SOURCE
    notebook = to_notebook(read_lesson(source))
    execute(notebook, kit / "notebooks", source.name)
    path = kit / "notebooks" / f"browser_{source.stem}_executed.ipynb"
    path.write_text(canonical(notebook, path.stem, path.name), encoding="utf-8")
    return f"notebooks/{path.name}"
