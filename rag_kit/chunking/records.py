"""Making a chunk of a span: its id, its headings and its size, the same for every chunker."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter

from rag_kit.protocols import Tokenizer
from rag_kit.types import Chunk, Document, HeadingPath, Span, embed_text


class ChunkMaker:
    """Makes the chunks of one document. Ids hold the text's hash, so text inserted above moves none.

    A chunk id is the document's id, 12 digits of the SHA-256 of the text, and, from the second equal
    text on, its occurrence number. A ``mark`` before the hash tells parents from the chunks in them.
    """

    def __init__(self, document: Document, tokenizer: Tokenizer, *, mark: str = "") -> None:
        self.document = document
        self.mark = mark
        self.tokenizer = tokenizer
        titles = [block for block in document.blocks if block.block_type == "title"]
        self._starts = [block.span[0] for block in titles]
        self._paths = [block.heading_path for block in titles]
        paged = [(block.span[0], block.page) for block in document.blocks if block.page is not None]
        self._page_starts = [start for start, _ in paged]
        self._pages = [page for _, page in paged]
        self._heads: dict[HeadingPath, int] = {}
        self._seen: Counter[str] = Counter()

    def make(self, span: Span, *, overlap: int = 0, prefix: str = "") -> Chunk:
        """Make the chunk that stands at ``span``; ``overlap`` is how many characters the last one shares."""
        document = self.document
        text = document.text[span[0] : span[1]]
        content_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        self._seen[content_hash] += 1
        occurrence = self._seen[content_hash]
        first, after = bisect_right(self._starts, span[0]), bisect_right(self._starts, span[1] - 1)
        page_starts = self._pages_in(span)
        return Chunk(
            chunk_id=f"{document.document_id}#{self.mark}{content_hash[:12]}"
            + (f".{occurrence}" if occurrence > 1 else ""),
            document_id=document.document_id,
            title=document.title,
            text=text,
            span=span,
            heading_path=self.heading_path(span[0]),
            source_uri=document.source_uri,
            content_hash=content_hash,
            tokens=self.tokens(span, prefix),
            pages=tuple(sorted({page for _, page in page_starts})),
            metadata=document.metadata,
            access_tags=document.access_tags,
            document_version=document.document_version,
            updated_at=document.updated_at,
            expires_at=document.expires_at,
            superseded_at=document.superseded_at,
            prefix=prefix,
            overlap=overlap,
            headings=tuple(zip(self._starts[first:after], self._paths[first:after], strict=True)),
            page_starts=page_starts,
        )

    def _pages_in(self, span: Span) -> tuple[tuple[int, int], ...]:
        """Return where in a span a page begins to count, the span's own start first."""
        first = max(bisect_right(self._page_starts, span[0]) - 1, 0)
        after = bisect_right(self._page_starts, span[1] - 1)
        found: list[tuple[int, int]] = []
        for start, page in zip(self._page_starts[first:after], self._pages[first:after], strict=True):
            if not found or found[-1][1] != page:
                found.append((max(start, span[0]), page))
        return tuple(found)

    def heading_path(self, offset: int) -> HeadingPath:
        """Return the heading path in force at an offset."""
        at = bisect_right(self._starts, offset)
        return self._paths[at - 1] if at else ()

    def tokens(self, span: Span, prefix: str = "") -> int:
        """Count what the embedder reads of a chunk at ``span``, special tokens included."""
        text = self.document.text[span[0] : span[1]]
        read = embed_text(self.document.title, self.heading_path(span[0]), prefix, text)
        return self.tokenizer.count(read) + self.tokenizer.special_tokens

    def head_tokens(self, offset: int) -> int:
        """Count what stands before the text of a chunk that begins at ``offset``, special tokens included."""
        path = self.heading_path(offset)
        if path not in self._heads:
            head = embed_text(self.document.title, path, "", "")
            # The line end after it is a token to some models.
            self._heads[path] = (
                self.tokenizer.count(f"{head}\n" if head else "") + self.tokenizer.special_tokens
            )
        return self._heads[path]
