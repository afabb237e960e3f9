"""What is made once: by one of those who ask, and again only where that failed."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from rag_kit.retrieval.once import Once


def test_threads_that_ask_together_get_one_thing():
    made, together, second = [], Barrier(8), Event()

    def make():
        made.append(object())
        if len(made) > 1:
            second.set()
        second.wait(0.1)  # the others ask meanwhile
        return made[-1]

    once = Once(make)

    def ask(_):
        together.wait(30)
        return once.get()

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(ask, range(8)))
    assert len(made) == 1
    assert given == made * 8


def test_what_could_not_be_made_is_tried_again():
    answers = iter([OSError("no network"), "made"])

    def make():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    once = Once(make)
    with pytest.raises(OSError, match="no network"):
        once.get()
    assert not once.is_made
    assert once.get() == once.get() == "made"


def test_whoever_makes_it_may_ask_for_it_and_what_is_made_is_at_hand_from_the_start():
    asked = []

    def make():
        asked.append("asked")
        return 1 if len(asked) > 1 else once.get() + 1

    once = Once(make)
    assert (once.get(), len(asked)) == (2, 2)
    assert Once.of("held").is_made
    assert Once.of("held").get() == "held"
