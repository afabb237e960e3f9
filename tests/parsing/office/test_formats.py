"""Number formats: what a sheet shows for a value."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.parsing.office.formats import shown


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (5, "General", "5"),
        (5.0, "General", "5"),
        (0.1 + 0.2, "General", "0.3"),
        (1 / 3, "General", "0.3333333333"),
        (12345678901234, "General", "12345678901234"),
        (1234.5, "0", "1235"),
        (2.5, "0", "3"),
        (1234.5, "#,##0.00", "1,234.50"),
        (1234567, "#,##0", "1,234,567"),
        (0.5, "#,##0.00", "0.50"),
        (0.5, "#.##", ".5"),
        (0, "#,##0", "0"),
        (7, "000", "007"),
        (1234567, '0.0,,"M"', "1.2M"),
        (1234567, "#,##0,", "1,235"),
        (0.125, "0%", "13%"),
        (0.125, "0.0%", "12.5%"),
        (5, "$#,##0.00", "$5.00"),
        (5, "[$€-407] #,##0.00", "€ 5.00"),
        (1234.5, '#,##0.00\\ "€"', "1,234.50 €"),
        (1234.5, "_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-", "1,234.50 €"),
        (-1234.5, "_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-", "-1,234.50 €"),
        (-5, "#,##0.00;(#,##0.00)", "(5.00)"),
        (-5, "#,##0.00;[Red]-#,##0.00", "-5.00"),
        (0, '0.00;-0.00;"n/a"', "n/a"),
        (-5, "0.0", "-5.0"),
        (0.00012, "0.0E+00", "1.2E-4"),
        (0.5, "# ?/?", "0.5"),
        (5, '[>100]"much";"little"', "5"),
        (5, "@", "5"),
        (3, '0 "pcs"', "3 pcs"),
        (True, "General", "TRUE"),
        ("Pro", "0.00", "Pro"),
        (None, "General", ""),
        (datetime(2026, 3, 4), "dd/mm/yyyy", "2026-03-04"),
        (datetime(2026, 3, 4, 9, 30), "General", "2026-03-04 09:30"),
        (date(2026, 3, 4), "General", "2026-03-04"),
        (time(9, 5), "hh:mm", "09:05"),
        (timedelta(hours=26, minutes=5), "[h]:mm:ss", "26:05:00"),
        (float("inf"), "0.00", "inf"),
    ],
)
def test_a_value_is_written_as_the_sheet_shows_it(value, number_format, text):
    assert shown(value, number_format) == text


@given(st.floats() | st.integers(), st.text('0#?.,%;_*"\\[]$€-Ee+/ @gGa', max_size=12))
def test_any_format_gives_a_text(value, number_format):
    assert isinstance(shown(value, number_format), str)


@given(st.integers(-(10**12), 10**12))
def test_thousands_and_decimals_keep_the_number(value):
    assert float(shown(value / 100, "#,##0.00").replace(",", "")) == value / 100
