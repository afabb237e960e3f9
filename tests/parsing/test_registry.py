"""The registry: lazily imported parsers, the options they take, and what is no registration."""

import pytest

from rag_kit import InvalidValue, MissingModel, parse
from rag_kit.parsing import PARSERS, ReadOptions, register
from rag_kit.parsing.dotted import resolve
from rag_kit.parsing.registry import Format


@pytest.fixture(autouse=True)
def registry_as_it_was():
    kept = dict(PARSERS)
    yield
    PARSERS.clear()
    PARSERS.update(kept)


def test_a_parser_is_given_the_options_it_takes_and_no_others(folder):
    told = {}

    def parse_note(text, *, source_uri, relative_path, notices=(), **options):
        told[relative_path] = options
        return []

    register(".note", parse_note, options=["password"])
    register(".memo", parse_note)
    docs = folder({"a.note": "x", "b.memo": "x"})
    parse(docs, password="secret", ocr="off")
    assert told == {"a.note": {"password": "secret"}, "b.memo": {}}


def test_a_parser_that_is_named_is_imported_at_its_first_file(folder):
    register(".odd", "tests.parsing.fakes:parse_oddly", reads="bytes", options=["ocr"])
    (document,) = parse(folder({"a.odd": "good"}), languages=None).documents
    assert document.text.endswith("good ")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (
            "no_such_package.parsers:parse_it",
            "the package no_such_package cannot be imported: run pip install",
        ),
        ("rag_kit.parsing.text:parse_nothing", "rag_kit.parsing.text has no parse_nothing"),
    ],
)
@pytest.mark.parametrize("limited", [False, True])
def test_a_package_that_is_missing_is_an_error_row_and_the_rest_is_read(folder, named, said, limited):
    register(".odd", named, limited=limited)
    parsed = parse(folder({"a.odd": "x", "b.md": "Good."}), languages=None)
    assert [document.document_id for document in parsed.documents] == ["b.md"]
    (error,) = parsed.errors
    assert error.code == "missing_package"
    assert error.message.startswith(said)
    with pytest.raises(MissingModel):
        resolve(named)


def test_a_parser_replaces_the_one_before_it_whatever_the_letters():
    register(".X", "a:b")
    register(".x", "c:d", reads="bytes")
    assert PARSERS[".x"] == Format("c:d", reads="bytes")
    assert ".X" not in PARSERS


@pytest.mark.parametrize("wrong", ["parse_it", ":parse_it", "module:", ""])
def test_a_dotted_name_has_a_module_and_a_function(wrong):
    with pytest.raises(InvalidValue, match="no dotted name"):
        register(".x", wrong)


def test_an_option_that_there_is_not_names_the_choices():
    with pytest.raises(InvalidValue, match="unknown option 'colour'; choose password or ocr"):
        register(".x", "a:b", options=["colour"])


def test_a_password_is_never_printed_and_ocr_is_one_of_two():
    assert "secret" not in repr(ReadOptions("secret"))
    with pytest.raises(InvalidValue, match="ocr 'always' is not one: choose auto or off"):
        parse([], ocr="always")
