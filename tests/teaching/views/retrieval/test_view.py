"""The lists as a page: chips, lines, marks, the gold in words, and what a sanitiser leaves."""

import base64
import re
from dataclasses import replace
from datetime import date

import pytest

from rag_kit import Filters
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.retrieval import Fusion
from rag_kit.teaching.views.retrieval.inspection import Link, inspect_retrieval
from rag_kit.teaching.views.retrieval.links import COLOURS, GUTTER, ROW, chip, lines_image
from rag_kit.teaching.views.retrieval.view import retrieval_html, retrieval_text, settings_text
from rag_kit.testing import make_chunk

ASKED = "fee of the museum"


def page_of(museum, question=ASKED, opened="", **options):
    return retrieval_html(
        inspect_retrieval(museum.store, question, **{"filters": museum.owner, **options}), opened
    )


def words_of(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def svg_of(image):
    return base64.b64decode(re.search(r"base64,([^\"]+)", image)[1]).decode()


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, two):
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("back", "text"), COLOURS)
def test_letters_and_lines_can_be_seen_on_a_light_and_on_a_dark_page(back, text):
    assert contrast(back, text) >= 4.5
    assert contrast(back, "#ffffff") >= 3
    assert contrast(back, "#111111") >= 3


def test_each_row_says_place_letter_score_and_where(museum):
    words = words_of(page_of(museum))
    assert "1 A 1.000 Entry The entry fee is five euros" in words
    assert "1 C 1.228 Cats The museum has a cat" in words
    assert "2 B 0.0323 dense 2, bm25 2 Entry A card fee" in words


def test_the_words_of_the_question_are_marked_in_title_and_text(museum):
    page = page_of(museum, "What does an entry cost, a fee?")
    marks = re.findall(r"<mark[^>]*>(.*?)</mark>", page)
    assert set(marks) == {"Entry", "entry", "fee"}


def test_a_line_goes_from_row_to_row_and_passes_behind_a_list_dashed():
    links = [Link("x", (0, 0), (1, 2)), Link("y", (0, 1), (2, 0)), Link("z", (1, 0), (2, 1))]
    letters = {"x": "A", "y": "B", "z": "C"}
    first, second = svg_of(lines_image(links, 0, 3, letters)), svg_of(lines_image(links, 1, 3, letters))
    half = GUTTER // 2

    def curve(start, end):
        return f"M0 {start * ROW + 15}C{half} {start * ROW + 15} {half} {end * ROW + 15} {GUTTER} {end * ROW + 15}"

    assert re.findall(r'd="([^"]+)"', first) == [curve(0, 2), curve(1, 1)]
    assert re.findall(r'd="([^"]+)"', second) == [curve(1, 0), curve(0, 1)]
    assert (first.count("dasharray"), second.count("dasharray")) == (1, 1)
    assert f'height="{3 * ROW}"' in first
    assert lines_image(links, 2, 3, letters) == ""


def test_a_line_from_below_the_rows_and_one_down_there_are_thin_and_end_at_the_edge():
    links = [Link("x", (0, 1), (2, None)), Link("y", (1, None), (2, 0))]
    letters = {"x": "A", "y": "B"}
    first, second = svg_of(lines_image(links, 0, 2, letters)), svg_of(lines_image(links, 1, 2, letters))
    half, low, edge = GUTTER // 2, ROW + 15, 2 * ROW
    assert re.findall(r'd="([^"]+)"', first) == [f"M0 {low}C{half} {low} {half} {low} {GUTTER} {low}"]
    assert re.findall(r'd="([^"]+)"', second) == [
        f"M0 {low}C{half} {low} {half} {edge} {GUTTER} {edge}",
        f"M0 {edge}C{half} {edge} {half} 15 {GUTTER} 15",
    ]
    assert second.count('stroke-width="1.5" stroke-dasharray="1 3"') == 2


def test_gold_that_the_fused_list_does_not_show_goes_down(library_of):
    # By meaning the gold is first, for its other words are none of the embedder's; by words it is too long.
    gold = make_chunk("fee pay, and then many other words of things that nobody asked for", "gold")
    others = [make_chunk("fee fee pay", "one"), make_chunk("fee fee fee pay", "two")]
    asked = Question("q", "fee pay", "answer", (Gold("gold"),))
    store = library_of([gold, *others], "fee", "pay").store
    seen = inspect_retrieval(store, asked, filters=Filters.owner(), top_k=1)
    assert [seen.rows(r)[0].chunk.document_id == "gold" for r in seen.rankings] == [True, False, False]
    page = retrieval_html(seen)
    last = svg_of(re.findall(r"<img[^>]*>", page)[-1])
    assert last.count('stroke-dasharray="1 3"') == 1


