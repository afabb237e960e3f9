"""Settings: what the environment means, and that a key is never kept."""

from pathlib import Path

import pytest

from rag_kit import load_settings
from rag_kit.errors import InvalidValue
from rag_kit.llm import connect
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL

KEY = "sk-test-FAKE1234567890"


def test_without_key_and_address_everything_runs_on_this_machine():
    settings = load_settings({})
    assert settings.offline
    assert settings.remote_host is None
    assert (settings.chat_model, settings.embed_model) == (LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL)


@pytest.mark.parametrize("blank", ["", "   ", "\n"])
def test_a_blank_value_counts_as_not_set(blank):
    assert load_settings({"OPENAI_API_KEY": blank, "OPENAI_BASE_URL": blank}).offline


def test_a_key_alone_means_openai_for_both():
    settings = load_settings({"OPENAI_API_KEY": KEY})
    assert settings.remote_host == "api.openai.com"
    assert not settings.embeds_locally


def test_an_address_alone_is_enough_and_keeps_embeddings_here():
    settings = load_settings({"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"})
    assert settings.remote_host == "127.0.0.1:11434"
    assert settings.embeds_locally
    assert settings.chat_model != LOCAL_CHAT_MODEL


def test_chat_and_embeddings_are_chosen_apart():
    settings = load_settings(
        {"OPENAI_API_KEY": KEY, "RAG_KIT_CHAT_MODEL": "a", "RAG_KIT_EMBED_MODEL": LOCAL_EMBED_MODEL}
    )
    assert settings.chat_model == "a"
    assert settings.embeds_locally


def test_offline_wins_over_everything():
    environment = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": "http://x/v1",
        "RAG_KIT_CHAT_MODEL": "a",
        "RAG_KIT_EMBED_MODEL": "b",
    }
    settings = load_settings(environment, offline=True)
    assert settings == load_settings({"RAG_KIT_CACHE_DIR": str(settings.cache_dir)})
    assert load_settings(environment).go_offline() == settings


def test_settings_never_hold_the_key():
    settings = load_settings({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"https://user:{KEY}@models.test/v1"})
    assert settings.remote_host == "models.test"
    assert "FAKE1" not in repr(load_settings({"OPENAI_API_KEY": KEY}))


def test_the_cache_and_the_progress_bars_are_set_by_name(tmp_path):
    settings = load_settings({"RAG_KIT_CACHE_DIR": str(tmp_path), "RAG_KIT_PROGRESS": "0"})
    assert settings.cache_dir == tmp_path
    assert not settings.progress
    assert load_settings({}).progress


def test_what_a_file_may_take_is_set_by_name():
    settings = load_settings({"RAG_KIT_PARSE_SECONDS": "2.5", "RAG_KIT_PARSE_MEMORY_MB": "500"})
    assert (settings.parse_seconds, settings.parse_memory_mb) == (2.5, 500)
    default = load_settings({"RAG_KIT_PARSE_SECONDS": " "})
    assert (default.parse_seconds, default.parse_memory_mb) == (60, 3072)


@pytest.mark.parametrize("name", ["RAG_KIT_PARSE_SECONDS", "RAG_KIT_PARSE_MEMORY_MB"])
@pytest.mark.parametrize("amount", ["0", "-1", "nan", "inf", "1e9", "much", "0.5"])
def test_a_limit_that_is_none_is_refused(name, amount):
    with pytest.raises(InvalidValue, match=f"{name} '{amount}' is not an amount"):
        load_settings({name: amount})


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("http://gateway/v1/proxy/https://api.openai.com/v1", "gateway"),
        ("https://user:p%40ss@models.test:8443/v1", "models.test:8443"),
        ("HTTP://[::1]:8080/v1", "[::1]:8080"),
        ("http://127.0.0.1:11434", "127.0.0.1:11434"),
    ],
)
def test_the_host_that_is_named_is_the_one_that_receives_text(address, host):
    assert load_settings({"OPENAI_BASE_URL": address}).remote_host == host


@pytest.mark.parametrize(
    "address",
    ["gateway", "gateway/v1", "ftp://gateway/v1", "http:///v1", "http://[::1/v1", "http://host:abc/v1"]
    + ["http://host:70000/v1", "http://ho st/v1", "file:///etc/passwd", "http://user:pass@/v1"],
)
def test_an_address_that_is_none_is_refused_in_one_line_and_not_repeated(address):
    with pytest.raises(InvalidValue, match="OPENAI_BASE_URL is not a web address: write it like") as caught:
        load_settings({"OPENAI_BASE_URL": address})
    assert address not in str(caught.value)
    assert load_settings({"OPENAI_BASE_URL": address}, offline=True).offline


@pytest.mark.parametrize("key", ["sk-kéy", "sk-\u200bkey", "sk-a\nb", "“sk-key”"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_repeated(key):
    with pytest.raises(InvalidValue, match="OPENAI_API_KEY") as caught:
        load_settings({"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


@pytest.mark.parametrize("address", ["http://999.1.1.1/v1", "http://\u2603.net/v1"])
def test_an_address_that_only_the_client_knows_to_be_none_is_refused_too(monkeypatch, address):
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(InvalidValue, match="OPENAI_BASE_URL is not a web address"):
        connect()


@pytest.mark.parametrize("proxy", ["foo bar", "socks5://secret@proxy:1", "http://[::1", "ftp://proxy"])
def test_a_proxy_that_is_none_is_refused_and_not_repeated(monkeypatch, proxy):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(InvalidValue, match="HTTPS_PROXY .* is no proxy that can be used") as caught:
        connect()
    assert proxy not in str(caught.value)


def test_the_users_own_folder_is_meant_by_a_tilde(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert load_settings({"RAG_KIT_CACHE_DIR": "~/vectors"}).cache_dir == tmp_path / "vectors"
    assert load_settings({"RAG_KIT_CACHE_DIR": "~nobody-here/x"}).cache_dir == Path("~nobody-here/x")
