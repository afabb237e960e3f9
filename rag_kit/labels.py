"""The grammar of citation labels.

A label is a number in square brackets, given out per prompt in the order shown. Accepted in an answer:
``[1]``, ``[1, 2]``, ``[1][2]``, ``[1-3]``, ``[S1]`` and ``【1】``. Not citations: a markdown link
(``[1](…)``), a footnote mark (``[^1]``), an index glued to a word (``rows[1]``), anything in code, and a
number of four digits or more (``[2024]``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from rag_kit.sentences import FENCED
from rag_kit.types import Span
from rag_kit.wording import IDEOGRAPH

WIDEST_RANGE = 50
"""A range over more labels than this is no list of sources: it is kept as one unknown label."""

_ITEM = r"\s*[sS]?\d{1,3}(?:\s*[-–]\s*[sS]?\d{1,3})?\s*"
_GROUP = re.compile(rf"(?:\[({_ITEM}(?:[,;]{_ITEM})*)\](?!\()|【({_ITEM}(?:[,;]{_ITEM})*)】)")
_ODD = re.compile(
    r"\[\s*[sS]\s*[-–]?\d[\d.]*\s*\](?!\()|\[\s*[-–]\d{1,3}\s*\](?!\()|\[\d{1,3}\.\d{1,3}\](?!\()"
)
_CODE = re.compile(rf"{FENCED}|(?<!`)(?P<tick>`+)(?!`)[^\n]*?(?<!`)(?P=tick)(?!`)", re.S | re.M)
_UNSPACED = re.compile(f"[{IDEOGRAPH}]")
"""A bracket after a sign of a script without blanks hangs on no word."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A label as an answer mentions it: ``label`` in its plain form, ``span`` the brackets in the answer."""

    label: str
    span: Span


def label_for(position: int) -> str:
    """Return the label of the source at ``position``, counted from 1.

    >>> label_for(3)
    '[3]'
    """
    return f"[{position}]"


def find_labels(answer: str) -> list[Mention]:
    """Find every label that an answer mentions, in order; a group gives one mention a label.

    >>> [m.label for m in find_labels("Ten days [1, S3]. Five【2】. See [2024] and rows[4].")]
    ['[1]', '[3]', '[2]']
    >>> find_labels("Ten days [2].")[0].span
    (9, 12)
    """
    code = [match.span() for match in _CODE.finditer(answer)]
    begins = [start for start, _ in code]
    mentions: list[Mention] = []
    taken: set[int] = set()
    for pattern in (_GROUP, _ODD):
        for match in pattern.finditer(answer):
            start, end = match.span()
            before = bisect_right(begins, start) - 1
            if _glued(answer, start) or (before >= 0 and start < code[before][1]) or start in taken:
                continue
            if pattern is _ODD:
                mentions.append(Mention(match.group().replace(" ", ""), (start, end)))
                continue
            taken.add(start)
            labels = dict.fromkeys(_expand(match.group(1) or match.group(2)))
            mentions.extend(Mention(label, (start, end)) for label in labels)
    return sorted(mentions, key=lambda mention: mention.span)


def strip_labels(text: str) -> str:
    """Take the labels out of a text, and the blank before each.

    >>> strip_labels("Ten days [1][2]. Five [3].")
    'Ten days. Five.'
    """
    kept, at = [], 0
    for start, end in sorted({mention.span for mention in find_labels(text)}):
        kept.append(text[at:start].rstrip(" "))
        at = end
    return "".join([*kept, text[at:]]).strip()


def _glued(answer: str, start: int) -> bool:
    """Tell whether a square bracket hangs on a word, as in ``a[1]``; one after a bracket does not."""
    before = answer[start - 1 : start] if start else ""
    hangs = before in ("_", "^", "!") or (before.isalnum() and not _UNSPACED.match(before))
    return answer[start] == "[" and hangs


def _expand(group: str) -> Iterable[str]:
    for item in re.split(r"[,;]", group):
        numbers = [int(number) for number in _NUMBER.findall(item)]
        first, last = numbers[0], numbers[-1]
        if last - first >= WIDEST_RANGE or last < first:
            yield f"[{first}-{last}]"
        else:
            yield from (label_for(number) for number in range(first, last + 1))
