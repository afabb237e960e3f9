"""What every document of this folder says of itself, and the sidecar file that carries it."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class About:
    """The keys that a Markdown document has in its front matter; ``path`` is below ``sample_docs/``."""

    path: str
    id: str
    title: str
    document_version: str
    updated_at: date
    department: str
    access_tags: tuple[str, ...]
    product: str | None = None
    sidecar: bool = True

    def as_yaml(self) -> str:
        """Return the text of the sidecar file, which stands beside the document as ``PATH.meta.yaml``."""
        rows = [
            f"id: {self.id}",
            f'title: "{self.title}"',
            f'document_version: "{self.document_version}"',
            f"updated_at: {self.updated_at.isoformat()}",
            f"department: {self.department}",
            *([f"product: {self.product}"] if self.product else []),
            "region: EU",
            "language: en",
            f"access_tags: [{', '.join(self.access_tags)}]",
        ]
        return "\n".join(rows) + "\n"
