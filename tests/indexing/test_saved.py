"""A saved index: what comes back is what went in, and what cannot be trusted is refused in one line."""

import hashlib
import json
import os
from datetime import date

import numpy as np
import pytest

from rag_kit import DenseRetriever, Filters, InvalidValue
from rag_kit.errors import UnusableIndex
from rag_kit.indexing import load_index, save_index
from rag_kit.indexing.folder import replace_folder
from rag_kit.indexing.saved import FORMAT
from rag_kit.testing import WordEmbedder, make_chunk

EMBEDDER = WordEmbedder("fee", "day")
OWNER = Filters.owner(as_of=date(2026, 6, 1))
CHUNKS = [
    make_chunk(
        "The fee is 5 €.\r\n",
        "prices",
        start=7,
        title="Prices",
        heading_path=("Prices", "Fées"),
        headings=((7, ("Prices", "Fées")), (12, ("Prices", "Later"))),
        pages=(1, 2),
        metadata={"region": ["EU"], "n": 1.5, "deep": {"a": None}},
        access_tags=("all", "hr"),
        document_version="2026.1",
        updated_at=date(2026, 1, 1),
        expires_at=date(2027, 1, 1),
        prefix="| a |",
        overlap=3,
        parent_id="p",
    ),
    make_chunk(
        "Every day.", "prices", title="Prices", metadata={"region": ["EU"], "n": 1.5, "deep": {"a": None}}
    ),
    make_chunk("Half of a pair: \ud83d", "odd", superseded_at=date(2026, 5, 1)),
]


def save(folder, chunks=CHUNKS, embedder=EMBEDDER, **options):
    vectors = embedder.embed([chunk.text for chunk in chunks])
    return save_index(folder, chunks, vectors, embedder=embedder.name, **options)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_is_saved_comes_back(tmp_path):
    save(tmp_path / "index", chunking={"size": 256})
    saved = load_index(tmp_path / "index", embedder="word-counts")
    assert list(saved.chunks) == CHUNKS
    assert np.array_equal(saved.vectors, EMBEDDER.embed([chunk.text for chunk in CHUNKS]))
    assert isinstance(saved.vectors, np.memmap)
    assert saved.manifest.chunking == {"size": 256}
    assert saved.manifest.counts == {"documents": 0, "chunks": 3}


def test_it_is_searched_without_being_copied(tmp_path):
    save(tmp_path / "index")
    saved = load_index(tmp_path / "index", embedder="word-counts")
    index = DenseRetriever(saved.chunks, saved.vectors, EMBEDDER)
    assert np.shares_memory(index.vectors, saved.vectors)
    assert [e.chunk for e in index.search("fee", filters=OWNER, top_k=1)] == CHUNKS[:1]


def test_the_chunks_of_a_document_share_what_is_equal(tmp_path):
    save(tmp_path / "index")
    one, two, other = load_index(tmp_path / "index", embedder="word-counts").chunks
    assert one.metadata is two.metadata
    assert other.metadata == {}


