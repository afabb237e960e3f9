"""Characters that were not read as what they are, and parts in another script or encoding."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, Place, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Layout
from rag_kit.types import Span
from rag_kit.wording import IDEOGRAPH

ENOUGH_LETTERS = 30
"""Letters of a block below which its script says nothing: a name or a word quoted."""
ENOUGH_WORDS = 40
"""Words of prose below which the lack of English function words says nothing."""
_UNMAPPED = {
    "codes of glyphs that the font does not map, such as (cid:12)": re.compile(r"\(cid:\d{1,6}\)"),
    "replacement characters": re.compile("\ufffd"),
    "characters of a font's private area": re.compile(
        "[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]"
    ),
}
# What the bytes of UTF-8 look like when they are read as Windows-1252: a lead byte, then its followers.
_FOLLOWERS = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MISREAD = re.compile(f"[\u00c2-\u00f4][{_FOLLOWERS}]{{1,3}}")
_PLAUSIBLE = re.compile(
    "[\u00a0-\u024f\u0370-\u052f\u2010-\u2044\u20a0-\u20bf\u2100-\u22ff\u3000-\u9fff\U0001f300-\U0001faff]"
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SCRIPTS = {
    "Latin": "A-Za-z\u00c0-\u024f",
    "Greek": "\u0370-\u03ff",
    "Cyrillic": "\u0400-\u052f",
    "Hebrew": "\u0590-\u05ff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f",
    "Devanagari": "\u0900-\u097f",
    "Thai": "\u0e00-\u0e7f",
    "Korean": "\u1100-\u11ff\uac00-\ud7af",
    "Chinese or Japanese": IDEOGRAPH,
}
_OF_SCRIPT = {name: re.compile(f"[{signs}]") for name, signs in _SCRIPTS.items()}
_ENGLISH = frozenset(
    re.findall(r"\w+", "the of and to a in is for on that with as by are be or from at it this not an")
)
_WORDS = re.compile(r"[^\W\d_]+")
_MOST_PLACES = 20
FEW_FOUND = "questions in one find little of the other"


def check_unmapped(layout: Layout) -> Iterator[Finding]:
    """Find unmapped glyphs and letters read in a wrong encoding, one finding a kind."""
    text = layout.text
    for what, pattern in _UNMAPPED.items():
        if found := [match.span() for match in pattern.finditer(text)]:
            private = "private" in what
            mend = "read the page as a picture (OCR), or take the text from the source of the file"
            yield _of_many(
                layout,
                "unmapped_characters",
                found,
                f"{what} ({len(found)}): {mend}",
                # Word's bullets are such characters, and nothing is lost with one.
                hint=private and len(found) * 200 < len(text),
            )
    misread = [match.span() for match in _MISREAD.finditer(text) if _mend(match.group())]
    if not misread:
        return
    shown = text[slice(*misread[0])]
    said = f"letters such as {shown!r} should be {_mend(shown)!r} ({len(misread)})"
    if not _rightly_read(text, misread):
        message = f"{said}: UTF-8 was read as Windows-1252; save the file as UTF-8"
        yield _of_many(layout, "unmapped_characters", misread, message)
    else:
        message = (
            f"in a part, {said}, elsewhere such letters are right: two encodings in one file; mend that part"
        )
        yield _of_many(layout, "encoding_change", misread, message)


def check_scripts(layout: Layout) -> Iterator[Finding]:
    """Find the blocks in another script than the document, or in another language than its English."""
    blocks = [block for block in layout.document.blocks if block.block_type not in ("code", "table")]
    scripts = [_script(block.text) for block in blocks]
    letters: Counter[str] = Counter()
    for name, count in scripts:
        letters[name] += count
    if not letters:
        return
    main = letters.most_common(1)[0][0]
    other: dict[str, list[Span]] = {}
    for block, (name, count) in zip(blocks, scripts, strict=True):
        if name != main and count >= ENOUGH_LETTERS:
            other.setdefault(name, []).append(block.span)
    for name, spans in other.items():
        blocks_are = "one block is" if len(spans) == 1 else f"{len(spans)} blocks are"
        message = f"{blocks_are} in {name} script and the rest in {main}: {FEW_FOUND}"
        yield _of_many(layout, "language_change", spans, message)
    if main == "Latin":
        yield from _not_english(layout, [block.span for block in blocks])


def _not_english(layout: Layout, spans: list[Span]) -> Iterator[Finding]:
    """Find prose without one English function word in a document whose text is full of them."""
    words = [[word.casefold() for word in _WORDS.findall(layout.text, *span)] for span in spans]
    english = [sum(word in _ENGLISH for word in held) for held in words]
    if sum(english) < 0.2 * sum(map(len, words)):
        return
    found = [
        span
        for span, held, count in zip(spans, words, english, strict=True)
        if len(held) >= ENOUGH_WORDS and count * 50 < len(held) and _prose(layout.text, span, held)
    ]
    if found:
        message = f"seems to be in another language than the rest: {FEW_FOUND}"
        yield _of_many(layout, "language_change", found, message)


def _prose(text: str, span: Span, words: list[str]) -> bool:
    """Tell whether a block has the short words and full stops of sentences, as lists of names have not."""
    capitals = sum(word[:1].isupper() for word in _WORDS.findall(text, *span))
    short = sum(len(word) <= 3 for word in words)
    return bool(re.search(r"[.!?](?:\s|$)", text[slice(*span)])) and 2 * capitals < len(words) < 6 * short


def _script(text: str) -> tuple[str, int]:
    """Return the script of most letters, and how many they are."""
    if text.isascii():
        return "Latin", len(_OF_SCRIPT["Latin"].findall(text))
    counts = Counter({name: len(pattern.findall(text)) for name, pattern in _OF_SCRIPT.items()})
    # Three letters write about what one sign does.
    counts["Chinese or Japanese"] *= 3
    return counts.most_common(1)[0]


def _mend(misread: str) -> str:
    """Return what a group of letters says when its bytes are read as UTF-8; "" where that is nothing likely."""
    try:
        data = b"".join(sign.encode("latin-1" if "\x80" <= sign <= "\xff" else "cp1252") for sign in misread)
        mended = data.decode("utf-8")
    except UnicodeError:
        return _mend(misread[:-1]) if len(misread) > 2 else ""
    return mended if _PLAUSIBLE.match(mended) else ""


def _rightly_read(text: str, misread: list[Span]) -> bool:
    """Tell whether letters like the misread ones stand in the text as they should."""
    wrong = {offset for start, end in misread for offset in range(start, end)}
    return any(
        match.start() not in wrong and _PLAUSIBLE.match(match.group()) for match in _NOT_ASCII.finditer(text)
    )


def _of_many(layout: Layout, code: str, spans: list[Span], message: str, *, hint: bool = False) -> Finding:
    first, document_id = spans[0], layout.document.document_id
    around = max(first[0] - 40, 0), min(first[1] + 60, len(layout.text))
    return finding(
        code,
        message,
        layout.document,
        first,
        severity="hint" if hint else None,
        page=layout.page_at(first[0]),
        chunk_id=layout.chunk_id_at(first[0]),
        excerpts=(excerpt(layout.text, around),),
        related=tuple(
            Place(document_id, span, layout.chunk_id_at(span[0])) for span in spans[1 : _MOST_PLACES + 1]
        ),
    )
