"""Reading what a server said: the SDK hands on whatever came with status 200, a web page too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_kit.errors import InvalidValue, RagKitError, UnexpectedReply

if TYPE_CHECKING:
    import openai


@contextmanager
def reading_reply(client: openai.OpenAI) -> Iterator[None]:
    """Make what goes wrong with a reply of another shape one error that names the server and the mend.

    What stands inside should be no more than the call and the reading of its fields. A text that cannot be
    sent at all is not the server's fault: InvalidValue says which sign it is.
    """
    try:
        yield
    except RagKitError:
        raise
    except UnicodeEncodeError as error:
        sign = f"U+{ord(error.object[error.start]):04X}"
        raise InvalidValue(
            f"a text holds half a character ({sign}), which cannot be sent: type it again"
        ) from None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnexpectedReply(client.base_url.host) from error
