"""Lay text on the pages of a PDF: line breaks with hyphens, columns, furniture, and the order of drawing.

The order in which a page's text is drawn is what a naive reader takes for its reading order.
"""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from reportlab import rl_config
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

rl_config.useA85 = 0  # Pictures stay as they are, a fifth smaller than in letters.
AUTHOR = "Quernmere Instruments"
BODY, BOLD, ITALIC = "Helvetica", "Helvetica-Bold", "Helvetica-Oblique"
WIDTH, HEIGHT = A4

# Between two consonants or behind a vowel, with two letters before and three behind, and never before "-ed".
_BREAK = re.compile(
    r"(?:(?<=[a-z][aeiou][bcdfglmnprst])(?=[bcdfgklmnprst][aeiouy][a-z]|[bcdfgpt][lr][aeiou])"
    r"|(?<=[a-z][aeiou])(?=[bcdfgklmnprst][aeiou][a-z]{2}))(?!\w?ed\b)"
)


def new_canvas(
    title: str, day: date, size: tuple[float, float] = A4, owner_password: str | None = None
) -> tuple[Canvas, io.BytesIO]:
    """Return a canvas whose bytes depend on what is drawn and on nothing else, and the buffer it fills.

    Nothing is compressed, because two builds of zlib give different bytes. With an owner's password anybody
    may open and print the file, and copying is restricted.
    """
    buffer = io.BytesIO()
    locked = owner_password and StandardEncryption(
        "", owner_password, canPrint=1, canModify=0, canCopy=0, canAnnotate=0, strength=128
    )
    canvas = Canvas(buffer, pagesize=size, invariant=1, pageCompression=0, encrypt=locked or None)
    canvas.setTitle(title)
    canvas.setAuthor(AUTHOR)
    canvas.setCreator(AUTHOR)
    canvas.setSubject("")
    canvas._doc._timeStamp.YMDhms = (day.year, day.month, day.day, 8, 0, 0)
    return canvas, buffer


def finish(canvas: Canvas, buffer: io.BytesIO) -> bytes:
    """Close a canvas and return its bytes."""
    canvas.save()
    return buffer.getvalue()


