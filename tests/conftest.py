"""What a test checks, answers and rates goes to a folder that is thrown away, never to the user's own."""

import os

import pytest

LEARNER_DIR = "RAG_KIT_LEARNER_DIR"


@pytest.fixture(scope="session", autouse=True)
def results_of_this_run(tmp_path_factory):
    """Also for what outlives one test, such as a JupyterLab with its kernels."""
    before = os.environ.get(LEARNER_DIR)
    os.environ[LEARNER_DIR] = str(tmp_path_factory.mktemp("learner"))
    yield
    if before is None:
        del os.environ[LEARNER_DIR]
    else:
        os.environ[LEARNER_DIR] = before


@pytest.fixture(autouse=True)
def results_of_this_test(tmp_path, monkeypatch):
    monkeypatch.setenv(LEARNER_DIR, str(tmp_path / "learner"))
