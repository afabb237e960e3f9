"""The best rows are those of a whole sort of the rounded scores, whatever ties with the last place."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.retrieval.selection import best_rows, rounded
from rag_kit.testing import make_chunk

NEAR = st.sampled_from([0.5, 0.5 + 4e-6, 0.5 - 4e-6, 0.5 + 6e-6, 0.5 - 6e-6, 0.500005, 0.0, -0.25, -np.inf])


@given(st.lists(NEAR, max_size=12), st.integers(1, 13))
def test_they_are_those_of_a_whole_sort(scores, top_k):
    chunks = [make_chunk("x", f"d{row * 7 % 13}") for row in range(len(scores))]
    held = np.array(scores, dtype=np.float64)
    order = sorted(range(len(scores)), key=lambda row: (-np.round(scores[row], 5), chunks[row].chunk_id))
    assert best_rows(held, chunks, top_k) == [row for row in order if scores[row] > -np.inf][:top_k]


def test_scores_are_shown_with_five_decimals():
    assert rounded(np.array([1 / 3, 2.0], dtype=np.float32)).tolist() == [0.33333, 2.0]