def test_the_eighth_letter_has_the_first_colour_and_is_hollow():
    letters = {str(at): chr(ord("A") + at) for at in range(15)}
    first, eighth, fifteenth = (chip(letters, str(at)) for at in (0, 7, 14))
    assert f"background:{COLOURS[0][0]}" in first
    assert "background" not in eighth
    assert f"solid {COLOURS[0][0]}" in eighth
    assert fifteenth.replace(">O<", ">A<") == first
    thin, thick = (svg_of(lines_image([Link(name, (0, 0), (1, 0))], 0, 1, letters)) for name in ("7", "0"))
    assert 'stroke-width="1.5"' in thin
    assert 'stroke-width="1.5"' not in thick


def test_lines_and_letters_have_one_colour(museum):
    page = page_of(museum)
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 2
    strokes = re.findall(r'stroke="(#\w+)"', svg_of(images[1]))
    chips = dict(re.findall(r"background:(#\w+);color:#\w+\">([A-Z])<", page))
    assert sorted(chips[stroke] for stroke in strokes) == ["A", "B", "C"]


def test_the_gold_is_said_in_words_and_in_a_border(museum):
    page = page_of(museum, museum.questions[0])
    assert page.count("3px solid") == 3
    words = words_of(page)
    assert "gold 1 at place 1" in words
    assert "gold 2 not among the 2 candidates" in words
    # One piece alone has no number.
    one = replace(museum.questions[0], evidence=museum.questions[0].evidence[:1])
    assert "gold at place 1" in words_of(page_of(museum, one))


def test_a_list_that_found_nothing_says_so(museum):
    words = words_of(page_of(museum, "Zebra?"))
    assert "No chunk holds a term of the question." in words
    assert words.count("Nothing was found.") == 2
    nobody = words_of(page_of(museum, filters=Filters.for_tags([])))
    assert "Why here?" not in nobody
    stop = words_of(page_of(museum, "fee", opened=museum.fees.chunk_id))
    assert "bm25 in all 0.831" in stop


def test_the_reasons_of_one_chunk_are_unfolded(museum):
    page = page_of(museum, opened=museum.cards.chunk_id)
    all_of_them, box = re.split(r"<details open[^>]*>", page)[1:]
    assert words_of(all_of_them).startswith("Why here? A Entry")
    words = words_of(box[: box.index("</details>")])
    assert words.startswith("B Entry dense: place 2, cosine 0.707 bm25: place 2, score 0.841")
    assert "term idf times in the chunk adds fee 0.693 1 0.841 museum 1.204 – – bm25 in all 0.841" in words
    assert page.count("<details") == 4
    assert "<details open" not in page_of(museum)


def test_a_term_asked_twice_counts_twice(museum):
    assert "fee (×2) 0.693 2 1.661" in words_of(page_of(museum, "fee, which fee?"))


def test_markup_in_documents_and_questions_is_shown_and_not_obeyed(library_of):
    nasty = make_chunk("A <script>alert(1)</script> fee", title='T"><img src=x>', heading_path=("<b>H</b>",))
    store = library_of([nasty], "fee").store
    asked = Question("q", "fee <i>&</i>", "answer", (Gold("d"),))
    page = retrieval_html(inspect_retrieval(store, asked, filters=Filters.owner()))
    for tag in ("<script", "<i>", "<b>", "<img src=x"):
        assert tag not in page


def test_only_what_an_untrusted_notebook_keeps_is_used(museum):
    page = page_of(museum, museum.questions[0], opened=museum.fees.chunk_id)
    assert not {"style", "script", "svg", "path", "button"} & set(re.findall(r"<(\w+)", page))
    assert "var(" not in page
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page)


def test_old_versions_are_marked(museum, library_of):
    old = replace(museum.cards, superseded_at=date(2026, 1, 1))
    gone = replace(museum.fees, expires_at=date(2026, 1, 1))
    filters = replace(museum.owner, include_superseded=True)
    words = words_of(
        retrieval_html(inspect_retrieval(library_of([old, gone], "fee").store, "fee", filters=filters))
    )
    assert words.count("superseded Entry") == 3
    assert words.count("expired Entry") == 3


def test_the_text_says_the_lists_in_letters(museum):
    text = retrieval_text(inspect_retrieval(museum.store, museum.questions[0], filters=museum.owner))
    assert text.splitlines() == [
        "Question: What is the fee?",
        "   dense: A 1.000 gold  B 0.707",
        "    bm25: B 0.841  A 0.831 gold",
        "   fused: B 0.0325  A 0.0325 gold",
        "gold 1: dense at place 1, bm25 at place 2, fused at place 2",
        "gold 2: " + ", ".join(f"{name} not among the 2 candidates" for name in ("dense", "bm25", "fused")),
        "  A Entry: The entry fee is five euros, the same fee as ever.",
        "  B Entry: A card fee.",
    ]


def test_the_setting_says_what_counts(museum):
    def said(fusion):
        return settings_text(inspect_retrieval(museum.store, ASKED, filters=museum.owner, fusion=fusion))

    assert said(Fusion(k=10, weights={"bm25": 0.5})) == "rrf, k = 10, weights dense 1, bm25 0.5"
    assert said(Fusion("zscore", k=10)) == "zscore, weights dense 1, bm25 1"
