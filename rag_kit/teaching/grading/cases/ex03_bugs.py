"""Lesson 03, to be mended: three ingestion bugs, told by what a customer sees."""

from __future__ import annotations

from collections.abc import Sequence

from rag_kit.teaching.grading.expect import expect, expect_error, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

SLIDE = exercise("03.2", "the quote that slides", "paragraph_spans", "text")


def _marks(fn: LearnerFunction, text: str, wanted: Sequence[str]) -> None:
    spans = fn(text)
    told = f"for the text {show(text, 70)}"
    expect_value(spans, list, told)
    for span in spans:
        expect(
            isinstance(span, (tuple, list)) and len(span) == 2 and all(type(end) is int for end in span),
            f"{told} it returned {show(span)} among the places; expected (start, end)",
        )
    got = [text[start:end] for start, end in spans]
    expect(got == list(wanted), f"{told} these words are marked: {show(got)}; expected {show(list(wanted))}")


@SLIDE.case(
    "blanks at the end of a paragraph move nothing",
    "How long was the part before it was stripped? `at` has to move by that.",
    "Keep the part as it is, and strip a copy of it.",
)
def _blanks_behind(fn: LearnerFunction) -> None:
    _marks(fn, "One.   \n\nTwo. \n\nThree.", ["One.", "Two.", "Three."])


@SLIDE.case(
    "blanks before a paragraph are counted, and not marked",
    "A third line end stands before the next paragraph: it belongs to the part, and not to the paragraph.",
    "The paragraph starts at + len(part) - len(part.lstrip()).",
)
def _blanks_before(fn: LearnerFunction) -> None:
    _marks(fn, "One.\n\n\n  Two.\n\nThree.", ["One.", "Two.", "Three."])


@SLIDE.case("the same paragraph twice is two places", hidden=True)
def _twice(fn: LearnerFunction) -> None:
    text = "Wait.  \n\nGo on.\n\n Wait.\n\n\n\nGo on."
    _marks(fn, text, ["Wait.", "Go on.", "Wait.", "Go on."])
    starts = [start for start, _ in fn(text)]
    expect(starts == sorted(set(starts)), f"the places {show(starts)} are not in the order of the text")


@SLIDE.case("a paragraph of several lines stays one, and an empty text has none", hidden=True)
def _lines(fn: LearnerFunction) -> None:
    _marks(fn, "\n\n One\n two. \n\n\n\n\nThree.\n", ["One\n two.", "Three."])
    _marks(fn, "", [])
    _marks(fn, " \n\n \n", [])


ENDS = exercise("03.3", "the end that nobody finds", "word_windows", "words", "size", "overlap")


def _windows(fn: LearnerFunction, count: int, size: int, overlap: int, wanted: Sequence[str]) -> None:
    words = list("abcdefghijklmnopqrstuvwxyz"[:count])
    got = fn(words, size, overlap)
    told = f"for {count} words, a size of {size} and an overlap of {overlap}"
    expect_value(got, list, told)
    for window in got:
        expect(isinstance(window, (list, tuple)), f"{told} a window is {show(window)}, not a list of words")
    joined = ["".join(window) for window in got]
    expect(joined == list(wanted), f"{told} the windows are {show(joined)}; expected {show(list(wanted))}")


@ENDS.case(
    "the last words are in a window",
    "Where does the last window start, and where does range stop?",
    "Go on as long as there are words that no window holds: start < len(words) - overlap.",
)
def _tail(fn: LearnerFunction) -> None:
    _windows(fn, 8, 3, 0, ["abc", "def", "gh"])
    _windows(fn, 8, 4, 1, ["abcd", "defg", "gh"])


@ENDS.case(
    "a text shorter than a window is one window",
    "With fewer words than the size, how many starts does range give?",
    "There is always a start at 0, unless there are no words at all: range(0, max(…, 1), step).",
)
def _short(fn: LearnerFunction) -> None:
    _windows(fn, 2, 5, 2, ["ab"])


@ENDS.case(
    "the last window brings a new word, if only one",
    "One word is left over: a window for it, which repeats as much as any other.",
    "When the words come out even, a further window would only repeat: leave it out.",
)
def _even(fn: LearnerFunction) -> None:
    _windows(fn, 5, 4, 1, ["abcd", "de"])
    _windows(fn, 7, 4, 1, ["abcd", "defg"])


