"""Exact codes in a question: part numbers, error codes, versions, paths, names from source code, and quotes.

A question that is nothing else wants the passage that holds it, to the letter; how close the meaning is counts
less there.
"""

from __future__ import annotations

import regex

from rag_kit.wording import content_words, plain_hyphens

_JOINTS = "./:@&-"
_WORD = regex.compile(rf"([\p{{L}}\p{{N}}/_][\w{_JOINTS}]*+)(?:\(\))?(?:\+\+|\#)?")
_CODE = regex.compile(
    r"""
    # Letters and figures, but no measure: 24V, 3rd, 30-day.
    (?=.*\p{L})(?=.*\d)(?!\d+(?:[.,]\d+)*\p{L}+$)
        (?!\d{1,3}(?:[.,]\d+)*-\p{L}\p{Ll}{2,}(?:-\p{Ll}{2,})*$).+
    | \d+(?:\.\d+){2,} | \d{5,}                       # 4.2.1, and a long number
    | (?=\w+_\w)\w++                                 # E_CONN_RESET
    | \p{Ll}{2,}\p{Lu}\w+                             # camelCase
    | \p{Lu}{2,}(?:-\p{Lu}{2,})+                      # AB-CD
    | /\w[\w/-]* | [\w.]+\(\) | \p{Lu}(?:\+\+|\#)     # a path, a call, C++
    """,
    regex.X,
)
_QUOTED = regex.compile(r"(?<!\d)[\"“„`]([^\"”“`]{2,60})[\"”“`]")


def codes_in(query: str) -> tuple[str, ...]:
    """Return the exact codes and quoted words of a query, each once, in order.

    >>> codes_in('What does E_CONN_RESET mean on the XX-2210, and what says "pit"?')
    ('E_CONN_RESET', 'XX-2210', 'pit')
    >>> codes_in('How long may a 24V supply of the 27" panel fail in a 30-day month of 2026, the 3rd time?')
    ()
    """
    query = plain_hyphens(query)
    found = [(match.start(), match[1]) for match in _QUOTED.finditer(query)]
    for match in _WORD.finditer(query):
        # What joins the parts of a code ends none: a full stop, a slash.
        bare = match[1].rstrip(_JOINTS)
        word = match[0] if bare == match[1] else bare
        if _CODE.fullmatch(word):
            found.append((match.start(), word))
    return tuple(dict.fromkeys(code for _, code in sorted(found)))


def is_code(text: str) -> bool:
    """Tell whether a text is an exact code, or several, and has no other word that says anything.

    >>> is_code("What is the XX-1042?"), is_code("What does the XX-1042 cost?"), is_code("What is it?")
    (True, False, False)
    """
    codes = codes_in(text)
    return bool(codes) and set(content_words(text)) <= set(content_words(" ".join(codes)))
