"""The analyser: codes whole and in parts, folded forms, scripts without blanks."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.retrieval import Analyser
from rag_kit.retrieval.codes import codes_in

ANALYSER = Analyser()


def terms(text):
    return set(ANALYSER.terms(text))


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("Error XX-1042: reset the hub.", "XX-1042"),
        ("Error XX-1042: reset the hub.", "xx 1042"),
        ("Error XX-1042: reset the hub.", "XX1042"),
        ("Error XX-1042: reset the hub.", "1042"),
        ("E_CONN_RESET means the peer closed.", "E_CONN_RESET"),
        ("E_CONN_RESET means the peer closed.", "conn reset"),
        ("Upgrade to v2.1.3, not v2.1.4.", "2.1.3"),
        ("Call foo.bar() before baz.", "foo.bar"),
        ("Call foo.bar() before baz.", "bar"),
        ("the camelCase setting", "camel case"),
        ("the camelCase setting", "camelcase"),
        ("POST /v1/refunds returns 201", "/v1/refunds"),
        ("POST /v1/refunds returns 201", "refund"),
        ("Sold 7,318,400 units.", "7318400"),
        ("Sold 7318400 units.", "7,318,400"),
        ("C# and C++ samples.", "C++"),
        ("The e-mail", "email"),
        ("the customer's meters", "customer meter"),
        ("l'hôpital", "hopital"),
        ("Plan B", "plan b"),
        ("dn25", "DN 25"),
        ("The US office moved.", "U.S. office"),
        ("Sold in the EU/US region.", "US"),
        ("Ask the IT department.", "IT"),
    ],
)
def test_every_term_of_the_query_is_one_of_the_document(document, query):
    assert terms(query), "a query without terms would find nothing"
    # A joined spelling gives its own whole form besides; the parts of it are shared.
    assert terms(query) & terms(document)
    assert {t for t in terms(query) if t.isalpha() or t.isdecimal()} <= terms(document) | {"dn25"}


def test_one_code_is_told_from_its_neighbour_by_its_whole_form():
    assert "xx-1042" in terms("XX-1042") - terms("XX-1043")
    assert "v2.1.3" in terms("v2.1.3") - terms("v2.1.4")
    assert "c++" in terms("C++") - terms("C#")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("退款期限", ["退款", "款期", "期限"]),
        ("发票", ["发票"]),
        ("费", ["费"]),
        ("型XX-1042号", ["型", "xx-1042", "xx1042", "xx", "1042", "号"]),
        ("théâtre", ["theatr"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("йога", ["йога"]),
        ("the of and", []),
        ("", []),
        (" \n ", []),
        ("— … !?", []),
        ("99.9% and €1,280", ["99.9", "1280"]),
        ("resetting resets", ["reset", "reset"]),
        ("It is for us who pay.", ["pay"]),
        ("The US, the EU's IT.", ["us", "eu", "it"]),
    ],
)
def test_the_terms_of_a_text(text, expected):
    assert ANALYSER.terms(text) == expected


@pytest.mark.parametrize("text", ["the XX-1042 e-mail", "warranty for the gateway", "war-ranty XX-1042/7"])
@pytest.mark.parametrize("hyphen", ["\u2010", "\u2011", "\uff0d"])
def test_a_hyphen_is_one_however_a_writer_sets_it(text, hyphen):
    assert ANALYSER.terms(text.replace("-", hyphen)) == ANALYSER.terms(text)


def test_a_soft_hyphen_is_none():
    assert ANALYSER.terms("war\u00adranty XX\u00ad-1042") == ANALYSER.terms("warranty XX-1042")
    assert codes_in("Is the XX\u20111042 or the XX\u00ad-1042 new?") == ("XX-1042",)


def test_signs_that_make_another_letter_stay():
    assert terms("йога") != terms("иога")
    assert terms("Gödel") == terms("godel")


@pytest.mark.parametrize("text", ["Gödel soufflé 2024", "ＣＯＤＥ ７３１", "ﬁle", "Straße"])
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
def test_spellings_that_look_alike_are_alike(text, form):
    assert ANALYSER.terms(unicodedata.normalize(form, text)) == ANALYSER.terms(text)


def test_words_that_stand_in_any_text_and_endings_can_be_kept():
    assert Analyser(stop_words=frozenset()).terms("of the fees") == ["of", "the", "fee"]
    assert Analyser(stemming=False).terms("of the fees") == ["fees"]


@given(st.text(max_size=80))
def test_any_text_has_terms_that_are_folded_and_hold_no_blank(text):
    found = ANALYSER.terms(text)
    assert found == ANALYSER.terms(text)
    assert all(term and not any(sign.isspace() for sign in term) for term in found)
    assert all(term == term.casefold() for term in found)


@given(st.lists(st.text(max_size=20), max_size=6))
def test_a_text_has_the_terms_of_its_words(words):
    apart = [term for word in words for term in ANALYSER.terms(word)]
    assert ANALYSER.terms(" ".join(words)) == apart
