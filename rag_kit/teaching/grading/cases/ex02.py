"""Lesson 02, order and lines: read columns, drop running lines, join broken words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rag_kit.teaching.grading.expect import expect, expect_text, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

ORDER = exercise("02.1", "a reading order", "reading_order", "words", "gap")
Word = tuple[str, int, int, int]
"""A word's text, its left and right edge, and how far its line is from the top."""

TWO_COLUMNS: list[Word] = [
    ("Hang", 0, 40, 10), ("the", 45, 70, 10), ("Cut", 120, 150, 10), ("it", 155, 165, 10),
    ("probe.", 0, 50, 25), ("dry.", 120, 145, 25),
]  # fmt: skip


def expect_texts(got: Any, wanted: Sequence[str], said: str) -> None:
    """Raise unless these texts came back, in a list or a tuple, in this order."""
    texts = list(got) if isinstance(got, tuple) else got
    expect_value(texts, list, said)
    expect(texts == list(wanted), f"{said} it returned {show(texts)}; expected {show(list(wanted))}")


def _reads(fn: LearnerFunction, words: Sequence[Word], gap: int, wanted: str) -> None:
    expect_texts(fn(list(words), gap), wanted.split(), f"for the words {show(list(words))} and gap={gap}")


@ORDER.case(
    "one column is read line by line, from left to right",
    "Sort by the pair (top, left): the line first, then the place in the line.",
    "sorted(words, key=lambda word: (word[3], word[1])), and return the texts.",
)
def _one_column(fn: LearnerFunction) -> None:
    _reads(fn, [("level.", 0, 40, 20), ("the", 30, 50, 5), ("Read", 0, 25, 5)], 40, "Read the level.")


@ORDER.case(
    "two columns are read one after the other",
    "Find the empty strip first: take the words by their left edge and remember how far right you have come.",
    "Where the next word begins at least `gap` to the right of everything so far, a new column begins.",
    "Make a list of columns, put each word into the last one, then sort each column by itself.",
)
def _two_columns(fn: LearnerFunction) -> None:
    _reads(fn, TWO_COLUMNS, 40, "Hang the probe. Cut it dry.")


@ORDER.case(
    "a narrow space between words makes no column",
    "Compare with `gap`: a strip narrower than that is a space between two words.",
)
def _narrow(fn: LearnerFunction) -> None:
    words = [("a", 0, 10, 0), ("b", 30, 40, 0), ("c", 0, 10, 9), ("d", 30, 40, 9)]
    _reads(fn, words, 25, "a b c d")
    _reads(fn, words, 20, "a c b d")


@ORDER.case(
    "a short line does not end its column",
    "The column reaches as far as its longest line: keep the largest right edge, not the last one.",
    "reach = max(reach, right)",
)
def _short_line(fn: LearnerFunction) -> None:
    words = [
        ("long-line", 0, 100, 0),
        ("x", 0, 10, 9),
        ("y", 90, 98, 9),
        ("z", 0, 10, 18),
        ("Next", 150, 190, 0),
    ]
    _reads(fn, words, 40, "long-line x y z Next")


@ORDER.case("three columns, in whatever order the words come", hidden=True)
def _three_columns(fn: LearnerFunction) -> None:
    words = [(f"{col}{row}", 100 * col, 100 * col + 60, 10 * row) for row in (2, 0, 1) for col in (1, 2, 0)]
    _reads(fn, words, 40, "00 01 02 10 11 12 20 21 22")


@ORDER.case("a page without words has no order, and the words stay as they were", hidden=True)
def _no_words(fn: LearnerFunction) -> None:
    _reads(fn, [], 40, "")
    words = list(TWO_COLUMNS[::-1])
    fn(words, 40)
    expect(words == TWO_COLUMNS[::-1], "it changed the list of words that it was given")


@ORDER.case("a word across both columns closes the strip between them", hidden=True)
def _bridge(fn: LearnerFunction) -> None:
    _reads(fn, [("a", 0, 20, 9), ("b", 90, 99, 9), ("title", 10, 95, 0)], 40, "title a b")


RUNNING = exercise("02.2", "running lines", "drop_running_lines", "pages")


def _pages(fn: LearnerFunction, pages: list[list[str]], wanted: list[list[str]]) -> None:
    got = fn([list(page) for page in pages])
    said = f"for the pages {show(pages)}"
    expect_value(got, list, said)
    expect(got == wanted, f"{said} it returned {show(got)}; expected {show(wanted)}")


@RUNNING.case(
    "a header that stands on top of each page goes",
    "Count how often each first line occurs over all pages.",
    "Counter(page[0] for page in pages) counts them; drop the first line where its count is high enough.",
)
def _header(fn: LearnerFunction) -> None:
    _pages(
        fn, [["Contract", "one", "two"], ["Contract", "three", "four"]], [["one", "two"], ["three", "four"]]
    )


