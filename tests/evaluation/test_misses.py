"""explain_miss: each stage at which evidence can be lost, with the fakes that the kit ships."""

from dataclasses import replace
from datetime import date

import pytest

from rag_kit import Filters
from rag_kit.chunking.records import ChunkMaker
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.misses import explain_miss
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.parsing import parse_markdown
from rag_kit.refusals import REFUSAL
from rag_kit.retrieval import DenseRetriever, ParentRetriever
from rag_kit.testing import FakeTokenizer, ListRetriever, ScriptedTransport, WordEmbedder, make_evidence
from tests.evaluation.fakes import Chosen, Desk

OWNER = Filters.owner(as_of=date(2026, 11, 15))
QUESTION = "What is the fee for a lost card?"
FEE = "The fee for a lost card is 35 euros."
TEXT = (
    f"# Cards\n\nCards are blue.\n\n{FEE}\n\nA found card is not opened again.\n\nThe desk is open at noon.\n"
)


def document(text=TEXT, name="cards.md", **fields):
    return replace(parse_markdown(text, source_uri=name, relative_path=name), **fields)


def chunks_of(*documents):
    made = []
    for one in documents:
        maker = ChunkMaker(one, FakeTokenizer())
        made += [maker.make(block.span) for block in one.blocks if block.block_type != "title"]
    return made


def desk(*replies, documents=None, chunks=None, order=None):
    documents = (document(),) if documents is None else documents
    chunks = chunks_of(*documents) if chunks is None else chunks
    found = chunks if order is None else [chunks[n] for n in order]
    return Desk(documents, tuple(chunks), ListRetriever(make_evidence(*found)), ScriptedTransport(*replies))


def explain(library, quote=FEE, **options):
    return explain_miss(QUESTION, quote, library, **{"filters": OWNER, **options})


def test_words_that_no_document_holds_were_not_parsed():
    report = explain(desk(), "Meters are shipped in foam boxes")
    assert report.stage == "not in the parsed text"
    assert "no document holds these words" in report.message


def test_a_broken_word_is_shown_as_it_stands():
    broken = document(TEXT.replace("lost card", "lo- st card"))
    report = explain(desk(documents=(broken,)))
    assert (report.stage, report.document_id) == ("not in the parsed text", "cards.md")
    assert "the text has `The fee for a lo- st card is 35 euros.`" in report.message


def test_other_figures_in_the_text_are_shown():
    report = explain(desk(documents=(document(TEXT.replace("35", "50")),)))
    assert report.stage == "not in the parsed text"
    assert report.found == "The fee for a lost card is 50 euros"


def test_words_in_pieces_look_like_word_soup():
    soup = document("Fee Desk Card Lost The Is For A Euros Blue Noon 35 12 9")
    report = explain(desk(documents=(soup,)))
    assert report.stage == "not in the parsed text"
    assert "word soup" in report.message


def test_a_sentence_in_two_chunks_was_cut():
    one = document()
    at, maker = one.text.index("card is 35"), ChunkMaker(one, FakeTokenizer())
    report = explain(desk(documents=(one,), chunks=[maker.make((0, at)), maker.make((at, len(one.text)))]))
    assert report.stage == "cut by the chunker"
    # "The fee for a lost " has 19 of 36 characters.
    assert [round(part.share * 36) for part in report.parts] == [19, 17]
    assert "(53%, 47%)" in report.message


@pytest.mark.parametrize(
    ("fields", "filters", "why"),
    [
        ({"superseded_at": date(2026, 1, 1)}, OWNER, "superseded"),
        ({"access_tags": ("legal",)}, Filters.for_tags(["sales"], as_of=date(2026, 11, 15)), "access"),
        ({"updated_at": date(2027, 1, 1)}, OWNER, "not yet in force"),
    ],
)
def test_a_document_that_is_not_searched_is_hidden(fields, filters, why):
    library = desk(documents=(document(**fields),))
    report = explain(library, filters=filters)
    assert report.stage == "hidden by the filters"
    assert f"({why})" in report.message
    assert library.server.calls == 0


def test_what_the_retriever_does_not_find_is_no_candidate():
    report = explain(desk(order=[0, 2, 3]))
    assert (report.stage, report.rank) == ("not among the candidates", None)
    assert [item.chunk.text for item in report.instead][0] == "Cards are blue."


