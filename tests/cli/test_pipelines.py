"""`--pipeline` on the command line: each way of searching, what it says of itself, and what nobody may see."""

import json

import pytest

from rag_kit.operations.pipelines import PIPELINES

ROWS = [
    {"id": "reset", "text": "E_CONN_RESET means that the peer closed the line.", "access_tags": ["all"]},
    {"id": "hub", "text": "After a lost connection the hub is started again.", "access_tags": ["all"]},
    {"id": "bonus", "text": "E_CONN_RESET costs the team its bonus.", "access_tags": ["hr"]},
    {"id": "draft", "text": "E_CONN_RESET may be renamed."},
]


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    root = tmp_path_factory.mktemp("pipelines")
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (root / "rows.jsonl").write_text(lines, encoding="utf-8", newline="\n")
    return root


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_each_pipeline_finds_a_code_and_shows_nothing_hidden(cli, docs, pipeline):
    found = cli("search", "E_CONN_RESET", "--docs", docs, "--pipeline", pipeline, "--as", "all", "--json")
    assert found.status == 0
    names = [hit["document_id"] for hit in found.json["hits"]]
    assert names[0] == "reset"
    assert set(names) <= {"reset", "hub"}
    assert "bonus" not in found.stdout
    assert "renamed" not in found.stdout
    assert [hit["rank"] for hit in found.json["hits"]] == list(range(1, len(names) + 1))


def test_where_a_hit_stood_in_each_list_is_said(cli, docs):
    def first(pipeline):
        return cli("search", "E_CONN_RESET", "--docs", docs, "--pipeline", pipeline, "--json").json["hits"][0]

    assert (set(first("bm25")["ranks"]), first("bm25")["similarity"]) == ({"bm25"}, None)
    assert set(first("dense")["ranks"]) == {"dense"}
    hybrid = first("hybrid")
    assert set(hybrid["ranks"]) == set(hybrid["scores"]) == {"dense", "bm25"}
    assert hybrid["similarity"] == hybrid["scores"]["dense"]


def test_the_plan_keeps_the_question_beside_what_was_searched_for(cli, docs):
    asked = "compare E_CONN_RESET and the hub"
    plan = cli("search", asked, "--docs", docs, "--pipeline", "hybrid", "--json").json["plan"]
    assert plan == {
        "question": asked,
        "route": "knowledge",
        "queries": ["E_CONN_RESET", "the hub"],
        "keyword_terms": ["E_CONN_RESET"],
        "filters": [],
    }
    assert cli("search", asked, "--docs", docs, "--pipeline", "bm25", "--json").json["plan"] is None


def test_small_talk_is_answered_without_a_search_or_a_model(cli, docs):
    ran = cli("ask", "Hello, how are you?", "--docs", docs, "--pipeline", "hybrid", "--json")
    assert (ran.status, ran.json["refusal_reason"], ran.json["evidence"]) == (0, "no_evidence", [])
    assert ran.json["usage"]["calls"] == 0
    assert ran.json["plan"]["route"] == "no_retrieval"


def test_an_index_is_searched_like_its_documents(cli, docs, tmp_path):
    assert cli("index", "--docs", docs, "--out", tmp_path / "index").status == 0
    ways = (["--docs", docs], ["--index", tmp_path / "index"])
    hits = [cli("search", "lost line", *way, "--pipeline", "hybrid", "--json").json["hits"] for way in ways]
    assert hits[0] == hits[1] != []


def test_words_that_stand_nowhere_are_refused_without_a_model(cli, docs):
    ran = cli("ask", "Quo vadis?", "--docs", docs, "--pipeline", "bm25", "--json")
    assert (ran.json["refusal_reason"], ran.json["usage"]["calls"]) == ("no_evidence", 0)
