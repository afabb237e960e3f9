"""Lesson 03, to be written: a splitter that keeps its promises, and the choice of an arm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rag_kit.teaching.grading.expect import expect, expect_error, expect_text, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise
from rag_kit.types import Span

SPLIT = exercise("03.1", "a splitter that keeps its promises", "split", "text", "size")
NOTE = "One is here. Two is here too. Three ends it."
TABLE = "| Part | Price |\n|---|---|\n| Battery | 145 |\n| Antenna | 38 |\n| Gasket | 24 |"
HEAD = "| Part | Price |\n|---|---|"
MIXED = f"Prices are in euro. They hold for a year.\n\n{TABLE}\n\nFreight is extra, unless we say otherwise."


def _units(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each sentence and each row of a table, as the exercise has it."""
    for block in re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|$))+", text):
        said = block.group().rstrip()
        table = said.startswith("|")
        header = "\n".join(said.splitlines()[:2])
        each = r"[^\n]+" if table else r"\S.*?(?:[.!?](?=\s)|$)"
        for number, unit in enumerate(re.finditer(each, said, re.S)):
            below = header if table and number > 1 else ""
            yield block.start() + unit.start(), block.start() + unit.end(), below


def _chunks(fn: LearnerFunction, text: str, size: int) -> list[tuple[int, int, str]]:
    """Call the learner's function and look at the shape of what came back."""
    told = f"for the text {show(text, 60)} and a size of {size}"
    got = fn(text, size)
    expect_value(got, list, told)
    for item in got:
        shaped = isinstance(item, (tuple, list)) and len(item) == 3
        expect(
            shaped and all(type(end) is int for end in item[:2]) and isinstance(item[2], str),
            f"{told} it returned {show(item)} among the chunks; expected (start, end, prefix)",
        )
        start, end = item[:2]
        expect(0 <= start < end <= len(text), f"{told} the chunk {start} to {end} is no piece of the text")
    return [(start, end, prefix) for start, end, prefix in got]


def _in_order(fn: LearnerFunction, text: str, size: int) -> None:
    chunks = _chunks(fn, text, size)
    told = f"for a size of {size}"
    for (_, end, _), (start, _, _) in zip(chunks, chunks[1:], strict=False):
        expect(end <= start, f"{told} a chunk starts at {start}, before the end of the one before, {end}")
    held = {at for start, end, _ in chunks for at in range(start, end)}
    lost = [word.group() for word in re.finditer(r"\S+", text) if not held.issuperset(range(*word.span()))]
    expect(not lost, f"{told} no chunk holds all of {show(lost[:1])[1:-1]}")


def _within(fn: LearnerFunction, text: str, size: int) -> None:
    for start, end, _ in _chunks(fn, text, size):
        said = show(text[start:end], 60)
        expect(end - start <= size, f"for a size of {size} the chunk {said} has {end - start} characters")


def _whole_units(fn: LearnerFunction, text: str, size: int) -> None:
    chunks = _chunks(fn, text, size)
    for start, end, _ in _units(text):
        if end - start <= size:
            expect(
                any(a <= start and end <= b for a, b, _ in chunks),
                f"for a size of {size} {show(text[start:end], 60)} is cut, though it fits into a chunk",
            )


def _filled(fn: LearnerFunction, text: str, size: int) -> None:
    chunks = _chunks(fn, text, size)
    for (start, _, _), (_, end, _) in zip(chunks, chunks[1:], strict=False):
        expect(
            end - start > size,
            f"for a size of {size} two chunks, from {start} and to {end}, would fit into one",
        )


def _prefixed(fn: LearnerFunction, text: str, size: int) -> None:
    below = {at: header for start, end, header in _units(text) for at in range(start, end)}
    for start, end, prefix in _chunks(fn, text, size):
        said = f"for a size of {size} the prefix of {show(text[start:end], 50)}"
        expect_text(prefix, below.get(start, ""), said)


def _words_whole(fn: LearnerFunction, text: str, size: int) -> None:
    chunks = _chunks(fn, text, size)
    words: list[Span] = [word.span() for word in re.finditer(r"\S+", text)]
    for start, end in words:
        if end - start <= size:
            expect(
                any(a <= start and end <= b for a, b, _ in chunks),
                f"for a size of {size} the word {text[start:end]!r} is cut, though it fits into a chunk",
            )


PROMISES = (_in_order, _within, _whole_units, _filled, _prefixed, _words_whole)


def _all_promises(fn: LearnerFunction, text: str, *sizes: int) -> None:
    for size in sizes:
        for promise in PROMISES:
            promise(fn, text, size)


@SPLIT.case(
    "the chunks are pieces of the text, in order, and nothing is lost",
    "Go through units(text) once. Each unit says where it starts and ends: those are places in the text.",
    "Begin simply: one chunk a unit, (start, end, header).",
)
def _pieces(fn: LearnerFunction) -> None:
    _in_order(fn, NOTE, 30)
    _in_order(fn, MIXED, 60)


@SPLIT.case(
    "what fits together is together",
    "Compare the end of the new unit with the start of the last chunk: does it all fit?",
    "If end - chunks[-1][0] <= size, put the new end into the last chunk; else begin a new one.",
)
def _together(fn: LearnerFunction) -> None:
    _filled(fn, NOTE, 30)
    _filled(fn, MIXED, 200)


@SPLIT.case(
    "no chunk is too long, and no sentence is cut that fits",
    "Look at the length before you join, not after it.",
    "A unit that is longer than the size is cut between words: re.finditer(r'\\S+', text[start:end]).",
)
def _sizes(fn: LearnerFunction) -> None:
    for promise in (_within, _whole_units):
        promise(fn, NOTE, 30)
        promise(fn, MIXED, 25)


