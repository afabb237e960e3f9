"""Which language a text is written in, and a notice where the embedder was not made for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from rag_kit.types import Notice, ParsedBlock

ENOUGH = 200
"""Letters of prose below which no language is guessed, in bytes of UTF-8: a Chinese sign says as much as three."""
SURE = 0.9
SURE_OF_CHINESE = 0.5
"""Lower, for the near relations of Chinese that share its signs take their part; none of them is English."""
SAMPLE = 20_000
_ENGLISH_WORDS = "the and that with this are from which not be you your when must will have"
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_ENGLISH_SHARE = 0.08
# Dialects and near relations of a big language, and "no language", are left out: they would be guesses.
_NAMED = """
af=Afrikaans ar=Arabic be=Belarusian bg=Bulgarian bn=Bengali bs=Bosnian ca=Catalan cs=Czech cy=Welsh
da=Danish de=German el=Greek en=English es=Spanish et=Estonian eu=Basque fa=Persian fi=Finnish
fr=French ga=Irish gl=Galician gu=Gujarati he=Hebrew hi=Hindi hr=Croatian hu=Hungarian hy=Armenian
id=Indonesian is=Icelandic it=Italian ja=Japanese ka=Georgian kk=Kazakh kn=Kannada ko=Korean
lt=Lithuanian lv=Latvian mk=Macedonian ml=Malayalam mr=Marathi ms=Malay nl=Dutch no=Norwegian
pa=Punjabi pl=Polish pt=Portuguese ro=Romanian ru=Russian sk=Slovak sl=Slovenian sq=Albanian
sr=Serbian sv=Swedish sw=Swahili ta=Tamil te=Telugu th=Thai tl=Tagalog tr=Turkish uk=Ukrainian
ur=Urdu vi=Vietnamese zh=Chinese
"""
_NAMES = dict(pair.split("=") for pair in _NAMED.split())
_WORD = re.compile(r"[^\W\d_]+")
# Codes, names of things and addresses belong to no language.
_NO_PROSE = re.compile(r"`[^`\n]*`|\S*(?:://|[\d_@/\\=<>{}])\S*|\b[A-Z]{2,}\b")


def detect(text: str) -> tuple[str, float]:
    """Guess the language of a text: an ISO 639 code and how sure that is, from 0 to 1.

    >>> detect("Der Preis gilt ab dem ersten Tag des Monats, in dem bestellt wird.")[0]
    'de'
    """
    code, probability = _model().classify(text)
    return str(code), float(probability)


def language_notice(blocks: Iterable[ParsedBlock], languages: Collection[str]) -> Notice | None:
    """Return a notice where the prose of a document is surely in none of ``languages``.

    Code and tables are not read, and short texts are not guessed at.
    """
    prose = _sample([block.text for block in blocks if block.block_type not in ("code", "table")])
    words = [word.lower() for word in _WORD.findall(prose)]
    if len("".join(words).encode("utf-8", "replace")) < ENOUGH:
        return None
    # Loading the model takes a second, so plain English never gets there.
    if "en" in languages and sum(word in _ENGLISH for word in words) >= _ENGLISH_SHARE * len(words):
        return None
    code, probability = detect(prose)
    sure = SURE_OF_CHINESE if code == "zh" else SURE
    if probability < sure or code in languages or code not in _NAMES:
        return None
    made_for = ", ".join(_NAMES.get(language, language) for language in languages)
    message = f"seems to be in {_NAMES[code]} ({code}), and the embedding model was made for {made_for}"
    return Notice("language", f"{message}: expect poor search, or choose a model that knows the language")


def _sample(texts: list[str]) -> str:
    """Join texts; of a long document, every n-th one, so that one foreign page does not decide."""
    step = 1 + sum(map(len, texts)) // SAMPLE
    return _NO_PROSE.sub(" ", "\n".join(text[:SAMPLE] for text in texts[::step]))


@lru_cache(maxsize=1)
def _model() -> Any:
    from py3langid import langid

    identifier: Any = langid.LanguageIdentifier
    return identifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