@ENDS.case(
    "an overlap that does not fit is an error",
    "What is the step when the overlap is as large as the size? And when it is larger?",
    "if not 0 <= overlap < size: raise ValueError(…)",
)
def _does_not_fit(fn: LearnerFunction) -> None:
    for size, overlap in ((3, 3), (3, 5), (3, -1)):
        told = f"for a size of {size} and an overlap of {overlap}"
        words = expect_error(fn, ValueError, list("abcdef"), size, overlap, said=told)
        expect(
            "range()" not in words,
            f"{told} the error is Python's own ({words}): say what is wrong with the overlap",
        )


@ENDS.case("no words give no windows, and a size of one takes one at a time", hidden=True)
def _edges(fn: LearnerFunction) -> None:
    _windows(fn, 0, 4, 2, [])
    _windows(fn, 3, 1, 0, ["a", "b", "c"])
    _windows(fn, 2, 5, 4, ["ab"])


@ENDS.case(
    "every length and overlap: all words are there, in order, and each window brings a new one", hidden=True
)
def _all_lengths(fn: LearnerFunction) -> None:
    for count in range(1, 20):
        for overlap in range(5):
            starts = range(0, max(count - overlap, 1), 5 - overlap)
            letters = "abcdefghijklmnopqrstuvwxyz"[:count]
            _windows(fn, count, 5, overlap, [letters[start : start + 5] for start in starts])


MERGE = exercise("03.4", "the section that is not the passage's", "merge_small", "chunks", "least")
Pieces = Sequence[tuple[tuple[str, ...], str]]


def _merges(fn: LearnerFunction, chunks: Pieces, least: int, wanted: Pieces) -> None:
    told = f"for the chunks {show(list(chunks))} and at least {least} characters"
    got = fn(list(chunks), least)
    expect_value(got, list, told)
    for item in got:
        expect(
            isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], (tuple, list)),
            f"{told} it returned {show(item)} among the chunks; expected (path, text)",
        )
    plain = [(tuple(path), text) for path, text in got]
    expect(plain == list(wanted), f"{told} it returned {show(plain)}; expected {show(list(wanted))}")


@MERGE.case(
    "a joined chunk carries the headings that both share",
    "Which path does the joined chunk get: the first one's, the second one's, or what is in both?",
    "Go through both paths side by side, zip(one, other), and stop where they differ.",
)
def _shared(fn: LearnerFunction) -> None:
    chunks = [(("A", "B"), "short"), (("A", "C"), "long enough")]
    _merges(fn, chunks, 8, [(("A",), "short\n\nlong enough")])


@MERGE.case(
    "chunks that share no heading are not joined",
    "An empty shared path means that the two have nothing to do with each other.",
    "Join only if something is shared; else append the chunk as it is.",
)
def _nothing_shared(fn: LearnerFunction) -> None:
    chunks = [(("A",), "short"), (("B",), "long enough")]
    _merges(fn, chunks, 8, chunks)


@MERGE.case(
    "where both paths are the same, all of it is kept",
    "Compare heading by heading: as long as they are equal, they are shared.",
)
def _one_section(fn: LearnerFunction) -> None:
    deep = [(("A", "B", "C"), "one"), (("A", "B", "D"), "two more")]
    _merges(fn, deep, 8, [(("A", "B"), "one\n\ntwo more")])
    _merges(
        fn, [(("A", "B"), "short"), (("A", "B"), "long enough")], 8, [(("A", "B"), "short\n\nlong enough")]
    )
    long = [(("A", "B"), "long enough"), (("A", "C"), "short")]
    _merges(fn, long, 8, long)


@MERGE.case("three in a row share what all three share", hidden=True)
def _three(fn: LearnerFunction) -> None:
    chunks = [(("A", "B", "C"), "one"), (("A", "B", "D"), "two"), (("A", "E"), "and three")]
    _merges(fn, chunks, 10, [(("A",), "one\n\ntwo\n\nand three")])


@MERGE.case("the same heading at another depth is not shared", hidden=True)
def _depth(fn: LearnerFunction) -> None:
    chunks = [(("A", "Fees"), "one"), (("B", "Fees"), "two and more")]
    _merges(fn, chunks, 8, chunks)
    _merges(fn, [(("A",), "one"), (("A", "B"), "two and more")], 8, [(("A",), "one\n\ntwo and more")])


@MERGE.case("no chunks, and small ones at the end", hidden=True)
def _ends(fn: LearnerFunction) -> None:
    _merges(fn, [], 8, [])
    small = [(("A",), "one"), (("B",), "two")]
    _merges(fn, small, 8, small)