def broken(text: str, font: str, size: float, width: float, *, hyphens: bool = True) -> list[str]:
    """Break a text into lines of at most ``width`` points, words too where a hyphen may stand."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if stringWidth(joined, font, size) <= width:
            line = joined
            continue
        head, rest = "", word
        for match in reversed(list(_BREAK.finditer(word)) if hyphens else []):
            start = f"{line} {word[: match.start()]}-"
            if stringWidth(start, font, size) <= width:
                head, rest = start, word[match.start() :]
                break
        lines.append(head or line)
        line = rest
    return [*filter(None, lines), line]


@dataclass(frozen=True, slots=True)
class Line:
    """One run of text at a place, in points from the lower left corner."""

    x: float
    y: float
    text: str
    font: str = BODY
    size: float = 9.5


def draw(canvas: Canvas, lines: Iterable[Line]) -> None:
    """Draw lines in the order given."""
    for line in lines:
        canvas.setFont(line.font, line.size)
        canvas.drawString(line.x, line.y, line.text)


def from_the_top(lines: Iterable[Line]) -> list[Line]:
    """Sort lines as a printer driver sends them: down the page, and from left to right at one height."""
    return sorted(lines, key=lambda line: (-round(line.y), line.x))


@dataclass
class Flow:
    """Let blocks flow down columns and on to the next page.

    ``furniture`` draws what stands on every page; it is given the canvas, the number of the page and how
    many there are. ``order`` sorts the lines of a page before they are drawn.
    """

    canvas: Canvas
    columns: Sequence[tuple[float, float]]
    furniture: Callable[[Canvas, int, int], None]
    top: float = HEIGHT - 90
    bottom: float = 80
    size: float = 9.5
    order: Callable[[Iterable[Line]], list[Line]] = list
    y: float = 0.0
    column: int = 0
    first_top: float | None = None
    pages: list[list[Line]] = field(default_factory=lambda: [[]])
    art: list[tuple[int, Callable[[Canvas], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.y = self.first_top or self.top

    @property
    def leading(self) -> float:
        """Points from one line to the next."""
        return self.size * 1.32

    def _start(self) -> float:
        return self.first_top if len(self.pages) == 1 and self.first_top else self.top

    def room(self, points: float) -> None:
        """Go on to the next column or page unless so many points are left."""
        if self.y - points >= self.bottom:
            return
        self.column += 1
        if self.column == len(self.columns):
            self.column = 0
            self.pages.append([])
        self.y = self._start()

    def line(self, text: str, *, font: str = BODY, indent: float = 0, size: float | None = None) -> None:
        """Set one line and move down; a figure after ``^`` is raised."""
        self.room(self.leading)
        x, _ = self.columns[self.column]
        size = size or self.size
        text, _, mark = text.partition("^")
        self.pages[-1].append(Line(x + indent, self.y - self.size, text, font, size))
        if mark:  # A raised figure, which refers to a footnote, and the rest of the line after it.
            at = x + indent + stringWidth(text, font, size)
            self.pages[-1].append(Line(at, self.y - self.size + 3, mark[0], font, size * 0.65))
            rest = Line(at + size * 0.4, self.y - self.size, mark[1:], font, size)
            self.pages[-1] += [rest] if mark[1:] else []
        self.y -= self.leading

    def heading(self, text: str, *, size: float = 11.5, before: float = 8) -> None:
        """Set a heading that stays with two lines of what follows."""
        self.room(before + size * 1.4 + 2 * self.leading)
        if self.y != self._start():
            self.y -= before
        _, width = self.columns[self.column]
        for text_line in broken(text, BOLD, size, width, hyphens=False):
            self.line(text_line, font=BOLD, size=size)
        self.y -= 3

    def paragraph(self, text: str, *, indent: float = 0, label: str = "", font: str = BODY) -> None:
        """Set a paragraph, with a label such as a clause number or a bullet to the left of it."""
        _, width = self.columns[self.column]
        for number, text_line in enumerate(broken(text, font, self.size, width - indent)):
            self.room(self.leading)
            if label and not number:
                x, _ = self.columns[self.column]
                self.pages[-1].append(Line(x, self.y - self.size, label, BODY, self.size))
            self.line(text_line, indent=indent, font=font)
        self.y -= self.size * 0.45

    def table(self, rows: Sequence[Sequence[str]], stops: Sequence[float], *, head: bool = True) -> None:
        """Set a table without rules: each cell a run of its own at a tab stop; it stays together."""
        self.room(self.leading * len(rows))
        for number, row in enumerate(rows):
            x, _ = self.columns[self.column]
            font = BOLD if head and not number else BODY
            for stop, cell in zip(stops, row, strict=True):
                if cell:
                    self.pages[-1].append(Line(x + stop, self.y - self.size, cell, font, self.size))
            self.y -= self.leading
        self.y -= self.size * 0.6

    def figure(self, height: float, picture: Callable[[Canvas, float, float, float], None]) -> None:
        """Leave room for a drawing; ``picture`` gets the canvas, x, y of its foot, and the width."""
        self.room(height + 2 * self.leading)
        x, width = self.columns[self.column]
        foot = self.y - height
        self.art.append((len(self.pages), lambda canvas: picture(canvas, x, foot, width)))
        self.y = foot - 4

    def draw(self) -> None:
        """Draw all pages, each with its furniture first."""
        for number, lines in enumerate(self.pages, 1):
            self.furniture(self.canvas, number, len(self.pages))
            for page, paint in self.art:
                if page == number:
                    paint(self.canvas)
            draw(self.canvas, self.order(lines))
            self.canvas.showPage()
