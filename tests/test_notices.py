"""What is said of a key of `--where` that nothing has: which keys there are, in one short line."""

from rag_kit import Filters
from rag_kit.notices import unknown_keys_text
from rag_kit.testing import make_chunk


def told(where, **metadata):
    (line,) = unknown_keys_text(Filters.owner(where=[where]), [make_chunk("Five.", metadata=metadata)])
    return line


def test_of_many_keys_the_likest_are_named_and_the_others_counted():
    line = told("regoin=EU", region="EU", **{f"z{number}": 1 for number in range(100, 130)})
    names = line.partition("there are: ")[2].split(", ")
    # Of 33 keys, id and source among them, 12 are named.
    assert (len(names), names[-1].endswith(" and 21 more")) == (12, True)
    assert "region" in names


def test_a_long_key_is_cut_off():
    line = told(f"{'k' * 500}=1", **{"n" * 500: 1})
    assert f"'{'k' * 39}…'" in line
    assert f"{'n' * 39}…" in line
    assert len(line) < 200


def test_a_key_that_holds_nothing_is_none_and_one_that_holds_nothing_else_than_false_is():
    assert (
        told("seen=1", seen=None, read=False)
        == "no document has 'seen' (--where); there are: id, read, source"
    )
    chunk = make_chunk("Five.", metadata={"read": False})
    assert unknown_keys_text(Filters.owner(where=["read=true", "updated_at>2020"]), [chunk]) == [
        "no document has 'updated_at' (--where); there are: id, read, source"
    ]
    assert unknown_keys_text(Filters.owner(where=["x=1"]), []) == []
    assert unknown_keys_text(Filters.owner(), [chunk]) == []
