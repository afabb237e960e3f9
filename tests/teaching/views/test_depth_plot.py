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
