"""Settings: what the environment means, and that a key is never kept."""

import pytest

from rag_kit import load_settings
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
