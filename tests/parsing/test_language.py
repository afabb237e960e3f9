"""The notice on language: where an embedder made for English will search badly, and nowhere else."""

import pytest

from rag_kit import parse
from rag_kit.parsing import parse_markdown
from rag_kit.parsing.language import language_notice

GERMAN = (
    "Der Durchflussmesser misst die Wassermenge im Rohr. Lesen Sie vor der Montage die ganze Anleitung. Die "
    "Gewährleistung gilt zwölf Monate ab dem Tag der Lieferung. Zeigt das Gerät einen Fehler, schalten Sie es aus "
    "und warten Sie eine Minute. Schalten Sie es dann wieder ein und prüfen Sie die Anzeige."
)
CHINESE = "流量计用来测量管道中水的体积。安装之前，请完整阅读本手册。保修期为自交货之日起十二个月。" * 3
ENGLISH = (
    "The flow meter measures the volume of water in the pipe. Read the whole manual before you install it. The "
    "warranty is valid for twelve months from the day of delivery. If the device shows an error, switch it off."
)
TERSE = (
    "Nominal width DN25. Supply 24 V DC. Accuracy class 1. Protection IP68. Output pulse. Weight 3 kg.\n\n"
)


def notice(text, languages=("en",)):
    blocks = parse_markdown(text, source_uri="a.md", relative_path="a.md").blocks
    return language_notice(blocks, languages)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (GERMAN, "German (de)"),
        (CHINESE, "Chinese (zh)"),
        (
            "Le débitmètre mesure le volume d'eau dans la conduite. Lisez ce manuel jusqu'au bout. " * 4,
            "French (fr)",
        ),
        ("Расходомер измеряет объём воды в трубе. Прочитайте это руководство до конца. " * 4, "Russian (ru)"),
        ("# Prüfung\n\n" + "- " + GERMAN.replace(". ", ".\n- "), "German (de)"),
        (
            GERMAN + "\n\n```\nthe and that with this are from which not be you your when\n```\n",
            "German (de)",
        ),
    ],
)
def test_a_document_in_another_language_names_it(text, name):
    found = notice(text)
    assert found is not None
    assert found.code == "language"
    assert name in found.message
    assert "English" in found.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        GERMAN[:100],
        ENGLISH,
        ENGLISH + "\n\n> " + GERMAN[:90],
        TERSE * 4,
        "```\n" + GERMAN + "\n```",
        "| Teil | Preis |\n|---|---|\n" + "| Dichtung für den Flansch und die Leitung | 12 |\n" * 20,
        "`XX-1042` E_EMPTY_PIPE SP-118 https://api.example.com/v2/sites?id=41 0x1f a=b;\n\n" * 20,
        "Anna Müller, Jürgen Groß, José García, Zoë Núñez, Łukasz Żak\n\n" * 3,
    ],
)
def test_english_short_and_code_heavy_texts_get_no_notice(text):
    assert notice(text) is None


def test_what_the_embedder_was_made_for_is_said_by_the_caller(tmp_path):
    (tmp_path / "a.md").write_text(GERMAN, encoding="utf-8")

    def codes(**options):
        return [note.code for note in parse(tmp_path, **options).documents[0].notices]

    assert codes() == ["language"]
    assert codes(languages=("en", "de")) == []
    assert codes(languages=None) == []
    assert codes(languages=("fr",)) == ["language"]


def test_english_is_foreign_to_a_german_embedder():
    assert "English (en)" in notice(ENGLISH * 2, ("de",)).message


def test_a_long_document_is_judged_as_a_whole():
    assert notice(ENGLISH + "\n\n" + (GERMAN + "\n\n") * 200) is not None
    assert notice(GERMAN + "\n\n" + (ENGLISH + "\n\n") * 200) is None
