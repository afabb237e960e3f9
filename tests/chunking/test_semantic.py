"""Semantic chunks: cuts where the subject changes, each sentence embedded once, no cut moved from afar."""

import numpy as np
import pytest

from rag_kit import InvalidValue
from rag_kit.chunking import chunk_semantic
from rag_kit.chunking.semantic import distances
from rag_kit.parsing import parse_markdown
from rag_kit.testing import FakeTokenizer, WordEmbedder

FEES = "The fee is five. A fee is paid. No fee twice."
DAYS = "The day is long. A day passes. No day waits."


def markdown(text, name="a.md"):
    return parse_markdown(text, source_uri=name, relative_path=name)


def texts(*documents, embedder=None, **options):
    embedder = embedder or WordEmbedder("fee", "day")
    return [c.text for c in chunk_semantic(documents, FakeTokenizer(), embedder=embedder, **options)]


def test_distances_by_hand():
    same, other = [1.0, 0.0], [0.0, 1.0]
    rows = np.array([same, same, same, other, other, other], dtype=np.float32)
    assert distances(rows, window=1).tolist() == [0, 0, 1, 0, 0]
    # After the first: the mean of two like it and one unlike it, (2, 1) / sqrt 5.
    assert distances(np.array([same, same, same, other], np.float32))[0] == round(1 - 2 / 5**0.5, 5)
    assert distances(np.zeros((2, 2), np.float32)).tolist() == [1]
    assert distances(rows[:1]).tolist() == []


def test_a_cut_falls_where_the_subject_changes_and_not_where_a_paragraph_ends():
    assert texts(markdown(f"# A\n\n{FEES} {DAYS}"), size=30) == [FEES, DAYS]
    fees = FEES.replace(" A fee", "\n\nA fee")
    assert texts(markdown(f"# A\n\n{fees} {DAYS}"), size=30) == [fees, DAYS]


def test_one_subject_is_cut_for_its_size_alone():
    assert texts(markdown(f"# A\n\n{FEES}"), size=30) == [FEES]
    cut = texts(markdown("# A\n\n" + "The fee is five. " * 12), size=20)
    assert [len(text.split()) for text in cut] == [16, 16, 16]


def test_a_higher_percentile_cuts_less():
    text = "# A\n\n" + "The fee is five. The day and the fee. The day is long. A day passes. " * 6
    counts = [len(texts(markdown(text), size=60, breakpoint_percentile=share)) for share in (0, 50, 80, 100)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_each_sentence_is_embedded_once_in_one_call_for_all_documents():
    embedder = WordEmbedder("fee", "day")
    both = markdown(f"# A\n\n{FEES}\n\n# B\n\nAlone.\n"), markdown(f"# C\n\n{DAYS}", "b.md")
    texts(*both, embedder=embedder, size=30)
    assert embedder.calls == 1
    assert " ".join(embedder.texts) == f"{FEES} {DAYS}"


def test_no_cut_crosses_a_heading_and_no_section_moves_anothers_cuts():
    body = f"\n\n# A\n\n{FEES} {DAYS}"
    alone = texts(markdown(body), size=14)
    assert alone == [FEES, DAYS]
    assert texts(markdown(f"# New\n\n{'A fee, a day. ' * 3}{body}"), size=14)[-2:] == alone


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"embedder": None}, "give it an embedder"),
        ({"breakpoint_percentile": 101}, "choose 0 to 100"),
        ({"breakpoint_percentile": float("nan")}, "choose 0 to 100"),
        ({"unit": "chars"}, "'chars' does not go with strategy 'semantic'"),
    ],
)
def test_what_it_cannot_work_with_is_refused(options, said):
    with pytest.raises(InvalidValue, match=said):
        chunk_semantic([markdown(FEES)], FakeTokenizer(), **{"embedder": WordEmbedder("fee"), **options})
