"""What several commands need first: settings, documents or a library, and who asks."""

from __future__ import annotations

import argparse
from typing import Any

from rag_kit.access import Filters, check_values
from rag_kit.chunking import DEFAULT_STRATEGY
from rag_kit.cli.output import report_reading
from rag_kit.console import say
from rag_kit.errors import EmptyCorpus, InvalidValue
from rag_kit.notices import left_out_text, unknown_keys_text
from rag_kit.operations import Library, open_index, open_library
from rag_kit.operations.pipelines import check_pipeline
from rag_kit.parsing import Parsed, parse
from rag_kit.settings import Settings, load_settings
from rag_kit.types import ParseFailure


def settings_of(options: argparse.Namespace) -> Settings:
    """Read the settings as the options want them."""
    return load_settings(offline=options.offline)


def parsed_of(
    options: argparse.Namespace, paths: list[str], *, notices: bool = True, settings: Settings | None = None
) -> Parsed:
    """Parse the paths, and say what could not be read and, with ``notices``, what is worth knowing."""
    settings = settings or settings_of(options)
    parsed = parse(
        paths,
        languages=settings.embed_languages,
        password=options.password,
        ocr=options.ocr,
        settings=settings,
    )
    report_reading(parsed.errors, parsed.passed_over, parsed.documents if notices else ())
    return parsed


def library_of(options: argparse.Namespace, filters: Filters) -> Library:
    """Open the documents or the index that the options name, and say what the filters leave out.

    Of what whoever asks may not see nothing is said but how much it is.
    """
    check_pipeline(options.pipeline)
    if options.index is None:
        try:
            library = open_library(
                options.docs,
                strategy=options.strategy or DEFAULT_STRATEGY,
                pipeline=options.pipeline,
                **how_to_read(options),
            )
        except EmptyCorpus:
            if filters.access_tags is None:
                raise
            raise EmptyCorpus("no text to search; its owner sees why, without --as") from None
        seen = [document for document in library.documents if filters.hides(document) != "access"]
        report_reading(errors_for(filters, library), {}, seen, owner=filters.access_tags is None)
    elif options.strategy is not None:
        raise InvalidValue("an index was cut when it was made: leave --strategy out, or name --docs")
    else:
        library = open_index(options.index, settings=settings_of(options), pipeline=options.pipeline)
    # A saved index holds no documents; the chunks of one have the fields that filters look at.
    held = library.documents or {chunk.document_id: chunk for chunk in library.chunks}.values()
    check_values(filters, held)
    if line := left_out_text(filters, held):
        say(line)
    for line in unknown_keys_text(filters, held):
        say(line)
    if unread := len(library.errors) - len(errors_for(filters, library)):
        say(f"files that cannot be read: {unread}; their owner sees which, without --as")
    return library


def errors_for(filters: Filters, library: Library) -> tuple[ParseFailure, ...]:
    """Return what could not be read: for the owner alone, as a file that cannot be read has no tags."""
    return library.errors if filters.access_tags is None else ()


def how_to_read(options: argparse.Namespace) -> dict[str, Any]:
    """Return what opening documents needs besides their paths."""
    return {"settings": settings_of(options), "password": options.password, "ocr": options.ocr}


def filters_of(options: argparse.Namespace) -> Filters:
    """Make the filters of whoever asks: the owner, or somebody with the tags of --as."""
    narrowing: dict[str, Any] = {
        "as_of": options.as_of,
        "where": options.where,
        "include_superseded": options.include_superseded,
    }
    if options.tags is None:
        return Filters.owner(**narrowing)
    tags = [tag.strip() for given in options.tags for tag in given.split(",") if tag.strip()]
    return Filters.for_tags(tags, **narrowing)
