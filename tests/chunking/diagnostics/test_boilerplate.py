"""Lines that come back on pages and in documents."""

CODE = "repeated_boilerplate"
WORDS = ("pump", "valve", "ring", "seal")


def test_a_running_header_is_found_whatever_its_page_number(found):
    text = "".join(
        f"Acme handbook, page {n}\n\nThe {word} is old.\n\nIts {word} creaks.\n\nA {word} ends it.\n\n"
        for n, word in enumerate(WORDS, 1)
    )
    (item,) = found(CODE, text, pages=[1] * 4 + [2] * 4 + [3] * 4 + [4] * 4)
    assert (item.severity, item.page, item.excerpts) == ("warning", 1, ("Acme handbook, page 1",))
    assert len(item.related) == 3
    assert "4 of 4 pages" in item.message


def test_a_line_in_the_middle_of_pages_or_on_few_of_them_is_text(found):
    middle = "".join(
        f"Part {'abcd'[n]} begins.\n\nSee also the list.\n\nPart {'efgh'[n]} ends.\n\n" for n in range(4)
    )
    assert found(CODE, middle, pages=[n for n in range(4) for _ in range(3)]) == []
    few = "Acme handbook\n\nOne.\n\nAcme handbook\n\nTwo.\n\nThree.\n\nFour.\n\n"
    assert found(CODE, few, pages=[1, 1, 2, 2, 3, 4]) == []


def test_a_line_in_many_documents_is_a_hint(found):
    line = "This mail is confidential and meant for its reader alone."
    (item,) = found(CODE, *(f"Mail {n} is about {word}.\n\n{line}\n" for n, word in enumerate("abcd")))
    assert (item.severity, item.excerpts) == ("hint", (line,))
    assert [place.document_id for place in item.related] == ["doc1.md", "doc2.md", "doc3.md"]


def test_headings_tables_and_short_lines_in_many_documents_are_none(found):
    texts = [
        f"# Purpose and scope of this rule\n\nYes.\n\n| Part of the machine | {n} |\n|---|---|\n"
        for n in range(5)
    ]
    assert found(CODE, *texts) == []
