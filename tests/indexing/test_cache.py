"""The vector cache: it saves work, keeps embedders apart, and is never in the way."""

import os
import sqlite3

import numpy as np
import pytest

from rag_kit.indexing import VectorCache

VECTORS = {"hello": np.array([0.6, 0.8], dtype=np.float32), "": np.zeros(2, np.float32)}


def same(left, right):
    return left.keys() == right.keys() and all(np.array_equal(left[key], right[key]) for key in left)


def test_what_is_put_in_comes_back_bit_for_bit_in_a_later_process(tmp_path):
    VectorCache(tmp_path, "a").put(VECTORS)
    assert same(VectorCache(tmp_path, "a").get(["hello", "unknown", ""]), VECTORS)


def test_each_embedder_has_its_own(tmp_path):
    VectorCache(tmp_path, "a").put(VECTORS)
    assert VectorCache(tmp_path, "b").get(["hello"]) == {}
    # Names that would make the same file name are two all the same.
    names = ["host/m", "host_m", "host:m", "x" * 300, "x" * 300 + "y"]
    assert len({VectorCache(tmp_path, name).path for name in names}) == len(names)


def test_more_texts_than_one_lookup_takes(tmp_path):
    many = {f"text {n}": np.array([n], dtype=np.float32) for n in range(1_200)}
    cache = VectorCache(tmp_path, "a")
    cache.put(many)
    assert same(cache.get(many), many)


@pytest.mark.parametrize("text", ["\ud800", "\x00", "'; DROP TABLE vectors; --", "é"])
def test_any_text_can_be_a_key(tmp_path, text):
    cache = VectorCache(tmp_path, "a")
    cache.put({text: VECTORS["hello"]})
    assert same(cache.get([text]), {text: VECTORS["hello"]})


def test_a_damaged_file_is_put_aside_and_begun_anew(tmp_path, capsys):
    cache = VectorCache(tmp_path, "a")
    cache.path.parent.mkdir(parents=True)
    cache.path.write_bytes(b"not a database, just some bytes" * 100)
    assert cache.get(["hello"]) == {}
    assert len(capsys.readouterr().err.splitlines()) == 1
    cache.put(VECTORS)
    assert same(cache.get(["hello", ""]), VECTORS)
    assert cache.path.with_suffix(".damaged").exists()


def test_damage_further_in_is_found_out_too(tmp_path, capsys):
    cache = VectorCache(tmp_path, "a")
    cache.put({f"text {n}": np.ones(400, np.float32) for n in range(200)})
    whole = cache.path.read_bytes()
    cache.path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert len(cache.get([f"text {n}" for n in range(200)])) < 200
    assert "not used" in capsys.readouterr().err
    cache.put(VECTORS)
    assert same(cache.get(["hello", ""]), VECTORS)


def test_a_table_of_another_shape_leaves_the_cache_unused(tmp_path, capsys):
    cache = VectorCache(tmp_path, "a")
    cache.path.parent.mkdir(parents=True)
    with sqlite3.connect(cache.path) as database:
        database.execute("CREATE TABLE vectors (other TEXT)")
    database.close()
    cache.put(VECTORS)
    assert cache.get(["hello"]) == {}
    assert "not used" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_leaves_the_cache_unused(tmp_path, capsys):
    (tmp_path / "file").write_bytes(b"")
    cache = VectorCache(tmp_path / "file", "a")
    cache.put(VECTORS)
    assert cache.get(["hello"]) == {}
    cache.put(VECTORS)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("rag_kit: vector cache a-")


@pytest.mark.parametrize(
    "damage", ["substr(vector, 1, 7)", "substr(vector, 1, 4)", "x''", "vector || vector"]
)
def test_a_row_of_another_size_is_unknown(tmp_path, damage):
    cache = VectorCache(tmp_path, "a")
    cache.put(VECTORS)
    with sqlite3.connect(cache.path) as database:
        (first,) = database.execute("SELECT min(key) FROM vectors").fetchone()
        database.execute(f"UPDATE vectors SET vector = {damage} WHERE key = ?", [first])
    database.close()
    assert len(cache.get(VECTORS)) == 1
    cache.put(VECTORS)
    assert same(cache.get(VECTORS), VECTORS)


def test_vectors_of_another_model_under_the_same_name_replace_the_older_ones(tmp_path):
    cache = VectorCache(tmp_path, "a")
    cache.put(VECTORS)
    longer = {"new": np.ones(3, dtype=np.float32)}
    cache.put(longer)
    assert same(cache.get(["hello", "new"]), longer)


def test_a_damaged_file_that_cannot_be_put_aside_is_named_and_left(tmp_path, capsys):
    cache = VectorCache(tmp_path, "a")
    cache.path.parent.mkdir(parents=True)
    cache.path.write_bytes(b"not a database, just some bytes" * 100)
    (cache.path.with_suffix(".damaged") / "in the way").mkdir(parents=True)
    cache.put(VECTORS)
    assert cache.get(["hello"]) == {}
    (line,) = capsys.readouterr().err.splitlines()
    assert f"cannot be put aside (Is a directory): delete {cache.path}" in line or os.name == "nt"