def test_two_runs_write_the_same_bytes_and_leave_nothing_beside(tmp_path):
    save(tmp_path / "one")
    save(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    save(tmp_path / "one", CHUNKS[:1])
    save(tmp_path / "one")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert sorted(os.listdir(tmp_path)) == ["one", "two"]
    assert str(tmp_path).encode() not in b"".join(contents(tmp_path / "one").values())


def test_another_embedder_is_named_with_the_one_that_made_it(tmp_path):
    save(tmp_path / "index", embedder=WordEmbedder("fee", "day", name="a"))
    with pytest.raises(UnusableIndex, match="the embedder 'a' and would be searched with 'b': index again"):
        load_index(tmp_path / "index", embedder="b")
    assert load_index(tmp_path / "index", embedder="a").manifest.embedder == "a"


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


def flip(path):
    held = bytearray(path.read_bytes())
    held[-3] ^= 1
    path.write_bytes(held)


def empty(path):
    path.write_bytes(b"")


def another(path):
    path.write_bytes(b'{"a": "folder of its own"}')


def nest(path):
    path.write_bytes(b"[" * 200_000)


def remove(path):
    path.unlink()


@pytest.mark.parametrize("name", ["manifest.json", "chunks.jsonl", "vectors.npy", "owners.npy"])
@pytest.mark.parametrize("damage", [cut, flip, empty, another, nest, remove])
def test_damage_is_one_line_with_the_mend_and_indexing_again_mends_it(tmp_path, name, damage):
    folder = tmp_path / "index"
    save(folder)
    damage(folder / name)
    with pytest.raises(UnusableIndex) as error:
        load_index(folder, embedder="word-counts")
    assert len(str(error.value).splitlines()) == 1
    assert str(folder) in str(error.value)
    assert any(mend in str(error.value) for mend in ("with index --docs", "index again", "name another"))
    if damage is not remove:
        save(folder)
        assert list(load_index(folder, embedder="word-counts").chunks) == CHUNKS


def sign(folder):
    """Write the checksums anew, as whoever changes an index by hand might."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in manifest["sha256"]}
    (folder / "manifest.json").write_text(json.dumps({**manifest, "sha256": sums}), encoding="utf-8")


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_vectors_that_are_no_numbers_make_no_index(tmp_path, number):
    folder = tmp_path / "index"
    save(folder)
    vectors = np.load(folder / "vectors.npy")
    vectors[0, 0] = number
    np.save(folder / "vectors.npy", vectors)
    sign(folder)
    with pytest.raises(UnusableIndex, match="vectors.npy holds numbers that are none"):
        load_index(folder, embedder="word-counts")


def test_a_line_that_is_nested_without_end_is_one_line(tmp_path):
    folder = tmp_path / "index"
    save(folder)
    nest(folder / "chunks.jsonl")
    sign(folder)
    with pytest.raises(UnusableIndex, match="cannot be read"):
        load_index(folder, embedder="word-counts")


def test_files_of_two_indexes_do_not_make_one(tmp_path):
    save(tmp_path / "one")
    save(tmp_path / "two", CHUNKS[::-1])
    (tmp_path / "two" / "vectors.npy").replace(tmp_path / "one" / "vectors.npy")
    with pytest.raises(UnusableIndex, match="vectors.npy is damaged or of another index"):
        load_index(tmp_path / "one", embedder="word-counts")


@pytest.mark.parametrize("number", [0, 1, None])
def test_another_format_names_the_kit_that_wrote_it(tmp_path, number):
    save(tmp_path / "index")
    path = tmp_path / "index" / "manifest.json"
    held = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**held, "format": number, "kit_version": "9.8"}), encoding="utf-8")
    with pytest.raises(
        UnusableIndex, match=rf"format {number} \(kit 9\.8\) and this kit reads format {FORMAT}: index"
    ):
        load_index(tmp_path / "index", embedder="word-counts")


@pytest.mark.parametrize("missing", ["nowhere", ""])
def test_a_folder_without_an_index_is_named(tmp_path, missing):
    with pytest.raises(UnusableIndex, match="make one with index --docs PATH --out DIR"):
        load_index(tmp_path / missing, embedder="word-counts")


@pytest.mark.parametrize(
    "files",
    [
        {"letter.txt": "Dear Ann"},
        {"manifest.json": '{"name": "a web app"}'},
        {"manifest.json": "", "chunks.jsonl": "", "vectors.npy": "", "notes.md": "mine"},
    ],
)
def test_a_folder_that_holds_anything_else_is_left_alone(folder, files):
    root = folder(files)
    with pytest.raises(InvalidValue, match="not of an index: choose an empty or a new folder"):
        save(root)
    assert {name: held.decode() for name, held in contents(root).items()} == files
    assert len(os.listdir(root.parent)) == 1


def test_an_index_is_never_put_in_place_of_a_file_or_of_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidValue, match="is a file"):
        save(tmp_path / "file")
    monkeypatch.chdir(tmp_path)
    for name in ("", ".", "/"):
        with pytest.raises(InvalidValue, match="name one of its own"):
            save(name)
    with pytest.raises(InvalidValue, match="choose another folder"):
        save(tmp_path / "file" / "index")


def test_an_empty_folder_and_one_that_a_file_manager_looked_at_will_do(folder):
    root = folder({".DS_Store": "x"})
    save(root)
    assert sorted(contents(root)) == ["chunks.jsonl", "manifest.json", "owners.npy", "vectors.npy"]


@pytest.mark.parametrize(("chunks", "rows"), [([], 0), (CHUNKS, 2)])
def test_chunks_without_their_vectors_make_no_index(tmp_path, chunks, rows):
    with pytest.raises(InvalidValue, match=f"{len(chunks)} chunks and {rows} vectors"):
        save_index(tmp_path / "index", chunks, np.ones((rows, 2), np.float32), embedder="a")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_what_is_stopped_half_way_leaves_the_old_folder(folder, stop):
    root = folder({"a": "old"})

    def fill():
        with replace_folder(root) as new:
            (new / "a").write_text("half", encoding="utf-8")
            raise stop

    with pytest.raises(stop):
        fill()
    assert contents(root) == {"a": b"old"}
    assert os.listdir(root.parent) == [root.name]


def test_a_full_disk_leaves_the_old_folder_and_is_one_line(folder):
    root = folder({"a": "old"})
    with pytest.raises(InvalidValue, match="cannot be written .no space left"), replace_folder(root):
        raise OSError(28, "No space left on device")
    assert contents(root) == {"a": b"old"}


def test_where_the_new_folder_cannot_take_the_place_the_old_one_comes_back(folder):
    root = folder({"a": "old"})
    with pytest.raises(InvalidValue, match="cannot be written"), replace_folder(root) as new:
        new.rmdir()
    assert contents(root) == {"a": b"old"}
    assert os.listdir(root.parent) == [root.name]


def test_vectors_of_rows_come_back_with_the_chunks_that_they_are_of(tmp_path):
    vectors = EMBEDDER.embed(["fee", "day", "fee day", "day day fee"])
    owners = np.array([0, 1, 2, 0], dtype=np.int32)
    save_index(tmp_path / "index", CHUNKS, vectors, embedder="word-counts", owners=owners)
    held = load_index(tmp_path / "index", embedder="word-counts")
    assert held.owners.tolist() == [0, 1, 2, 0]
    assert np.array_equal(held.vectors, vectors)


@pytest.mark.parametrize("owners", [[0, 1, 1], [0, 1, 3], [0, 1]])
def test_vectors_that_belong_to_other_chunks_make_no_index(tmp_path, owners):
    with pytest.raises(InvalidValue, match="embed some chunks"):
        save_index(
            tmp_path / "index", CHUNKS, EMBEDDER.embed(["fee", "day", "fee"]), embedder="word-counts",
            owners=np.array(owners, dtype=np.int32),
        )  # fmt: skip
