"""The checkpoint question: what a choice and a click do, and what stands on paper."""

import sys

import pytest

from rag_kit import InvalidValue
from rag_kit.teaching import Quiz, checkpoint

OPTIONS = [("By its length", "Length proves nothing."), ("By its <source>", "The words are there to read.")]
CLICK = {"event": "click"}


@pytest.fixture
def quiz():
    return Quiz("How is a claim checked?", OPTIONS, answer=1, key="00.1")


def choose(quiz, index):
    """Do what the browser does: send the new state, then the click."""
    quiz.choice.set_state({"index": index})
    quiz.button._handle_custom_msg(CLICK, [])


def test_nothing_can_be_checked_before_a_choice(quiz):
    assert quiz.choice.value is None
    assert quiz.button.disabled
    quiz.button.click()
    assert quiz.result.attempts == 0


def test_a_wrong_choice_hears_why_and_may_try_again(quiz):
    choose(quiz, 0)
    assert "Not this one." in quiz.feedback.value
    assert "Length proves nothing." in quiz.feedback.value
    assert not quiz.result.correct
    choose(quiz, 1)
    assert "Right." in quiz.feedback.value
    result = quiz.result
    assert (result.key, result.attempts, result.correct, result.first_choice) == (
        "00.1",
        2,
        True,
        "By its length",
    )


def test_a_new_choice_takes_the_old_feedback_away(quiz):
    choose(quiz, 0)
    quiz.choice.set_state({"index": 1})
    assert quiz.feedback.value == ""
    assert quiz.result.attempts == 1


def test_the_twin_folds_answer_and_feedback_away(quiz):
    seen, folded = quiz.html().split("<details>")
    assert "By its length" in seen
    assert "By its &lt;source&gt;" in seen
    assert "The words are there to read." not in seen
    assert "<strong>B</strong>: The words are there to read." in folded
    assert "A: Length proves nothing." in folded
    assert repr(quiz).splitlines() == [
        "How is a claim checked?",
        "  A. By its length",
        "  B. By its <source>",
    ]


def test_the_twin_is_the_same_after_an_answer(quiz):
    before = quiz.html()
    choose(quiz, 0)
    assert quiz.html() == before


CODED = Quiz(
    "What does `ask --k 5` say, with a < b?",
    [("That `top_k` is ``a`b``", "No: `k` is."), ("That it is late ` here", "Yes, `k < 5`.")],
    answer=1,
    key="k",
)


def test_code_is_shown_as_code_in_question_options_and_feedback():
    html = CODED.html()
    assert "What does <code>ask --k 5</code> say, with a &lt; b?" in html
    assert "That <code>top_k</code> is <code>a`b</code>" in html
    assert "That it is late ` here" in html
    assert "A: No: <code>k</code> is." in html
    assert "<strong>B</strong>: Yes, <code>k &lt; 5</code>." in html
    assert "<code>ask --k 5</code>" in CODED.root.children[0].value
    assert "Yes, <code>k &lt; 5</code>." in CODED.feedback_html(1)


def test_the_letters_stand_in_the_text_of_the_twin_and_of_the_widget(quiz):
    assert "<ol" not in quiz.html()
    assert "<strong>A.</strong> By its length" in quiz.html()
    assert "<strong>B.</strong> By its &lt;source&gt;" in quiz.html()
    assert quiz.choice._options_labels == ("A. By its length", "B. By its <source>")
    assert CODED.choice._options_labels == ("A. That top_k is a`b", "B. That it is late ` here")


def test_hostile_text_stays_text():
    evil = "<script>alert(1)</script>\u202e"
    quiz = Quiz(evil, [(evil, evil), ("b", evil)], answer=0, key="k")
    choose(quiz, 1)
    for html in (quiz.html(), quiz.root.children[0].value, quiz.feedback.value):
        assert "<script" not in html
        assert "\u202e" not in html


def test_without_ipywidgets_the_twin_is_shown_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    quiz = Quiz("?", OPTIONS, answer=1, key="k")
    assert set(quiz._repr_mimebundle_()) == {"text/html", "text/plain"}
    assert quiz.check(1)


@pytest.mark.parametrize(
    ("options", "answer", "message"),
    [
        (OPTIONS[:1], 0, "has 1 options"),
        (OPTIONS, 2, "answer 2 is no option; choose 0 to 1"),
        ([("a", "why"), ("b", " ")], 0, "'b' has no feedback"),
    ],
)
def test_an_incomplete_quiz_is_refused(options, answer, message):
    with pytest.raises(InvalidValue, match=message):
        Quiz("?", options, answer=answer, key="k")


@pytest.mark.parametrize("choice", [2, -1, "0", None, True, 1.0])
def test_a_choice_that_is_no_option_is_refused_and_not_counted(quiz, choice):
    for act in (quiz.check, quiz.feedback_html):
        with pytest.raises(InvalidValue, match=r"quiz '00.1': .* is no option; choose 0 to 1"):
            act(choice)
    assert quiz.result.attempts == 0


GOOD = "a:\n  question: Which?\n  options:\n    - {text: One, feedback: Yes., right: true}\n"


@pytest.mark.parametrize(
    ("yaml", "where"),
    [
        ("a: [", "01.quiz.yaml, line 1: not YAML"),
        ("a: b: c", "01.quiz.yaml, line 1: not YAML"),
        ("a: \x00", "01.quiz.yaml: not YAML"),
        (b"a: \xff", "01.quiz.yaml: not YAML"),
        ("- a", "01.quiz.yaml: not checkpoint questions"),
        ("just words", "01.quiz.yaml: not checkpoint questions"),
        ("a: 5", "01.quiz.yaml, a: options are missing"),
        ("a:", "01.quiz.yaml, a: options are missing"),
        ("a: {question: Which, options: none}", "01.quiz.yaml, a: options are missing"),
        ("a: {question: Which, options: [One]}", "01.quiz.yaml, a: options are missing"),
        (GOOD.replace("Which?", "[a]"), "01.quiz.yaml, a: 'question' is missing"),
        (GOOD.replace("One", "5"), "01.quiz.yaml, a: 'text' is missing or no text"),
        (GOOD.replace("feedback", "feed"), "01.quiz.yaml, a: 'feedback' is missing"),
        (GOOD.replace("true", "false"), "01.quiz.yaml, a: 0 options are marked right"),
        (GOOD, "quiz 'a' has 1 options"),
    ],
)
def test_a_quiz_file_that_is_not_whole_is_named_with_the_key(tmp_path, yaml, where):
    (tmp_path / "01.quiz.yaml").write_bytes(yaml if isinstance(yaml, bytes) else yaml.encode())
    with pytest.raises(InvalidValue) as caught:
        checkpoint("a", tmp_path)
    assert str(caught.value).startswith(where)
    assert "\n" not in str(caught.value)
