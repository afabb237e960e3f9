"""Word soup: tables and forms that were flattened."""

import pytest

CODE = "word_soup"


@pytest.mark.parametrize(
    "text",
    [
        "Part Price Stock Valve 45.00 12 Ring 3.20 150 Seal 1.10 900 Hose 12.50 33 Pump 310.00 4 Filter 22.00",
        "Teil Preis Menge Ventil 45,00 12 Ring 3,20 150 Siegel 1,10 900 Rohr 12,50 33 Pumpe 310,00 4 Filter 22,00",
        "Part\nPrice\nValve\n45.00\nRing\n3.20\nSeal\n1.10\nHose\n12.50\nPump\n310.00\n",
        "\n\n".join(["Part", "Price", "Valve", "45.00", "Ring", "3.20", "Seal", "1.10", "Hose", "12.50"]),
    ],
)
def test_words_and_numbers_without_sentences_are_soup(found, text):
    (item,) = found(CODE, text)
    assert item.severity == "warning"
    assert "parser that keeps tables" in item.message


@pytest.mark.parametrize(
    "text",
    [
        "The valve costs 45.00 and the ring 3.20. There are 12 valves, 150 rings and 900 seals in store there.",
        "| Part | Price |\n|---|---|\n" + "| Valve | 45.00 |\n" * 20,
        "- Valve 45.00 12\n- Ring 3.20 150\n- Seal 1.10 900\n- Hose 12.50 33\n- Pump 310.00 4\n- Cap 2.00 6\n",
        "Device: XX-1\nSeverity: 2\nOpened: 2026-09-14 08:21\nClosed: 2026-09-21 13:40\nMeters: 38\nSite: 4\n",
        "```\n" + "1 2 3 4 5 6 7 8 9 10\n" * 5 + "```\n",
        "The table below details cash capital in the years that ended 2006, 2005, and 2004 and 2003 2002 2001.",
        "Step 1: rinse, 20 °C, 6 minutes\nStep 2: caustic, 82 °C, 20 minutes\nStep 3: rinse, 20 °C, 5 minutes\n",
        "阀门的价格为四十五欧元，垫圈的价格为三欧元，密封件的价格为一欧元，仓库里有十二个阀门。",
        "ลิฟต์ตัวนี้เก่ามาก 45 บาท\n" * 12,
        "Ada\n\nBob\n\nEve\n\nMay\n\nSue\n\nTom\n\nZoe\n\nIda\n\nLea\n\nKim\n\nLou\n",
    ],
)
def test_sentences_tables_lists_fields_and_code_are_none(found, text):
    assert found(CODE, text) == []


def test_columns_set_with_blanks_are_a_hint(found):
    rows = ["Part      Price    Stock", *(f"Valve {n}   {n}5.00    {n}2" for n in range(1, 9))]
    (item,) = found(CODE, "\n".join(rows))
    assert item.severity == "hint"
