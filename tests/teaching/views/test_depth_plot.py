"""The picture of two stages: the same bytes each time, and every point in words."""

import re

import pytest

from rag_kit import InvalidValue
from rag_kit.evaluation.depths import Depth
from rag_kit.teaching import depth_plot
from rag_kit.teaching.views.depth_plot import draw_depths

ROWS = [
    Depth(5, (1.0, 0.0), (1.0, 0.0)),
    Depth(20, (1.0, 0.5), (1.0, 0.0)),
    Depth(50, (1.0, 1.0), (0.5, 1.0)),
]


def test_the_alternative_text_says_every_point():
    shown = depth_plot(ROWS, 5)
    said = shown.bundle["text/plain"]
    assert "20 hold 0.750, top 5 of them 0.500" in said
    assert "50 hold 1.000, top 5 of them 0.750" in said
    (alternative,) = re.findall(r'<img alt="([^"]*)" src="data:image/png;base64,', shown.bundle["text/html"])
    assert alternative == said


def test_the_same_rows_give_the_same_picture():
    assert draw_depths(ROWS, 5, "svg") == draw_depths(ROWS, 5, "svg")
    assert draw_depths(ROWS, 5, "png") != draw_depths(ROWS[:2], 5, "png")


def test_no_rows_are_no_picture():
    with pytest.raises(InvalidValue, match="no depth was measured"):
        depth_plot([], 5)
    with pytest.raises(InvalidValue, match="no depth was measured"):
        depth_plot({}, 5)


OTHER = [Depth(row.candidates, row.found, (1.0, 0.5)) for row in ROWS]


def test_several_rerankers_are_told_by_name():
    said = depth_plot({"signs": ROWS, "sentences": OTHER}, 5).bundle["text/plain"]
    assert "50 hold 1.000, top 5 of them by signs 0.750, top 5 of them by sentences 0.750." in said
    assert "20 hold 0.750, top 5 of them by signs 0.500, top 5 of them by sentences 0.750;" in said
    assert draw_depths({"signs": ROWS, "sentences": OTHER}, 5, "svg") != draw_depths(ROWS, 5, "svg")


def test_the_scale_says_where_it_begins():
    drawn = draw_depths(ROWS, 5, "svg").decode()
    assert "<!-- recall, from 0.4 up -->" in drawn
    low = [Depth(5, (0.0, 0.0), (0.0, 0.0)), Depth(9, (1.0, 0.0), (0.0, 0.0))]
    assert "<!-- recall -->" in draw_depths(low, 5, "svg").decode()


def test_each_value_stands_by_its_point_and_equal_ones_once():
    drawn = draw_depths(ROWS, 5, "svg").decode()
    assert [drawn.count(f"<!-- {value} -->") for value in ("0.50", "0.75", "1.00")] == [2, 2, 1]


def test_rerankers_of_different_lists_and_too_many_of_them_make_no_picture():
    with pytest.raises(InvalidValue, match="different candidates"):
        depth_plot({"one": ROWS, "two": ROWS[:2]}, 5)
    with pytest.raises(InvalidValue, match="4 rerankers are too many"):
        depth_plot(dict.fromkeys("abcd", ROWS), 5)