def test_a_rank_behind_the_candidates_is_told():
    report = explain(desk(order=[0, 2, 3, 1]), top_k=1, candidates=3)
    assert (report.stage, report.rank, report.similarity) == ("not among the candidates", 4, 0.25)


class DeeperIsAnother:
    """A fused list: asked for all, it is another list than asked for the candidates."""

    def __init__(self, near, deep):
        self.near, self.deep = ListRetriever(make_evidence(*near)), ListRetriever(make_evidence(*deep))

    def search(self, query, *, filters, top_k):
        return (self.near if top_k <= 3 else self.deep).search(query, filters=filters, top_k=top_k)


@pytest.mark.parametrize(
    ("near", "deep", "stage", "rank"),
    [
        ([0, 2, 1], [0, 2, 3, 1], "ranked below k", 3),
        ([0, 2, 3], [0, 1, 2, 3], "not among the candidates", 2),
    ],
)
def test_the_candidates_are_looked_at_by_themselves(near, deep, stage, rank):
    made = desk()
    lists = [[made.passages[at] for at in order] for order in (near, deep)]
    report = explain(replace(made, searcher=DeeperIsAnother(*lists)), top_k=1, candidates=3)
    assert (report.stage, report.rank) == (stage, rank)


def test_a_candidate_behind_k_was_ranked_too_low():
    report = explain(desk(order=[0, 2, 1, 3]), top_k=2)
    assert (report.stage, report.rank) == ("ranked below k", 3)
    assert [item.chunk.text for item in report.instead] == [
        "Cards are blue.",
        "A found card is not opened again.",
    ]
    assert "rank 3, similarity 0.333, and 2 are taken" in report.message


def test_a_dense_retriever_is_followed_the_same_way():
    library, chunks = desk(), chunks_of(document())
    embedder = WordEmbedder("card", "desk", "fee", "lost")
    vectors = embedder.embed([chunk.text for chunk in chunks])
    library = replace(library, searcher=DenseRetriever(chunks, vectors, embedder))
    report = explain_miss("When is the desk open?", FEE, library, filters=OWNER, top_k=1)
    assert (report.stage, report.similarity) == ("ranked below k", 0.0)


def test_what_does_not_fit_was_dropped_by_the_budget():
    long = document(TEXT.replace("35 euros.", "35 euros" + " or more" * 400 + "."))
    quote = "The fee for a lost card is 35 euros"
    report = explain(desk(documents=(long,)), quote, budget=400)
    assert (report.stage, report.rank) == ("dropped by the budget", 2)
    assert "Cards are blue." in [item.chunk.text for item in report.instead]


def test_a_copy_that_is_cited_in_its_place_counts():
    two = (document(), document(TEXT.replace("Cards are blue.", "Cards are red."), "copy.md"))
    found = {"documents": two, "order": [1, 5]}
    at = two[1].text.index(FEE)
    gold = Question("q", QUESTION, "answer", (Gold("copy.md", (at, at + len(FEE))),))
    report = explain_miss(gold, None, desk("The fee is 35 euros [1].", **found), filters=OWNER)
    assert (report.stage, report.rank) == ("used", 2)
    report = explain_miss(gold, None, desk(REFUSAL, **found), filters=OWNER)
    assert report.stage == "in the prompt but not used"


def test_an_older_version_is_folded_into_the_newer_one():
    old = document(updated_at=date(2024, 1, 1), superseded_at=date(2026, 1, 1))
    new = document(
        TEXT.replace("35", "40"), "new.md", updated_at=date(2026, 1, 1), metadata={"supersedes": "cards.md"}
    )
    filters = Filters.owner(as_of=date(2026, 11, 15), include_superseded=True)
    library = desk("The fee is 40 euros [1].", documents=(old, new), order=[1, 5])
    report = explain(library, document_id="cards.md", filters=filters)
    assert (report.stage, report.rank) == ("folded into another passage", 1)
    assert "was shown in its place (older version)" in report.message
    answer = library.ask(QUESTION, filters=filters, top_k=5, budget=1_500)
    assert explain(library, document_id="cards.md", filters=filters, answer=answer).stage == report.stage


def test_a_budget_that_holds_no_passage_drops_it_too():
    report = explain(desk(), budget=20)
    assert report.stage == "dropped by the budget"
    assert "budget of 20 tokens is too small" in report.message


