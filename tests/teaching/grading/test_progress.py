"""What is kept of a learner's results, and how it is shown: progress, checkpoint questions, self-rating."""

import json
import os
import sys

import pytest

from rag_kit.errors import InvalidValue
from rag_kit.teaching import Quiz, SelfRating, check, progress
from rag_kit.teaching.grading.registry import Exercise, load_exercises
from rag_kit.teaching.grading.results import Answered, Checked, Results, State, results_path


@pytest.fixture
def exercises():
    made = {n: Exercise(n, f"title {n}", "fn", ()) for n in ("08.1", "08.2", "09.1")}
    for exercise in made.values():
        for name in ("one", "two"):
            exercise.case(name, "Hint.")(lambda fn: None)
        exercise.case("secret", hidden=True)(lambda fn: None)
    return made


def kept(**checks):
    def note(state):
        for number, names in checks.items():
            state.checks[number.strip("_").replace("_", ".")] = Checked(1, names)

    return note


def test_green_is_counted_by_exercise_over_the_whole_course(exercises):
    results = Results()
    results.change(kept(_08_1=["one", "two"], _09_1=["one", "gone by now", "secret"], _07_7=["one"]))
    shown = progress(exercises=exercises)
    assert repr(shown).splitlines() == [
        "3 of 6 checks of the course are green",
        "  08.1  title 08.1  ■■  2 of 2",
        "  08.2  title 08.2  □□  0 of 2",
        "  09.1  title 09.1  ■□  1 of 2",
    ]
    assert "<strong>3 of 6 checks of the course are green</strong>" in shown.bundle["text/html"]
    assert repr(progress("09", exercises=exercises)).startswith("1 of 2 checks of lesson 09 are green")
    with pytest.raises(InvalidValue, match="no exercises for lesson '07'; choose from 08, 09"):
        progress("07", exercises=exercises)


def test_the_latest_check_counts():
    check("01.2", lambda sizes, budget: [0, 1])
    before = repr(progress())
    check("01.2", lambda sizes, budget: None)
    assert before.splitlines()[2].endswith("3 of 4")
    assert repr(progress()).splitlines()[2].endswith("0 of 4")
    total = sum(len(exercise.visible) for exercise in load_exercises().values())
    assert repr(progress()).startswith(f"0 of {total} checks")


def test_the_next_session_finds_them():
    check("01.2", lambda sizes, budget: [0, 1])
    state = Results().read()
    assert state.checks["01.2"].failed_calls == 1
    assert len(state.checks["01.2"].passed) == 3


def test_where_they_are_kept(tmp_path):
    assert results_path({"RAG_KIT_LEARNER_DIR": "a", "RAG_KIT_CACHE_DIR": "b"}).as_posix() == "a/learner.json"
    assert results_path({"RAG_KIT_LEARNER_DIR": " ", "RAG_KIT_CACHE_DIR": "b"}).as_posix() == "b/learner.json"
    assert "rag_kit" in str(results_path({}))
    assert Results().path.parent == tmp_path / "learner"


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"checks": 5}', '{"checks": {"01.1": {"passed": "x"}}}', "\x00\xff"]
)
def test_a_damaged_file_is_put_aside_and_begun_anew(tmp_path, capsys, damage):
    path = tmp_path / "learner.json"
    path.write_bytes(damage.encode("latin-1"))
    results = Results(path)
    results.change(kept(_08_1=["one"]))
    assert results.read().checks["08.1"].passed == ["one"]
    assert (tmp_path / "learner.damaged.json").read_bytes() == damage.encode("latin-1")
    assert capsys.readouterr().err.count("was damaged") == 1


def test_a_newer_kits_file_can_be_read(tmp_path):
    path = tmp_path / "learner.json"
    path.write_text('{"ratings": {"01": "confident"}, "badges": []}', encoding="utf-8")
    assert Results(path).read() == State(ratings={"01": "confident"})


def test_a_change_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "learner.json"
    Results(path).change(kept(_08_1=["one"]))
    before = path.read_bytes()

    def breaks(state):
        state.checks.clear()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        Results(path).change(breaks)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["learner.json"]


def test_without_a_place_to_write_results_last_for_the_session(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    results = Results(blocked / "learner.json")
    results.change(kept(_08_1=["one"]))
    results.change(kept(_08_2=["two"]))
    assert set(results.read().checks) == {"08.1", "08.2"}
    assert capsys.readouterr().err.count("cannot be written") == 1


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_no_crash(tmp_path):
    path = tmp_path / "learner.json"
    path.write_text("{}", encoding="utf-8")
    path.chmod(0)
    assert Results(path).read() == State()


def quiz(key="08-first"):
    return Quiz("Why?", [("Because", "Right so."), ("No reason", "There is one.")], answer=0, key=key)


def test_a_quiz_keeps_its_result_and_adds_up():
    first = quiz()
    first.check(1)
    first.choice.value = 0
    first.button.click()
    assert first.result.attempts == 2
    again = quiz()
    again.check(0)
    assert again.result.attempts == 1
    assert Results().read().checkpoints == {"08-first": Answered(3, True, "No reason")}
    quiz("09-other").check(1)
    assert "answered right: 1 of the 2 that you tried" in repr(progress())


def test_looking_at_a_quiz_keeps_nothing():
    repr(quiz())
    assert not Results().path.exists()


def test_a_rating_is_kept_shown_and_found_again():
    rating = SelfRating("01")
    assert "(your rating)" not in rating.html()
    rating.choice.set_state({"index": 1})  # what the browser sends
    assert rating.rating == "getting there"
    assert "Kept: getting there" in rating.said.value
    assert "<strong>getting there (your rating)</strong>" in rating.html()
    assert "  * getting there: " in rating.text()
    assert SelfRating("01").choice.value == "getting there"
    assert SelfRating("02").choice.value is None
    assert "your own rating: 01 getting there" in repr(progress())


def test_a_rating_has_a_static_twin():
    bundle = SelfRating("01")._repr_mimebundle_()
    assert {"text/html", "text/plain", "application/vnd.jupyter.widget-view+json"} <= bundle.keys()


def test_ratings_and_lessons_that_are_not_known():
    with pytest.raises(InvalidValue, match="choose from new to it, getting there, confident"):
        SelfRating("01").rate("superb")
    with pytest.raises(InvalidValue, match="not like '01'"):
        SelfRating("1")
    Results().change(lambda state: state.ratings.update({"01": "superb"}))
    assert SelfRating("01").choice.value is None


def test_the_file_is_json_that_a_person_can_read():
    SelfRating("01").rate("confident")
    assert json.loads(Results().path.read_text(encoding="utf-8"))["ratings"] == {"01": "confident"}
