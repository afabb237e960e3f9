"""Shown source: one highlighted block in a box of its own, whatever the code holds."""

import inspect
import textwrap

import pytest
from markdown_it import MarkdownIt

from rag_kit.teaching import show_source
from rag_kit.teaching.source_code import show_source as with_backticks_in_it


class Held:
    def fenced(self):
        r"""
        ```python
        a fence of its own, ````` and a longer one

        </div></div>
        ```
        """
        return "\n\n"


@pytest.mark.parametrize("subject", [Held, Held.fenced, with_backticks_in_it])
def test_the_code_is_one_block_between_the_box_s_tags(subject):
    parsed = MarkdownIt().parse(show_source(subject).bundle["text/markdown"])
    (fence,) = (token for token in parsed if token.type == "fence")
    assert fence.info == "python"
    assert fence.content == textwrap.dedent(inspect.getsource(subject)).rstrip() + "\n"
    opened, *between, closed = parsed
    assert opened.content.count("<div") == closed.content.count("</div>") == 2
    assert "html_block" not in [token.type for token in between]


def test_the_box_gives_the_letter_and_scrolls():
    box = show_source(Held).bundle["text/markdown"].splitlines()[0]
    assert "monospace" in box
    assert "overflow-x:auto" in box
    assert "width:max-content" in box
