"""Parents: each small chunk stands in the section that it names, and no section is longer than it may be."""

import pytest

from rag_kit import InvalidValue
from rag_kit.chunking import STRATEGIES, chunk, chunk_parent, parents_of, with_parents
from rag_kit.parsing import parse_markdown
from rag_kit.testing import FakeTokenizer, WordEmbedder


def markdown(text, name="a.md"):
    return parse_markdown(text, source_uri=name, relative_path=name)


def sentences(count, name="s"):
    return " ".join(f"{name}{n} xx yy zz." for n in range(count))


TEXT = (
    f"# A\n\n{sentences(6, 'a')}\n\n## Small\n\none two.\n\n# B\n\n{sentences(20, 'b')}\n\n"
    "| P | S |\n|---|---|\n" + "".join(f"| p{n} | {n} |\n" for n in range(12))
)
DOCUMENT = markdown(TEXT)


def test_a_section_is_the_parent_of_its_chunks():
    children = chunk_parent([DOCUMENT], FakeTokenizer(), size=14, overlap=0, parent_size=60)
    parents = parents_of(children, [DOCUMENT], FakeTokenizer())
    first = parents[children[0].parent_id]
    assert first.text == f"{sentences(6, 'a')}\n\n## Small\n\none two."
    assert first.heading_path == ("A",)
    assert [c.text for c in children if c.parent_id == first.chunk_id] == [
        "a0 xx yy zz. a1 xx yy zz. a2 xx yy zz.",
        "a3 xx yy zz. a4 xx yy zz. a5 xx yy zz.",
        "one two.",
    ]
    assert all(parent.tokens <= 60 for parent in parents.values())


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("overlap", [0, 4])
def test_chunks_of_any_strategy_stand_in_their_parents(strategy, overlap):
    tokenizer = FakeTokenizer()
    documents = [DOCUMENT, markdown(TEXT.replace("b", "c"), "b.md")]
    found = chunk(
        documents, tokenizer, strategy=strategy, size=16, overlap=overlap, embedder=WordEmbedder("a1", "b1")
    )
    grown = with_parents(found, documents, tokenizer, parent_size=50)
    assert [child.chunk_id for child in grown.children] == [child.chunk_id for child in found]
    assert parents_of(grown.children, documents, tokenizer) == grown.parents
    texts = {document.document_id: document.text for document in documents}
    for parent in grown.parents.values():
        assert parent.text == texts[parent.document_id][slice(*parent.span)]
        assert parent.tokens <= 50
    made = list(grown.parents.values())
    for above, parent in zip(made, made[1:], strict=False):
        same = above.document_id == parent.document_id
        assert parent.overlap == (max(0, above.span[1] - parent.span[0]) if same else 0)
    for child in grown.children:
        parent = grown.parents[child.parent_id]
        assert child.document_id == parent.document_id
        assert parent.span[0] <= child.span[0] < child.span[1] <= parent.span[1]
        if strategy != "fixed" and "| p" in parent.text:
            assert "| P | S |\n|---|---|\n| p" in parent.embed_text()


def test_a_parent_has_an_id_of_its_own_and_what_its_document_has():
    document = markdown("---\naccess_tags: [hr]\n---\n# A\n\nOne.")
    (child,) = chunk_parent([document], FakeTokenizer())
    (parent,) = parents_of([child], [document], FakeTokenizer()).values()
    assert child.parent_id == parent.chunk_id != child.chunk_id
    assert parent.text == child.text
    assert parent.access_tags == ("hr",)


def test_small_to_search_by_default_and_larger_to_read():
    children = chunk_parent([markdown(sentences(300))], FakeTokenizer())
    parents = parents_of(children, [markdown(sentences(300))], FakeTokenizer())
    assert max(child.tokens for child in children) <= 128
    assert 300 < max(parent.tokens for parent in parents.values()) <= 512


def test_chunks_without_a_parent_have_none():
    found = chunk([DOCUMENT], FakeTokenizer())
    assert parents_of(found, [DOCUMENT], FakeTokenizer()) == {}


def test_what_does_not_fit_is_refused():
    found = chunk([DOCUMENT], FakeTokenizer())
    with pytest.raises(InvalidValue, match=r"'a\.md'"):
        with_parents(found, [], FakeTokenizer())
    with pytest.raises(InvalidValue, match="choose 1 or more"):
        with_parents(found, [DOCUMENT], FakeTokenizer(), parent_size=0)
