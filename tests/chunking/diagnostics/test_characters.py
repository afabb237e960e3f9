"""Characters without a meaning, and parts in another script, language or encoding."""

import pytest

UNMAPPED, LANGUAGE = "unmapped_characters", "language_change"
ENGLISH = (
    "The lift in the house is old and it has to be looked at by the end of the year, as the rules of the town "
    "say. It is not to be used for more than four persons at a time, and the door of it must be shut by hand."
)
GERMAN = (
    "Der Aufzug im Haus ist alt und muss nach den Regeln der Stadt bis zum Ende des Jahres geprüft werden. Er "
    "darf nicht von mehr als vier Personen auf einmal genutzt werden, und seine Tür wird von Hand geschlossen. "
    "Wer den Schlüssel hat, steht auf dem Schild neben der Tür, und wer ihn verliert, der zahlt einen neuen."
)
RUSSIAN = "Лифт в доме старый, и его нужно проверить до конца этого года."


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("The li(cid:12)t is old.", "error"),
        ("The li\ufffdt is old.", "error"),
        ("\ue0a1\ue0b2\ue0c3 is old.", "error"),
        ("The lift\u00e2\u20ac\u2122s door.", "error"),
        ("Caf\u00c3\u00a9 in the house.", "error"),
        ("It costs \u00e2\u201a\u00ac5.", "error"),
        ("\uf0b7 " + "The lift in the house is old. " * 10, "hint"),
    ],
)
def test_what_no_font_or_encoding_mapped_is_found(found, text, severity):
    (item,) = found(UNMAPPED, text)
    assert item.severity == severity


@pytest.mark.parametrize(
    "text",
    [
        "It’s “old” – 5 €, 20 °C.",
        "Café, naïve, Ångström, Âge.",
        "ÉCLAIR® and Ã alone",
        "价格为五欧元。",
        "цена 5 €",
    ],
)
def test_letters_that_are_right_are_not(found, text):
    assert found(UNMAPPED, text) == []
    assert found("encoding_change", text) == []


def test_many_places_are_one_finding(found):
    (item,) = found(UNMAPPED, "a \ufffd b \ufffd c \ufffd")
    assert item.message.startswith("replacement characters (3): ")
    assert [place.span for place in item.related] == [(6, 7), (10, 11)]


def test_a_part_in_another_encoding_is_told_from_a_whole_file_in_it(found):
    text = "The café is open.\n\nThe caf\u00c3\u00a9 is closed."
    (item,) = found("encoding_change", text)
    assert "should be 'é'" in item.message
    assert found(UNMAPPED, text) == []


def test_a_block_in_another_script_or_language_is_a_hint(found):
    (item,) = found(LANGUAGE, f"{ENGLISH}\n\n{RUSSIAN}\n\n{ENGLISH}")
    assert (item.severity, item.span) == ("hint", (len(ENGLISH) + 2, len(ENGLISH) + 2 + len(RUSSIAN)))
    assert "Cyrillic" in item.message
    (item,) = found(LANGUAGE, f"{ENGLISH}\n\n{GERMAN}\n\n{ENGLISH}")
    assert item.span == (len(ENGLISH) + 2, len(ENGLISH) + 2 + len(GERMAN))


def test_one_language_a_name_in_another_and_code_are_no_change(found):
    assert found(LANGUAGE, ENGLISH) == []
    assert found(LANGUAGE, f"{GERMAN}\n\n{GERMAN}") == []
    assert found(LANGUAGE, f"{ENGLISH}\n\nПривет, Ада!\n") == []
    assert found(LANGUAGE, f"{ENGLISH}\n\n```\n{RUSSIAN}\n```\n") == []
    assert found(LANGUAGE, "Ada Byron, " * 40 + f"\n\n{ENGLISH}\n\n{ENGLISH}") == []
