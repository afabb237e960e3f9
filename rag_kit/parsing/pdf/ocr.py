"""Text of pages that are pictures, by rapidocr: its models are in its wheel, and nothing leaves the machine."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from rag_kit.errors import MissingModel

DPI = 200
"""At fewer, small print is lost; at more, a page takes longer and reads no better."""
MOST_PIXELS = 12_000_000
"""Of a larger page, a plan or a poster, the picture is made coarser: memory is limited too."""
THREADS = 2
"""The same everywhere: sums that are split otherwise differ in the last digit, and so may what is read."""
_POINTS = 72
MOST_ASKEW = 10.0
"""Degrees that a sheet may lie askew in a scanner; more is a slant that was meant."""
Corners = list[tuple[float, float]]
"""Upper left, upper right, lower right, lower left."""


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line of recognised text, where it stands, and how sure the recognition is, from 0 to 1.

    The box is in points, from the top left of the page as it is shown, its rotation applied; where the
    lines of a scan slope a little, it is the box once they are level.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    confidence: float


def read_page(document: Any, index: int) -> list[OcrLine]:
    """Recognise the text of a page of a pypdfium2.PdfDocument; the first page has the index 0.

    Lines come from top to bottom, then from left to right; putting columns in order is the caller's part.
    Raises MissingModel where rapidocr cannot be imported.
    """
    engine = _engine()
    page = document[index]
    try:
        width, height = page.get_size()
        scale = scale_of(width, height)
        bitmap = page.render(scale=scale, fill_color=(255, 255, 255, 255))
        try:
            picture = _three_channels(bitmap.to_numpy())
        finally:
            bitmap.close()
    finally:
        page.close()
    found = engine(picture)
    if found.boxes is None or found.txts is None or found.scores is None:
        return []
    corners = [[(float(x) / scale, float(y) / scale) for x, y in box] for box in found.boxes]
    lines = [
        _line(text, box, float(score))
        for box, text, score in zip(level(corners, width, height), found.txts, found.scores, strict=True)
        if text.strip()
    ]
    return sorted(lines, key=lambda line: (line.top, line.x0, line.text))


def scale_of(width: float, height: float) -> float:
    """Return the pixels a point for a page of so many points.

    >>> scale_of(72, 72) * 72, scale_of(7200, 7200) * 7200 < 3500
    (200.0, True)
    """
    area = max(width * height, 1.0)
    return float(min(DPI / _POINTS, (MOST_PIXELS / area) ** 0.5))


def level(boxes: list[Corners], width: float, height: float) -> list[Corners]:
    """Return boxes turned about the middle of the page so that the usual one is level.

    The slope is the median of the longer half of the boxes, whose ends tell it best. One of a page that
    stands askew by more than MOST_ASKEW degrees is left as it is.

    >>> level([[(0.0, 49.0), (100.0, 51.0), (100.0, 61.0), (0.0, 59.0)]], 100, 100)[0][0][1].__round__(2)
    50.0
    """
    long = sorted(boxes, key=lambda box: box[1][0] - box[0][0])[len(boxes) // 2 :]
    turn = median(math.atan2(box[1][1] - box[0][1], box[1][0] - box[0][0]) for box in long) if long else 0.0
    if abs(math.degrees(turn)) > MOST_ASKEW:
        return boxes
    cos, sin, middle, centre = math.cos(turn), math.sin(turn), width / 2, height / 2
    return [
        [
            (
                middle + (x - middle) * cos + (y - centre) * sin,
                centre - (x - middle) * sin + (y - centre) * cos,
            )
            for x, y in box
        ]
        for box in boxes
    ]


def _line(text: str, corners: Corners, score: float) -> OcrLine:
    across, down = [x for x, _ in corners], [y for _, y in corners]
    left, top, right, bottom = (round(end, 2) for end in (min(across), min(down), max(across), max(down)))
    return OcrLine(" ".join(text.split()), left, top, right, bottom, round(min(max(score, 0.0), 1.0), 4))


def _three_channels(pixels: Any) -> Any:
    """Return a picture in blue, green and red, in memory of its own."""
    import numpy as np

    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return np.repeat(pixels.reshape(*pixels.shape[:2], 1), 3, axis=2)
    return np.ascontiguousarray(pixels[:, :, :3]).copy()


@functools.cache
def _engine() -> Any:
    """Make the one engine of a process: it loads its models at its first page."""
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise MissingModel.package("rapidocr", error) from None
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