@SPLIT.case(
    "rows below the head of a table keep the head as prefix",
    "A chunk's prefix is decided by the unit that it begins with.",
    "When a unit joins a chunk that is there already, the chunk keeps the prefix that it has.",
)
def _heads(fn: LearnerFunction) -> None:
    _prefixed(fn, TABLE, 40)
    _prefixed(fn, MIXED, 60)


@SPLIT.case(
    "a size that is none is an error, and a small one comes to an end",
    "What does your loop do with a size of 0? Say it at the top: raise ValueError(…).",
    "A word longer than the size: range(word.start(), word.end(), size) gives the places to cut at.",
)
def _odd(fn: LearnerFunction) -> None:
    for size in (0, -5):
        expect_error(fn, ValueError, NOTE, size, said=f"for a size of {size}")
    _within(fn, NOTE, 3)


@SPLIT.case("an empty text has no chunks", hidden=True)
def _empty(fn: LearnerFunction) -> None:
    for text in ("", " \n\n\t\n"):
        expect(_chunks(fn, text, 10) == [], f"for {text!r} it returned a chunk, and there is nothing in it")


@SPLIT.case("all promises hold at every size", hidden=True)
def _every_size(fn: LearnerFunction) -> None:
    for text in (NOTE, TABLE, MIXED):
        _all_promises(fn, text, 1, 2, 7, 16, 17, 18, 30, 41, 60, 99, len(text), 10_000)


@SPLIT.case("the same sentence twice is two places", hidden=True)
def _twice(fn: LearnerFunction) -> None:
    _all_promises(fn, "Press the button. Wait. Press the button. Wait. Press the button.", 17, 24, 45)


@SPLIT.case("a word longer than a chunk is cut, and only that one", hidden=True)
def _long_word(fn: LearnerFunction) -> None:
    _all_promises(fn, f"A link: https://{'x' * 80} and no more. Then a sentence.", 12, 40)


@SPLIT.case("two tables have two heads", hidden=True)
def _two_tables(fn: LearnerFunction) -> None:
    other = "| Plan | Fee |\n|---|---|\n| Standard | 4 |\n| Plus | 7 |"
    _all_promises(fn, f"{TABLE}\n\n{other}", 20, 45, 70)


CHOOSE = exercise("03.5", "the choice", "choose", "values", "tokens")


def _chooses(fn: LearnerFunction, values: dict[str, list[float]], tokens: dict[str, float], arm: str) -> None:
    means: dict[str, Any] = {name: round(sum(held) / len(held), 3) for name, held in values.items()}
    expect_text(fn(values, tokens), arm, f"for the means {show(means)} and the tokens {show(tokens)}")


@CHOOSE.case(
    "an arm that is clearly better is taken, whatever it costs",
    "The mean of an arm is sum(scores) / len(scores). The highest: max(values, key=…).",
    "paired_bootstrap(highest, other).better is True where the highest is really better: leave that other out.",
)
def _clear(fn: LearnerFunction) -> None:
    _chooses(fn, {"cheap": [0.0] * 20, "dear": [1.0] * 20}, {"cheap": 100, "dear": 900}, "dear")


@CHOOSE.case(
    "where no difference is shown, the cheaper arm is taken",
    "Keep every arm whose comparison with the highest gives better is None, and the highest itself.",
    "Of those: min(kept, key=lambda arm: tokens[arm]).",
)
def _no_difference(fn: LearnerFunction) -> None:
    dear = [1.0, 0.0] * 10 + [1.0]
    cheap = [0.0, 1.0] * 10 + [0.0]
    _chooses(fn, {"dear": dear, "cheap": cheap}, {"dear": 900, "cheap": 100}, "cheap")


@CHOOSE.case(
    "the cheapest is not taken where it is worse",
    "First leave out what is worse, then look at the price.",
)
def _worse(fn: LearnerFunction) -> None:
    values = {"tiny": [0.0] * 20, "middle": [1.0, 0.0] * 9 + [1.0, 1.0], "large": [0.0, 1.0] * 9 + [1.0, 1.0]}
    _chooses(fn, values, {"tiny": 10, "middle": 300, "large": 900}, "middle")


@CHOOSE.case("the comparison is question by question", hidden=True)
def _paired(fn: LearnerFunction) -> None:
    # The questions differ far more than the arms do, and one arm is a little better on every one of them.
    hard = [place / 20 for place in range(20)]
    values = {"dear": [score + 0.04 for score in hard], "cheap": hard}
    _chooses(fn, values, {"dear": 900, "cheap": 100}, "dear")


@CHOOSE.case("of equal arms the cheapest, and one arm alone is taken", hidden=True)
def _equal(fn: LearnerFunction) -> None:
    same = [1.0, 0.0, 1.0, 1.0]
    _chooses(fn, {"a": same, "b": same, "c": same}, {"a": 500, "b": 200, "c": 300}, "b")
    _chooses(fn, {"only": [0.0, 0.0]}, {"only": 40}, "only")


@CHOOSE.case("arms are compared with the highest, and not with their neighbours", hidden=True)
def _highest(fn: LearnerFunction) -> None:
    top = [1.0] * 30
    middle = [1.0] * 27 + [0.0] * 3
    low = [1.0] * 24 + [0.0] * 6
    _chooses(fn, {"low": low, "middle": middle, "top": top}, {"low": 10, "middle": 20, "top": 30}, "middle")
