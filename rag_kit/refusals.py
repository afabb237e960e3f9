"""The table of refusals, and how one is recognised.

``no_evidence`` and ``declined`` share a text, since the reader of an answer needs no more; the kinds are
counted apart, because their causes are: the first is a gap in the documents, the second points at chunking
or retrieval.
"""

from __future__ import annotations

import re

from rag_kit.types import Refusal, RefusalKind

REFUSAL = "I could not find an answer in the documents."

REFUSALS: dict[RefusalKind, str] = {
    "no_evidence": REFUSAL,
    "declined": REFUSAL,
    "uncited": "I could not find a supported answer in the documents.",
    "unverified": "I could not verify that against the documents.",
    "not_definitive": "I could not find a definitive answer about {subject} in the documents provided.",
}

# Where two kinds share a text, a model that says it has declined: the kit itself knows when it made no call.
_DETECTED: tuple[RefusalKind, ...] = ("declined", "uncited", "unverified", "not_definitive")
# Not past the end of a sentence, but "version 2.1" is no end.
_SUBJECT = r"(?:[^.!?]|[.!?](?=\S)){1,200}"
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


def refuse(kind: RefusalKind, *, subject: str = "that") -> Refusal:
    """Make the refusal of a kind, in the table's words.

    >>> refuse("uncited").text
    'I could not find a supported answer in the documents.'
    """
    return Refusal(kind, REFUSALS[kind].format(subject=subject))


def detect_refusal(text: str) -> RefusalKind | None:
    """Recognise a text that refuses and says nothing else.

    Case, curly quotes, quotation marks around it, blanks and the full stop do not matter; a text that goes
    on to answer is not a refusal.

    >>> detect_refusal("i could not find an answer in the documents")
    'declined'
    >>> detect_refusal("I could not find an answer in the documents. It is 5 [1].") is None
    True
    """
    said = _fold(text)
    for kind in _DETECTED:
        pattern = re.escape(_fold(REFUSALS[kind])).replace(re.escape("{subject}"), _SUBJECT)
        if re.fullmatch(pattern, said):
            return kind
    return None


def read_refusal(text: str) -> Refusal | None:
    """Return the refusal that a text is, or None; what a refusal is about stays in the text's own words.

    >>> read_refusal("I could not find a definitive answer about **Fees** in the documents provided").text
    'I could not find a definitive answer about **Fees** in the documents provided.'
    """
    kind = detect_refusal(text)
    if kind is None:
        return None
    before, _, after = REFUSALS[kind].partition("{subject}")
    around = re.escape(before) + "(.+)" + re.escape(after.rstrip("."))
    said = re.search(around, " ".join(text.translate(_QUOTES).split()), re.I) if after else None
    return refuse(kind, subject=said[1]) if said else refuse(kind)


def _fold(text: str) -> str:
    plain = " ".join(text.translate(_QUOTES).split()).casefold()
    return plain.strip("\"' ").rstrip(".").strip("\"' ")
