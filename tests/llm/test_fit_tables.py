"""What the offline reader sees of a table row: its cells, and how far a question names a place in it."""

import numpy as np
import pytest

from rag_kit.llm.fit import FEATURES, Candidate, candidates, features, labels_named, words
from rag_kit.llm.minilm import minilm
from rag_kit.llm.reader import OfflineReader, shipped_weights
from rag_kit.sources import Source

TABLE = "| Part | List price | Fits |\n|---|---|---|\n| XX-1-10 | 5 | |\n| XX-1-25 | 7 | all of them |\n"
LIST, PARTNER, DELIVERY = "List price", "Partner price", "Delivery"
PROBES = (
    f"| Number | {LIST} | {PARTNER} | {DELIVERY} |\n|---|---|---|---|\n"
    "| QP-310-04 | 465 | 409 | 4 days |\n| QP-310-10 | 490 | 431 | 6 days |\n| QP-310-25 | 545 | 480 | 9 days |\n"
)


def test_a_candidate_keeps_the_cells_of_its_row_with_their_columns():
    first, second = candidates([Source("[1]", "Parts", "", TABLE)])
    assert first.cells == (("Part", "XX-1-10"), ("List price", "5"))
    assert second.cells[-1] == ("Fits", "all of them")
    (sentence,) = candidates([Source("[1]", "", "", "The fee is 5 euros.")])
    assert sentence.cells == ()


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("What is the list price of XX-1-25?", 1.0),
        ("What is the price of XX-1-25?", 0.5),
        ("What is the list price of XX-1-10?", 0.0),
        ("What is the list price?", 0.0),
        ("XX-1-25?", 0.0),
    ],
)
def test_a_code_names_its_own_row_alone(question, share):
    _, second = candidates([Source("[1]", "Parts", "", TABLE)])
    assert labels_named(words(question), second.cells) == share


def test_a_cell_and_its_own_column_name_no_place():
    assert labels_named(words("Which part is XX-1?"), [("Part", "XX-1")]) == 0.0
    assert labels_named(set(), [("Part", "XX-1"), ("Price", "5")]) == 0.0


def test_the_feature_stands_at_its_name():
    row = Candidate("[1]", "Part: XX-1; Price: 5", "", (("Part", "XX-1"), ("Price", "5")))
    other = Candidate("[1]", "The price of XX-1 is new.", "")
    table = features("Price of XX-1?", [row, other], np.zeros(2), np.zeros(2))
    assert table[:, FEATURES.index("labels")].tolist() == [1.0, 0.0]
    assert set(shipped_weights().rank) <= set(FEATURES)
    assert shipped_weights().rank["labels"] > 0


@pytest.mark.parametrize(
    ("code", "price"), [("QP-310-04", "465"), ("QP-310-10", "490"), ("QP-310-25", "545")]
)
def test_of_rows_that_differ_by_a_code_the_one_that_was_asked_for_is_quoted(code, price):
    reader = OfflineReader(minilm())
    best = reader.best(f"What is the list price of {code}?", [Source("[1]", "Probes", "", PROBES)])
    assert best.text.startswith(f"Number: {code}; {LIST}: {price};")
    assert best.score >= shipped_weights().threshold


def test_a_code_that_no_row_has_is_not_answered_from_its_neighbours():
    reader = OfflineReader(minilm())
    known = reader.best("What is the list price of QP-310-25?", [Source("[1]", "Probes", "", PROBES)])
    unknown = reader.best("What is the list price of QP-310-60?", [Source("[1]", "Probes", "", PROBES)])
    assert unknown.score < known.score
