"""Wrong words on the command line: an option by half its name, a text that looks like one, an empty value."""

import re

import pytest

from rag_kit.cli import main
from rag_kit.cli.main import COMMANDS
from rag_kit.cli.parser import make_parser


@pytest.fixture
def complaint(capsys):
    """Run a command that is wrong, and return the line that says so."""

    def run(*words):
        capsys.readouterr()
        status = main(list(words))
        out, err = capsys.readouterr()
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        return err.removeprefix("rag_kit: ").rstrip("\n")

    return run


FROM_DOCS = ["--docs", "."]
WHOLE = {
    **{name: ["fee", *FROM_DOCS] for name in ("ask", "search")},
    **{name: ["."] for name in ("parse", "chunk", "diagnose")},
    **{name: ["--questions", "q", *FROM_DOCS] for name in ("sweep", "benchmark")},
    "index": ["--out", "o", *FROM_DOCS],
}
"""What each command needs at least."""


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_is_taken_by_a_part_of_its_name(command, capsys, complaint):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    options = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert {"--help", "--offline"} <= options
    for short in {option[:-1] for option in options} - options:
        said = complaint(command, *WHOLE.get(command, []), short)
        assert said.startswith(f"unrecognized arguments: {short}: did you mean --")


def test_a_part_of_a_name_is_answered_with_the_whole(complaint):
    asked = ["search", "fee", "--docs", "."]
    assert complaint(*asked, "--js") == (
        "unrecognized arguments: --js: did you mean --json? (see rag_kit search --help)"
    )
    assert complaint(*asked, "--zzzz") == "unrecognized arguments: --zzzz (see rag_kit search --help)"
    assert "put a text of several words in quotes" in complaint("search", "late", "fee", "--docs", ".")


@pytest.mark.parametrize(("command", "words"), [("search", ["--index", "i"]), ("ask", ["--docs", "a", "b"])])
@pytest.mark.parametrize("text", ["--no-cache", "-x", "--colour=red"])
def test_a_text_that_begins_with_a_dash_has_a_mend_that_works(complaint, command, words, text):
    said = complaint(command, text, *words)
    assert said == (
        f"{text} is no option: a text that begins with a dash goes last, after two of them, as in "
        f'rag_kit {command} --docs PATH -- "{text}" (see rag_kit {command} --help)'
    )
    parsed = make_parser(COMMANDS).parse_args([command, *words, "--", text])
    assert text in vars(parsed).values()
    assert words[1:] in (parsed.docs, [parsed.index])


@pytest.mark.parametrize("empty", ["", " "])
@pytest.mark.parametrize(
    "words",
    [
        ["benchmark", "--docs", ".", "--questions"],
        ["sweep", "--docs", ".", "--questions"],
        ["search", "fee", "--index"],
        ["ask", "fee", "--index"],
        ["benchmark", "--questions", "q", "--index"],
        ["index", "--docs", ".", "--out"],
        ["benchmark", "--docs", ".", "--questions", "q", "--out"],
        ["sweep", "--docs", ".", "--questions", "q", "--plot"],
    ],
    ids=" ".join,
)
def test_an_empty_name_is_said_to_be_empty(complaint, words, empty):
    assert complaint(*words, empty).startswith(f"argument {words[-1]}: it is empty: name a file or a folder")
