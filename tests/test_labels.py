"""The grammar of citation labels: what counts as one, what does not, and where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.labels import find_labels, label_for, strip_labels


def labels(answer):
    return [mention.label for mention in find_labels(answer)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Two weeks [1].", ["[1]"]),
        ("Two weeks [2, 4].", ["[2]", "[4]"]),
        ("Two weeks [2,4].", ["[2]", "[4]"]),
        ("Two weeks [2; 4].", ["[2]", "[4]"]),
        ("Two weeks [2][4].", ["[2]", "[4]"]),
        ("Two weeks [2]-[4].", ["[2]", "[4]"]),
        ("Two weeks [2-4].", ["[2]", "[3]", "[4]"]),
        ("Two weeks [2–4].", ["[2]", "[3]", "[4]"]),
        ("Two weeks [S2-S4].", ["[2]", "[3]", "[4]"]),
        ("Two weeks [1, 3-4].", ["[1]", "[3]", "[4]"]),
        ("Two weeks [S1, s2].", ["[1]", "[2]"]),
        ("Two weeks [ 2 ].", ["[2]"]),
        ("Two weeks [[3]].", ["[3]"]),
        ("Two weeks 【1】.", ["[1]"]),
        ("Two weeks【S1】.", ["[1]"]),
        ("Two weeks. [2]", ["[2]"]),
        ("**Two weeks**[2]", ["[2]"]),
        ("[1] says two weeks.", ["[1]"]),
    ],
)
def test_every_accepted_spelling_means_its_numbers(answer, expected):
    assert labels(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "See (1).",
        "A footnote[^1] and another [^2].",
        "See [1](https://example.org/a) and [ 2 ](b.md).",
        "In [2024] and [12345].",
        "Quoted [sic], [a], [].",
        "Take rows[1], f_[2] and item9[3].",
        "An image ![1](x.png) or ![1].",
    ],
)
def test_links_footnotes_years_and_indexes_are_plain_text(answer):
    assert labels(answer) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Use `row[2]` or `[3]` [1].", ["[1]"]),
        ("Use ``a ` [3]`` [1].", ["[1]"]),
        ("```python\nx = t[3]  # [4]\n```\nThe limit is 9 [1].", ["[1]"]),
        ("~~~\n[4]\n~~~\nThe limit is 9 [1].", ["[1]"]),
        ("````\n```\n[4]\n```\n````\nNine [1].", ["[1]"]),
        ("```\nnever closed [4]", []),
        # A fence begins a line: three signs inside one do not swallow the rest of the answer.
        ("Write ~~~ or ``` to begin code [1].\nNine [2].", ["[1]", "[2]"]),
    ],
)
def test_code_holds_no_citations(answer, expected):
    assert labels(answer) == expected


def test_a_label_right_after_chinese_or_japanese_hangs_on_no_word():
    assert labels("费用为五[1]。期限三十天[2]。") == ["[1]", "[2]"]


@pytest.mark.parametrize(
    "odd", ["[S0]", "[S-1]", "[S1.5]", "[1.5]", "[-1]", "[S99999999999]", "[0]", "[3-1]"]
)
def test_odd_spellings_are_kept_as_labels_that_no_source_has(odd):
    (label,) = labels(f"Nine {odd}.")
    assert label not in {label_for(number) for number in range(1, 100)}


def test_a_range_over_hundreds_is_one_unknown_label():
    assert labels("Nine [1-400].") == ["[1-400]"]
    assert labels("Nine [1-50].") == [label_for(n) for n in range(1, 51)]
    assert labels("Nine [1-51].") == ["[1-51]"]


def test_a_number_named_twice_in_a_group_is_mentioned_once():
    assert labels("Nine [2, 2-3, 3].") == ["[2]", "[3]"]
    assert labels("Nine [2][2].") == ["[2]", "[2]"]


def test_a_mention_spans_its_whole_group():
    answer = "Nine [1, 2] or ten 【3】."
    assert [answer[slice(*m.span)] for m in find_labels(answer)] == ["[1, 2]", "[1, 2]", "【3】"]


def test_stripping_takes_the_blank_before_a_label_along():
    assert strip_labels("Nine [1]. Ten [2, 3] at most [4].") == "Nine. Ten at most."
    assert strip_labels("See `a[1]` [1].") == "See `a[1]`."


@given(st.lists(st.integers(1, 999), min_size=1, max_size=6))
def test_labels_come_back_as_they_were_given_out(numbers):
    apart = " ".join(f"Fact {label_for(number)}." for number in numbers)
    grouped = f"Fact [{', '.join(map(str, numbers))}]."
    assert labels(apart) == [label_for(number) for number in numbers]
    assert labels(grouped) == [label_for(number) for number in dict.fromkeys(numbers)]


@given(st.text("[]【】0123456789Ss,-–;.`~^!(a \n", max_size=40))
def test_any_text_is_searched_and_every_span_is_inside_it(answer):
    found = find_labels(answer)
    assert found == sorted(found, key=lambda mention: mention.span)
    for mention in found:
        inside = answer[slice(*mention.span)]
        assert inside[0] in "[【"
        assert inside[-1] in "]】"
    assert strip_labels(answer) == strip_labels(strip_labels(answer)) or found


@pytest.mark.parametrize("code", ["```py\n[2]\n```py\n[3]\n```", "~~~\n```\n[2]\n~~~", "- ```\n  [2]\n  ```"])
def test_code_ends_where_its_fence_does(code):
    assert labels(f"{code}\nNine [1].") == ["[1]"]


def test_thousands_of_labels_and_code_spans_are_read_in_one_go():
    answer = "`a` Nine [1][S2] [1.5]. " * 10_000
    assert len(find_labels(answer)) == 30_000
    assert strip_labels(answer[:-1]) == ("`a` Nine. " * 10_000).strip()
