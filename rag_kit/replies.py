"""Reading what a server said: the SDK hands on whatever came with status 200, a web page too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_kit.errors import RagKitError, UnexpectedReply

if TYPE_CHECKING:
    import openai


@contextmanager
def reading_reply(client: openai.OpenAI) -> Iterator[None]:
    """Make what goes wrong with a reply of another shape one error that names the server and the mend.

    What stands inside should be no more than the call and the reading of its fields.
    """
    try:
        yield
    except RagKitError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnexpectedReply(client.base_url.host) from error