@RUNNING.case(
    "so does a footer at the bottom",
    "Do the same with the last lines, counted apart from the first ones.",
)
def _footer(fn: LearnerFunction) -> None:
    _pages(fn, [["one", "Secret"], ["two", "Secret"], ["three", "Secret"]], [["one"], ["two"], ["three"]])


@RUNNING.case(
    "a page's own number does not make its lines differ",
    "On page 3 the number 3 stands in the footer: put a sign in its place before you compare.",
    "Only the page's own number, once and whole: re.sub(rf'\\b{number}\\b', '#', line, count=1).",
)
def _numbered(fn: LearnerFunction) -> None:
    pages = [["one", "Page 1 of 2"], ["two", "Page 2 of 2"]]
    _pages(fn, pages, [["one"], ["two"]])


@RUNNING.case(
    "what does not repeat at the edge stays",
    "A first line may be the end of a sentence. Drop it only where it is on more than half of the pages.",
    "count * 2 > len(pages), and at least on two pages.",
)
def _stays(fn: LearnerFunction) -> None:
    pages = [["Head", "a", "fee"], ["riod raises", "fee", "b"], ["Head", "c", "fee"], ["Terms", "d", "e"]]
    _pages(fn, pages, pages)


@RUNNING.case("a single page loses nothing", "One page cannot repeat: ask for at least two.")
def _single(fn: LearnerFunction) -> None:
    _pages(fn, [["Letter", "Dear all"]], [["Letter", "Dear all"]])


@RUNNING.case("figures that differ are no page numbers", hidden=True)
def _figures(fn: LearnerFunction) -> None:
    pages = [["a", "Fee 235"], ["b", "Fee 190"], ["c", "Fee 31"]]
    _pages(fn, pages, pages)


@RUNNING.case("a repeated line inside the pages stays, and an edge is dropped once", hidden=True)
def _inside(fn: LearnerFunction) -> None:
    pages = [["H", "H", "x", "Total", "y"], ["H", "a", "b", "Total", "z"], ["H", "c", "Total", "d", "w"]]
    _pages(fn, pages, [page[1:] for page in pages])


@RUNNING.case("empty pages and pages of one line are no trouble", hidden=True)
def _empty(fn: LearnerFunction) -> None:
    _pages(fn, [], [])
    _pages(fn, [["H", "a"], [], ["H", "b"], ["H"]], [["a"], [], ["b"], []])


JOIN = exercise("02.3", "words broken at a line's end", "join_lines", "lines")


def _joins(fn: LearnerFunction, lines: list[str], wanted: str) -> None:
    expect_text(fn(list(lines)), wanted, f"for the lines {show(lines)}")


@JOIN.case("lines are joined with a space", "Begin with the first line and add the others one by one.")
def _spaces(fn: LearnerFunction) -> None:
    _joins(fn, ["The vent tube", "stays dry", "at all times."], "The vent tube stays dry at all times.")


@JOIN.case(
    "a word that the line's end broke becomes one",
    "A small letter, a hyphen at the end of the line, and a small letter after it: that was one word.",
    "text[-2].islower() and line[0].islower(): then text[:-1] + line.",
)
def _broken(fn: LearnerFunction) -> None:
    _joins(fn, ["A desic-", "cant car-", "tridge"], "A desiccant cartridge")


@JOIN.case(
    "a code keeps its hyphen, and gets no space",
    "In XX-5310 the hyphen is part of the name. What stands beside it: small letters, capitals, digits?",
    "Any other hyphen at a line's end stays, and the next line follows without a space.",
)
def _code(fn: LearnerFunction) -> None:
    _joins(fn, ["Order XX-", "5310-", "10 or AC-", "412."], "Order XX-5310-10 or AC-412.")


@JOIN.case(
    "a dash with a space before it is a dash",
    "Look at the sign before the hyphen. If it is a space, nothing was broken.",
)
def _dash(fn: LearnerFunction) -> None:
    _joins(fn, ["Take it off -", "and wait."], "Take it off - and wait.")


@JOIN.case("names and ranges keep their hyphen", hidden=True)
def _names(fn: LearnerFunction) -> None:
    _joins(
        fn,
        ["The X-", "ray of a 4-", "20 mA loop in Baden-", "Baden"],
        "The X-ray of a 4-20 mA loop in Baden-Baden",
    )


@JOIN.case("no line, one line, blanks at the edges", hidden=True)
def _edges(fn: LearnerFunction) -> None:
    _joins(fn, [], "")
    _joins(fn, ["one"], "one")
    _joins(fn, ["  one ", "", " two- ", "fold"], "one twofold")
    _joins(fn, ["-", "a"], "- a")
