"""How passages are written into a prompt, and read back out of one.

Each passage stands between tags, byte for byte, under its label. A document cannot forge a tag: where a
text or the question holds anything like one, the tags get a suffix made from all of these texts together,
which no document can know beforehand.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_kit.types import HeadingPath

_OPENING = re.compile(
    r'<(source(?:-[0-9a-f]{12})?) label="(\[\d+\])" title="([^"\n]*)" section="([^"\n]*)">\n'
)
QUESTION = "Question: "


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as the model sees it."""

    label: str
    title: str
    section: str
    text: str


def section_of(title: str, heading_path: HeadingPath) -> str:
    """Write a heading path as a section, without a first heading that only repeats the title.

    >>> section_of("Fees", ("Fees", "Europe", "Cards"))
    'Europe > Cards'
    """
    return " > ".join(heading_path[1:] if heading_path and heading_path[0] == title else heading_path)


def choose_tag(texts: Iterable[str]) -> str:
    """Choose the tag for these texts and the question: ``source``, with a suffix where one mentions it.

    >>> choose_tag(["The fee is 5."])
    'source'
    """
    joined = "\x00".join(texts)
    if "source" not in joined.casefold() or not re.search(r"</?\s*source", joined, re.I):
        return "source"
    return "source-" + hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def write_source(source: Source, tag: str) -> str:
    """Write one passage between its tags.

    >>> print(write_source(Source("[1]", "Fees", "Europe", "The fee is 5."), "source"))
    <source label="[1]" title="Fees" section="Europe">
    The fee is 5.
    </source>
    """
    title, section = (_attribute(value) for value in (source.title, source.section))
    return f'<{tag} label="{source.label}" title="{title}" section="{section}">\n{source.text}\n</{tag}>'


def write_question(sources: Sequence[str], question: str) -> str:
    """Write the user message: the passages, then the question."""
    return "\n\n".join([*sources, QUESTION + question])


def read_message(message: str) -> tuple[list[Source], str]:
    """Read passages and question back from a user message; whatever is not between tags is the question.

    >>> one = write_source(Source("[1]", "Fees", "", "The fee is 5."), "source")
    >>> sources, question = read_message(write_question([one], "What is the fee?"))
    >>> sources[0].text, question
    ('The fee is 5.', 'What is the fee?')
    """
    sources: list[Source] = []
    at = 0
    # The first opening tag says which tag this message uses; any other spelling is text.
    first = _OPENING.match(message)
    while first and (opening := _OPENING.match(message, at)) and opening[1] == first[1]:
        end = message.find(f"\n</{opening[1]}>", opening.end() - 1)
        if end < 0:
            break
        text = message[opening.end() : max(end, opening.end())]
        sources.append(Source(opening[2], opening[3], opening[4], text))
        at = end + len(f"\n</{opening[1]}>")
        while message[at : at + 1] == "\n":
            at += 1
    return sources, message[at:].lstrip().removeprefix(QUESTION).strip()


def _attribute(value: str) -> str:
    return " ".join(value.replace('"', "'").split())
