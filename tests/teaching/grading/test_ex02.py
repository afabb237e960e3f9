"""Lesson 02: what a plausible but wrong repair is told, so that no case passes whatever is written."""

import re
from collections import Counter

import pytest

from rag_kit.teaching.grading.registry import load_exercises
from rag_kit.teaching.grading.running import run_cases

EXERCISES = load_exercises("02")


def across(words, gap):
    return [word[0] for word in sorted(words, key=lambda word: (word[3], word[1]))]


def last_edge(words, gap):
    columns, edge = [], None
    for word in sorted(words, key=lambda word: word[1]):
        if edge is None or word[1] - edge >= gap:
            columns.append([])
        columns[-1].append(word)
        edge = word[2]
    return [text for column in columns for text in across(column, gap)]


def sorts_in_place(words, gap):
    words.sort(key=lambda word: (word[3], word[1]))
    return [word[0] for word in words]


def edges_always(pages):
    return [page[1:-1] for page in pages]


def repeated_anywhere(pages):
    counts = Counter(line for page in pages for line in set(page))
    return [[line for line in page if counts[line] < 2] for page in pages]


def all_digits_alike(pages):
    def same(line):
        return re.sub(r"\d+", "#", line)

    tops = Counter(same(page[0]) for page in pages if page)
    ends = Counter(same(page[-1]) for page in pages if page)

    def runs(count):
        return count >= 2 and count * 2 > len(pages)

    return [
        page[
            bool(page) and runs(tops[same(page[0])]) : len(page) - (bool(page) and runs(ends[same(page[-1])]))
        ]
        for page in pages
    ]


def drops_each_hyphen(lines):
    return " ".join(filter(None, map(str.strip, lines))).replace("- ", "")


def keeps_each_hyphen(lines):
    return " ".join(filter(None, map(str.strip, lines)))


def pairs(upper, lower):
    return [f"{above} / {below}" for above, below in zip(upper, lower, strict=True)]


def header_each_time(tables):
    return [table for table in tables if table]


def glues_all(tables):
    rows = [row for table in tables for row in table]
    return [[rows[0], *(row for row in rows[1:] if row != rows[0])]] if rows else []


def drops_first_rows(tables):
    joined = []
    for table in filter(None, tables):
        if joined and len(table[0]) == len(joined[-1][0]):
            joined[-1] = joined[-1] + table[1:]
        else:
            joined.append(list(table))
    return joined


@pytest.mark.parametrize(
    ("number", "attempt", "told"),
    [
        ("02.1", across, "two columns are read one after the other"),
        ("02.1", last_edge, "a short line does not end its column"),
        ("02.1", sorts_in_place, "a page without words has no order, and the words stay as they were"),
        ("02.2", edges_always, "a header that stands on top of each page goes"),
        ("02.2", repeated_anywhere, "a page's own number does not make its lines differ"),
        ("02.2", repeated_anywhere, "a repeated line inside the pages stays, and an edge is dropped once"),
        ("02.2", all_digits_alike, "figures that differ are no page numbers"),
        ("02.3", drops_each_hyphen, "a code keeps its hyphen, and gets no space"),
        ("02.3", drops_each_hyphen, "a dash with a space before it is a dash"),
        ("02.3", keeps_each_hyphen, "a word that the line's end broke becomes one"),
        ("02.4", pairs, "a merged label goes on to the right"),
        ("02.4", pairs, "an equal label stands once"),
        ("02.5", header_each_time, "rows on the next page go under the first page's header"),
        ("02.5", glues_all, "a table with another number of columns is another table"),
        ("02.5", drops_first_rows, "rows on the next page go under the first page's header"),
    ],
)
def test_a_wrong_repair_fails_at_what_is_wrong_with_it(number, attempt, told):
    rows = {row.name: row.status for row in run_cases(EXERCISES[number], attempt, hidden=True)}
    assert rows[told] == "fail"


def test_ignoring_all_digits_passes_what_a_learner_sees_and_fails_a_hidden_case():
    rows = run_cases(EXERCISES["02.2"], all_digits_alike, hidden=True)
    assert [row.name for row in rows if row.status != "pass"] == ["figures that differ are no page numbers"]
