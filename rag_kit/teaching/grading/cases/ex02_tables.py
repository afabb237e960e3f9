"""Lesson 02, tables: a header of two lines, and a table that a page break has split."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from rag_kit.teaching.grading.cases.ex02 import expect_texts
from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

LABELS = exercise("02.4", "a header of two lines", "column_labels", "upper", "lower")


def _labels(fn: LearnerFunction, upper: Sequence[str], lower: Sequence[str], wanted: Sequence[str]) -> None:
    said = f"for {show(list(upper))} over {show(list(lower))}"
    expect_texts(fn(list(upper), list(lower)), wanted, said)


@LABELS.case(
    "the upper label stands before the lower one",
    "Go through both lines together: zip(upper, lower).",
    'Join the two with " / " between them.',
)
def _both(fn: LearnerFunction) -> None:
    _labels(fn, ["EU", "Others"], ["Price", "Price"], ["EU / Price", "Others / Price"])


@LABELS.case(
    "a merged label goes on to the right",
    "An empty place in the upper line belongs to the label before it: remember the last one.",
)
def _merged(fn: LearnerFunction) -> None:
    wanted = ["EU / List", "EU / Partner", "Others / List", "Others / Partner"]
    _labels(fn, ["EU", "", "Others", ""], ["List", "Partner", "List", "Partner"], wanted)


@LABELS.case(
    "where one of the two is empty, the other stands alone",
    "Put only what is there into the join: no slash beside an empty label.",
    '" / ".join(part for part in (above, below) if part)',
)
def _alone(fn: LearnerFunction) -> None:
    _labels(fn, ["", "Price", ""], ["Number", "List", ""], ["Number", "Price / List", "Price"])


@LABELS.case(
    "an equal label stands once",
    "A label merged downwards is in both lines. Compare the two before you join them.",
)
def _equal(fn: LearnerFunction) -> None:
    _labels(
        fn, ["Unit", "Price", ""], ["Unit", "List", "Partner"], ["Unit", "Price / List", "Price / Partner"]
    )


@LABELS.case("a table of one column, and one of none", hidden=True)
def _small(fn: LearnerFunction) -> None:
    _labels(fn, ["A"], [""], ["A"])
    _labels(fn, [], [], [])


@LABELS.case("a label merged over three columns", hidden=True)
def _wide(fn: LearnerFunction) -> None:
    lower = ["Service", "Tolvane", "Ashby Quay", "Port Lindow", "Note"]
    wanted = ["Service", "From / Tolvane", "From / Ashby Quay", "From / Port Lindow", "Note"]
    _labels(fn, ["", "From", "", "", "Note"], lower, wanted)


SPLIT = exercise("02.5", "a split table", "join_tables", "tables")
HEADER = ["Number", "Price"]


def _tables(fn: LearnerFunction, tables: list[list[list[str]]], wanted: list[list[list[str]]]) -> None:
    given = deepcopy(tables)
    got: Any = fn(given)
    said = f"for the tables {show(tables)}"
    expect_value(got, list, said)
    expect(got == wanted, f"{said} it returned {show(got)}; expected {show(wanted)}")
    expect(given == tables, "it changed the tables that it was given: make new lists")


@SPLIT.case(
    "rows on the next page go under the first page's header",
    "Keep a list of finished tables; add the rows of the next one to the last of them.",
    "The first row of the second page is data. Add all of its rows.",
)
def _goes_on(fn: LearnerFunction) -> None:
    first, second = [HEADER, ["AC-401", "38"]], [["AC-418", "83"], ["AC-421", "142"]]
    _tables(fn, [first, second], [[HEADER, ["AC-401", "38"], ["AC-418", "83"], ["AC-421", "142"]]])


@SPLIT.case(
    "a header that is printed again is left out",
    "Compare the first row of the second table with the header of the first one.",
    "rows = table[1:] if table[0] == header else table",
)
def _repeated(fn: LearnerFunction) -> None:
    _tables(fn, [[HEADER, ["a", "1"]], [HEADER, ["b", "2"]]], [[HEADER, ["a", "1"], ["b", "2"]]])


@SPLIT.case(
    "a table with another number of columns is another table",
    "Compare the lengths of the two first rows. If they differ, begin a new table.",
)
def _other(fn: LearnerFunction) -> None:
    other = [["Service", "Unit", "Price"], ["Survey", "day", "780"]]
    _tables(fn, [[HEADER, ["a", "1"]], other], [[HEADER, ["a", "1"]], other])


@SPLIT.case(
    "a table without rows is passed over",
    "A page may hold an empty list: go on with the next.",
)
def _nothing(fn: LearnerFunction) -> None:
    _tables(fn, [[HEADER, ["a", "1"]], [], [["b", "2"]]], [[HEADER, ["a", "1"], ["b", "2"]]])


@SPLIT.case("over three pages, and no table at all", hidden=True)
def _three(fn: LearnerFunction) -> None:
    pages = [[HEADER, ["a", "1"]], [["b", "2"]], [HEADER, ["c", "3"]]]
    _tables(fn, pages, [[HEADER, ["a", "1"], ["b", "2"], ["c", "3"]]])
    _tables(fn, [], [])


@SPLIT.case("a table after another one goes on by itself", hidden=True)
def _after(fn: LearnerFunction) -> None:
    wide = [["S", "U", "P"], ["x", "y", "1"]]
    wanted = [[HEADER, ["a", "1"]], [*wide, ["z", "w", "2"]]]
    _tables(fn, [[HEADER, ["a", "1"]], wide, [["z", "w", "2"]]], wanted)


@SPLIT.case("a row of data that looks like another is kept", hidden=True)
def _same_rows(fn: LearnerFunction) -> None:
    _tables(fn, [[HEADER, ["a", "1"]], [["a", "1"]]], [[HEADER, ["a", "1"], ["a", "1"]]])
