"""Doctor names what is missing and its mend; what is only useful may be missing."""

import json
import re
import sys

import pytest

from rag_kit import load_settings
from rag_kit.doctor import all_well, brief, checks_json, checks_text, examine
from rag_kit.indexing import VectorCache
from rag_kit.machine import (
    HealthCheck,
    cached,
    chromium,
    clear_cache,
    disk,
    find_chromium,
    kernel,
    packages,
)
from rag_kit.parsing.cache import ResultCache
from rag_kit.testing import WordEmbedder

OFFLINE = load_settings({}, offline=True)


def test_everything_needed_is_here_and_named():
    checks = {check.name: check for check in examine(OFFLINE)}
    assert all_well(list(checks.values())), checks_text(list(checks.values()))
    looked_at = {"python", "rag_kit", "numpy", "openai", "jupyterlab", "embedding model", "tokenizer", "chat"}
    assert looked_at | {"network", "notebook kernel", "web browser", "vector cache", "disk space"} <= set(
        checks
    )
    assert checks["network"].detail == "not needed"
    assert "sha256 8199be6f699a" in checks["embedding model"].detail
    assert {name for name, check in checks.items() if not check.needed} == {
        "web browser",
        "browser for tests",
        "vector cache",
        "disk space",
    }


def test_the_brief_form_is_three_lines_that_no_machine_changes():
    assert brief(OFFLINE).splitlines() == [
        "set-up: complete",
        "chat model: offline-reader (quotes its sources or refuses; not a language model)",
        "embedding model: all-MiniLM-L6-v2; network: not needed",
    ]


def test_the_host_that_receives_text_is_named_without_password_or_key(monkeypatch):
    url = "https://ann:secret@gateway.example:8443/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-FAKE1234567890")
    checks = {check.name: check.detail for check in examine(load_settings())}
    assert (
        checks["network"]
        == "needed: text goes to gateway.example:8443, because of OPENAI_API_KEY and OPENAI_BASE_URL"
    )
    assert checks["chat"].endswith("on gateway.example:8443")
    assert checks["embeddings"].endswith("on this machine")
    assert not re.search("secret|FAKE1", json.dumps(checks))


def test_a_missing_need_is_bad_and_says_the_mend_and_a_missing_extra_is_not():
    need = HealthCheck("model", False, "gone", "install it")
    extra = HealthCheck("browser", False, "none", "open it yourself", needed=False)
    fine = HealthCheck("python", True, "3.11")
    assert checks_text([fine, need, extra]).splitlines() == [
        "ok   python   3.11",
        "BAD  model    gone",
        "              mend: install it",
        "--   browser  none",
        "              mend: open it yourself",
    ]
    assert checks_json([fine, need])["ok"] is False
    assert checks_json([fine, extra])["ok"] is True


def test_a_package_that_is_missing_or_too_old_is_named(tmp_path):
    path = tmp_path / "requirements.txt"
    path.write_text(
        "# a comment\n\nnumpy>=2.0,<3\nnumpy>=99  # newer\nno-such-package\n-e .\n", encoding="utf-8"
    )
    good, old, missing = packages(path)
    assert (good.name, good.ok) == ("numpy", True)
    assert (old.name, old.ok) == ("numpy", False)
    assert "but the kit needs >=99" in old.detail
    assert (missing.name, missing.detail) == ("no-such-package", "not installed")
    assert "pip install -r requirements.txt" in missing.mend


def test_without_its_checkout_the_kit_says_so(tmp_path):
    (check,) = packages(tmp_path / "requirements.txt")
    assert (check.ok, check.needed) == (False, True)
    assert "checkout" in check.mend


def test_a_kernel_of_another_environment_is_found_out(tmp_path, monkeypatch):
    assert kernel().ok
    spec = tmp_path / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    other = tmp_path / "other" / "bin" / "python"
    spec.write_text(json.dumps({"argv": [str(other)], "display_name": "Other"}), encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    found = kernel()
    assert not found.ok
    assert str(other) in found.detail
    assert "kit.py lab" in found.mend
    assert kernel(prefix=str(tmp_path / "other")).ok


def test_a_browser_for_the_tests_is_looked_for_where_it_is_said_to_be(tmp_path, monkeypatch):
    monkeypatch.setenv("RAG_KIT_CHROMIUM", "somewhere")
    assert (find_chromium(), chromium().detail) == ("somewhere", "somewhere")
    monkeypatch.delenv("RAG_KIT_CHROMIUM")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium() is None
    assert (chromium().ok, chromium().needed) == (False, False)


def test_the_cache_is_measured_and_cleared_of_what_is_cached_and_nothing_else(tmp_path):
    assert "0 files, 0.0 MB" in cached(tmp_path / "not" / "there").detail
    embedder = WordEmbedder("fee")
    VectorCache(tmp_path, "a").put({"fee": embedder.embed(["fee"])[0]})
    path = VectorCache(tmp_path, "b").path
    path.write_bytes(b"damaged" * 1_000_000)
    path.replace(path.with_suffix(".damaged"))
    (tmp_path / "vectors" / "notes.txt").write_text("mine", encoding="utf-8")
    ResultCache(tmp_path).put(b"key", [], single=False)
    assert f"{tmp_path}: 3 files, 7.0 MB" in cached(tmp_path).detail
    assert clear_cache(tmp_path) == 3
    assert ResultCache(tmp_path).get(b"key") is None
    assert [path.name for path in (tmp_path / "vectors").iterdir()] == ["notes.txt"]


def test_a_cache_that_cannot_be_written_is_said_but_does_no_harm(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = cached(tmp_path / "file" / "cache")
    assert (found.ok, found.needed) == (False, False)
    assert "RAG_KIT_CACHE_DIR" in found.mend


def test_disk_space_is_of_the_nearest_folder_that_exists(tmp_path):
    assert disk(tmp_path / "not" / "there").detail.endswith(" GB free")


@pytest.mark.parametrize("flag", ["--json", "--clear-cache"])
def test_the_command_prints_and_exits_with_what_it_found(process, tmp_path, flag):
    VectorCache(tmp_path, "a").put({"fee": WordEmbedder("fee").embed(["fee"])[0]})
    ran = process("doctor", flag, RAG_KIT_CACHE_DIR=str(tmp_path))
    assert ran.status == 0
    if flag == "--json":
        assert ran.json["ok"] is True
        assert set(ran.json["findings"][0]) == {"name", "ok", "detail", "mend", "needed"}
        assert str(sys.prefix) in ran.json["findings"][0]["detail"]
    else:
        assert ran.complaint == "rag_kit: 1 files of cached vectors and parsed documents removed"
        assert "0 files" in ran.stdout
