"""How passages are written into a prompt, and read back out of one.

Each passage stands between tags, byte for byte, under its label. A document cannot forge a tag: where a
text or the question holds anything like one, the tags get a suffix made from all of these texts together,
which no document can know beforehand.

Prompts written by hand are read too: ``[1] text`` a line or a paragraph, then ``Question: text``. Nothing
guards that form: a document with such a line in it adds a source of its own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag_kit.types import HeadingPath, below_title

_VALUE = r'"([^"\n]*)"'
_OPENING = re.compile(
    r'^<(source(?:-[0-9a-f]{12})?) label="(\[\d+\])"'
    rf" title={_VALUE}(?: source={_VALUE})?(?: page={_VALUE})? section={_VALUE}"
    rf"(?: expired={_VALUE})?(?: superseded={_VALUE})?>\n",
    re.M,
)
_LABELLED = re.compile(r"^[ \t]*(?:[-*][ \t]+)?(\[[sS]?\d{1,3}\])[:.]?(?=\s|\Z)", re.M)
_ASKED = re.compile(r"^[ \t]*Question[ \t]*:[ \t]*", re.M | re.I)
QUESTION = "Question: "


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as the model sees it.

    ``source`` names its file and ``page`` its page or pages. ``expired`` and ``superseded`` are dates, of a
    passage that is shown although it no longer holds. What is empty is not written.
    """

    label: str
    title: str
    section: str
    text: str
    source: str = ""
    page: str = ""
    expired: str = ""
    superseded: str = ""

    def parts(self) -> tuple[str, ...]:
        """Return all that a document has a say in: what the tags are chosen by."""
        return self.title, self.section, self.text, self.source, self.page


def section_of(title: str, heading_path: HeadingPath) -> str:
    """Write a heading path as a section, without a first heading that only repeats the title.

    >>> section_of("Fees", ("Fees", "Europe", "Cards"))
    'Europe > Cards'
    """
    return " > ".join(below_title(title, heading_path))


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

    >>> print(write_source(Source("[1]", "Fees", "Europe", "The fee is 5.", "fees.pdf", "3"), "source"))
    <source label="[1]" title="Fees" source="fees.pdf" page="3" section="Europe">
    The fee is 5.
    </source>
    """
    values = {
        "label": source.label,
        "title": source.title,
        "source": source.source or None,
        "page": source.page or None,
        "section": source.section,
        "expired": source.expired or None,
        "superseded": source.superseded or None,
    }
    opening = " ".join(
        [tag, *(f'{name}="{_attribute(value)}"' for name, value in values.items() if value is not None)]
    )
    return f"<{opening}>\n{source.text}\n</{tag}>"


def write_question(sources: Sequence[str], question: str) -> str:
    r"""Write the user message: the passages, then the question.

    >>> write_question(["[1] The fee is 5."], "What is the fee?")
    '[1] The fee is 5.\n\nQuestion: What is the fee?'
    """
    return "\n\n".join([*sources, QUESTION + question])


def read_message(message: str) -> tuple[list[Source], str]:
    r"""Read passages and question back from a user message; what follows the last tag is the question.

    >>> one = write_source(Source("[1]", "Fees", "", "The fee is 5."), "source")
    >>> sources, question = read_message(write_question([one], "What is the fee?"))
    >>> sources[0].text, question
    ('The fee is 5.', 'What is the fee?')
    >>> sources, question = read_message("[1] The fee is 5.\n[2] Pay in May.\n\nQuestion: When is it due?")
    >>> [source.text for source in sources], question
    (['The fee is 5.', 'Pay in May.'], 'When is it due?')
    """
    if message.startswith(QUESTION):
        return [], message.removeprefix(QUESTION).strip()  # the question of a message without passages
    # The first opening tag says which tag this message uses; any other spelling is text.
    first = _OPENING.search(message)
    if first is None:
        return _read_labelled(message)
    sources: list[Source] = []
    at = first.start()
    while (opening := _OPENING.match(message, at)) and opening[1] == first[1]:
        end = message.find(f"\n</{opening[1]}>", opening.end() - 1)
        if end < 0:
            break
        text = message[opening.end() : max(end, opening.end())]
        label, title, source, page, section, expired, superseded = (
            value or "" for value in opening.groups()[1:]
        )
        sources.append(Source(label, title, section, text, source, page, expired, superseded))
        at = end + len(f"\n</{opening[1]}>")
        while message[at : at + 1] == "\n":
            at += 1
    after = message[at:].lstrip().removeprefix(QUESTION).strip()
    return sources, after or _question_in(message[: first.start()])


def read_conversation(messages: Sequence[Mapping[str, str]]) -> tuple[list[Source], str]:
    """Find the sources that a conversation is about, and the question.

    The results of tools since the last user message come first, then the newest user message that holds
    sources, then the system message. A question that does not stand beside its sources is the newest user
    message without any.

    >>> read_conversation([{"role": "system", "content": "[1] The fee is 5."},
    ...                    {"role": "user", "content": "What is the fee?"}])[1]
    'What is the fee?'
    """
    said = [(read_message(m["content"]), at) for at, m in enumerate(messages) if m["role"] == "user"]
    asked = next((question for (sources, question), _ in reversed(said) if question and not sources), "")
    last = said[-1][1] if said else -1
    found = [s for m in messages[last + 1 :] if m["role"] == "tool" for s in read_message(m["content"])[0]]
    if found:
        return found, (said[-1][0][1] if said else "") or asked
    for (sources, question), _ in reversed(said):
        if sources:
            return sources, question or asked
    for message in messages:
        if message["role"] in ("system", "developer") and (held := read_message(message["content"])[0]):
            return held, asked
    return [], asked


def _read_labelled(message: str) -> tuple[list[Source], str]:
    """Read a prompt written by hand; without a ``Question:`` the question is what ends in a question mark."""
    first: dict[str, re.Match[str]] = {}
    for mark in _LABELLED.finditer(message):
        first.setdefault(mark[1], mark)
    marks = list(first.values())
    if not marks:
        return [], message.strip()
    question, end = _question_in(message[: marks[0].start()]), len(message)
    last = message.rfind("\n\n", marks[-1].end())
    asked = [mark for mark in _ASKED.finditer(message) if mark.start() > marks[0].start()]
    if asked:
        question, end = message[asked[-1].end() :].strip(), asked[-1].start()
    elif last > 0 and message.rstrip().endswith("?"):
        question, end = message[last:].strip(), last
    marks = [mark for mark in marks if mark.start() < end]
    bounds = zip(marks, [*(mark.start() for mark in marks[1:]), end], strict=True)
    texts = [(mark[1], message[mark.end() : stop].strip()) for mark, stop in bounds]
    return [Source(label, "", "", text) for label, text in texts if text], question


def _question_in(text: str) -> str:
    """Return the last line of a text that ends in a question mark, or nothing."""
    lines = [line.strip() for line in text.splitlines() if line.strip().endswith("?")]
    return _ASKED.sub("", lines[-1], count=1) if lines else ""


def _attribute(value: str) -> str:
    return " ".join(value.replace('"', "'").split())