def test_nothing_similar_enough_asks_no_model():
    library = desk()
    library = replace(library, settings=Chosen(1.5))
    report = explain_miss("What is due for a badge that is mislaid?", FEE, library, filters=OWNER)
    assert report.stage == "below the similarity threshold"
    assert library.server.calls == 0


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Cards are blue [1].", "quoted 'Cards are blue.'"),
        ("I could not find an answer in the documents.", "refused (declined)"),
    ],
)
def test_what_the_model_saw_and_did_not_use(reply, said):
    report = explain(desk(reply))
    assert report.stage == "in the prompt but not used"
    assert said in report.message


def test_what_was_cited_was_used():
    assert explain(desk("The fee for a lost card is 35 euros [2].")).stage == "used"


def test_white_space_markup_and_case_of_the_quote_do_not_matter():
    report = explain(desk("The fee for a lost card is 35 euros [2]."), "the FEE for a\n**lost** card")
    assert (report.stage, report.found) == ("used", "The fee for a lost card")


def test_an_answer_that_was_given_is_explained_and_no_model_is_called():
    library = desk("Cards are blue [1].")
    answer = library.ask(QUESTION, filters=OWNER, top_k=1, budget=1_500)
    report = explain(library, answer=answer)
    assert (report.stage, library.server.calls) == ("ranked below k", 1)
    assert "1 are taken" in report.message


def test_the_evidence_that_a_question_names_is_followed_and_the_furthest_told():
    start = TEXT.index(FEE)
    golds = (Gold("gone.md", (0, 5)), Gold("cards.md", (start, start + len(FEE))))
    asked = Question("q", QUESTION, "answer", golds)
    library = desk("The fee for a lost card is 35 euros [2].")
    assert explain_miss(asked, None, library, filters=OWNER).stage == "used"
    whole = Question("q", QUESTION, "answer", (Gold("cards.md"),))
    assert explain_miss(whole, None, desk("Cards are blue [1]."), filters=OWNER).stage == "used"
    assert explain_miss(replace(asked, evidence=()), None, library, filters=OWNER).stage is None


def test_of_two_versions_the_one_that_is_searched_counts():
    old = document(name="old.md", superseded_at=date(2026, 1, 1))
    library = desk("The fee for a lost card is 35 euros [2].", documents=(old, document()))
    assert (explain(library).stage, explain(library, document_id="old.md").stage) == (
        "used",
        "hidden by the filters",
    )


def test_a_saved_index_without_documents_is_followed_by_its_chunks():
    chunks = chunks_of(document())
    library = desk("The fee for a lost card is 35 euros [2].", documents=(), chunks=chunks)
    report = explain(library)
    assert (report.stage, report.document_id) == ("used", "cards.md")


@pytest.mark.parametrize(
    "options", [{"quote": "  "}, {"document_id": "nowhere.md"}, {"top_k": 0}, {"candidates": 0}]
)
def test_a_call_that_cannot_be_followed_is_refused(options):
    with pytest.raises(InvalidValue):
        explain(desk(), **options)


def test_the_sections_that_small_chunks_stand_in_are_what_is_followed():
    one = document()
    small = chunks_of(one)
    section = replace(ChunkMaker(one, FakeTokenizer()).make((0, len(one.text))), chunk_id="section")
    children = [replace(piece, parent_id="section") for piece in small]
    found = ParentRetriever(ListRetriever(make_evidence(*children)), {"section": section})
    library = Desk(
        (one,), (section,), found, ScriptedTransport("I could not find an answer in the documents.")
    )
    report = explain(library)
    assert report.parts[0].chunk_id == "section"
    assert report.stage == "in the prompt but not used"


def test_of_all_places_in_a_document_the_one_that_got_furthest_counts_and_each_search_is_made_once():
    twice = document(f"# Cards\n\n{FEE}\n\n# Keys\n\nKeys are new.\n\n{FEE} No card is free.\n")
    chunks = chunks_of(twice)
    last = [number for number, chunk in enumerate(chunks) if "free" in chunk.text]
    library = desk("The fee for a lost card is 35 euros [1].", documents=(twice,), order=last)
    report = explain(library)
    assert (report.stage, report.span) == ("used", (70, 70 + len(FEE)))
    # To k for both places, beyond it for the first one, which is not found, and to ask.
    assert library.searcher.calls == 3
    many = document("# Cards\n\n" + f"{FEE}\n\n" * 9)
    library = desk(documents=(many,), order=[])
    assert explain(library).stage == "not among the candidates"
    assert library.searcher.calls == 2
