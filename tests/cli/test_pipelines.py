"""`--pipeline` on the command line: each way of searching, what it says of itself, and what nobody may see."""

import json

import pytest

from rag_kit.cli import main
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

    bm25, dense, hybrid, reranked = map(first, ("bm25", "dense", "hybrid", "hybrid+rerank"))
    assert (set(bm25["ranks"]), bm25["similarity"]) == ({"bm25"}, None)
    assert bm25["scores"] == {"bm25": bm25["score"]}
    assert set(dense["ranks"]) == {"dense"}
    assert dense["scores"] == {"dense": dense["score"]} == {"dense": dense["similarity"]}
    assert set(hybrid["ranks"]) == set(hybrid["scores"]) == {"dense", "bm25"}
    assert hybrid["similarity"] == hybrid["scores"]["dense"]
    assert set(reranked["ranks"]) == {"dense", "bm25", "hybrid"}
    assert reranked["scores"] == {**hybrid["scores"], "hybrid": hybrid["score"]}


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


@pytest.fixture
def secrets(folder):
    """Files with names, titles and faults that only the tag `hr` may know of, beside one for all."""
    fields = "id: zzhr-pay\ntitle: Zzhr pay\naccess_tags: [hr]\nsupersedes: zzhr-gone\n"
    hidden = f"---\n{fields}---\nThe fee is 5 euro.\n"
    return folder(
        {
            "open.md": "---\nid: open\naccess_tags: [all]\n---\nThe fee is 5 euro.\n",
            "zzhr-pay.md": hidden,
            "zzhr-copy.md": hidden.replace("zzhr-pay", "zzhr-copy"),
            "zzhr-broken.pdf": "%PDF-1.4 no more of it",
            "zzhr-broken.pdf.meta.yaml": "access_tags: [hr]\n",
            "zzhr-bare.md": "---\nid: zzhr-bare\nupdated_at: soon\n---\nThe fee is 5 euro.\n",
            "q.questions.jsonl": json.dumps(
                {"id": "1", "question": "What is the fee?", "evidence": [{"document_id": "open"}]}
            ),
        }
    )


COMMANDS = {
    "search": ["search", "What is the fee?"],
    "ask": ["ask", "What is the fee?"],
    "benchmark": ["benchmark", "--pipelines", "bm25,hybrid+rerank"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("output", [[], ["--json"]], ids=["text", "json"])
def test_nothing_that_is_printed_names_what_whoever_asks_may_not_see(capsys, secrets, command, output):
    def run(*more):
        capsys.readouterr()
        questions = ["--questions", str(secrets / "q.questions.jsonl")] if command == "benchmark" else []
        asked = [*COMMANDS[command], "--docs", str(secrets), "--offline", *questions, *output, *more]
        return (main(asked), *capsys.readouterr())

    status, out, err = run("--as", "all")
    assert status == 1, "a file could not be read"
    assert "zzhr" not in (out + err).lower()
    assert "files that cannot be read: 1; their owner sees which, without --as" in err
    status, out, err = run()
    assert status == 1
    assert "zzhr-broken.pdf" in err
    assert "zzhr-gone" in err


def test_neither_the_order_of_the_files_nor_the_seed_of_hashes_changes_a_byte(process, folder):
    root = folder(
        {f"{name}.md": f"The fee of {name[0]} is 5 euro.\n" for name in ("a1", "a2", "a3", "b1", "b2")}
    )
    files = sorted(map(str, root.iterdir()))
    asked = ["search", "compare the fee of a and the fee of b", "--pipeline", "hybrid+rerank", "--json"]
    printed = {
        process(*asked, "--docs", *order, PYTHONHASHSEED=seed).stdout
        for seed, order in (("0", files), ("1", files[::-1]), ("2", [*files[2:], *files[:2]]))
    }
    assert len(printed) == 1
    assert len(json.loads(printed.pop())["hits"]) > 1


def test_a_folder_that_cannot_be_read_at_all_names_no_file_to_a_guest(cli, tmp_path):
    (tmp_path / "hr-pay-2026.pdf").write_bytes(b"%PDF-1.7 damaged")
    guest, owner = (cli("search", "pay", "--docs", tmp_path, *more) for more in (["--as", "all"], []))
    assert "hr-pay-2026" not in guest.stdout + guest.stderr
    assert guest.stderr.strip().endswith("no text to search; its owner sees why, without --as")
    assert "hr-pay-2026.pdf" in owner.stderr
    assert guest.status == owner.status


@pytest.mark.parametrize("command", ["ask", "search"])
def test_small_talk_is_said_to_ask_nothing(cli, folder, command):
    docs = folder({"fees.md": "The fee is 5."})
    assert "this asks nothing of the documents" in cli(command, "Hello!", "--docs", docs).stdout
    assert "this asks nothing" not in cli(command, "Hello!", "--docs", docs, "--pipeline", "dense").stdout
