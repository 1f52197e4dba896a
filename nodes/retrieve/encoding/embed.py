"""Encode what is not encoded yet, and nothing else."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from gretel.contracts.errors import IndexCorrupt
from gretel.nodes.retrieve.encoding.encoder import MAX_TOKENS, Encoder, Matrix
from gretel.nodes.retrieve.encoding.store import EmbeddingStore

Progress: TypeAlias = Callable[[int, int], None]
"""Told (texts encoded, texts in all), once at the start and after each batch."""

_BATCH = 64
_PROBE = "Find the weather forecast of a city for tomorrow."
_SAME_MODEL = 0.999


def text_key(text: str, encoder: Encoder) -> str:
    """Content hash of a text and of the encoder that reads it."""
    return hashlib.sha256(f"{encoder.name}\0{MAX_TOKENS}\0{text}".encode()).hexdigest()


def embed(
    texts: Sequence[str],
    encoder: Encoder,
    *,
    known: Mapping[str, Matrix],
    store: EmbeddingStore | None = None,
    progress: Progress | None = None,
) -> dict[str, Matrix]:
    """Vectors of `texts` by `text_key`, taken from `known` where it has them.

    With a `store` every batch is on disk before the next one starts.
    """
    wanted = {text_key(text, encoder): text for text in texts}
    vectors = {key: known[key] for key in wanted if key in known}
    # Texts of like length together: a batch is padded to its longest.
    missing = sorted(wanted.keys() - vectors.keys(), key=lambda key: (len(wanted[key]), key))
    told = progress or (lambda done, total: None)
    told(len(vectors), len(wanted))
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        encoded = encoder.documents([wanted[key] for key in batch])
        if store is not None:
            store.write(batch, encoded)
        vectors.update(zip(batch, encoded, strict=True))
        told(len(vectors), len(wanted))
    return vectors


def embed_stored(
    texts: Sequence[str],
    encoder: Encoder,
    store: EmbeddingStore,
    *,
    catalog_digest: str,
    progress: Progress | None = None,
) -> dict[str, Matrix]:
    """As `embed`, from and to `store`, which afterwards holds these texts and no others.

    Raises:
        IndexCorrupt: the store was made by other weights under the same name, or was changed.
    """
    fresh = encoder.documents([_PROBE])
    wanted = {text_key(text, encoder) for text in (*texts, _PROBE)}
    stored = store.read(wanted, width=fresh.shape[1])
    probe = _checked_probe(stored, fresh, encoder, store)
    vectors = embed(texts, encoder, known=stored, store=store, progress=progress) | probe
    if stored.keys() != vectors.keys() or not store.is_sealed(catalog_digest, rows=len(vectors)):
        store.seal(vectors, catalog_digest=catalog_digest)
    return vectors


def _checked_probe(
    stored: Mapping[str, Matrix], fresh: Matrix, encoder: Encoder, store: EmbeddingStore
) -> dict[str, Matrix]:
    """The vector of a fixed sentence, which tells weights apart whatever their name."""
    key = text_key(_PROBE, encoder)
    if key not in stored:
        store.write([key], fresh)
        return {key: fresh[0]}
    if float(np.dot(stored[key], fresh[0])) < _SAME_MODEL:
        raise IndexCorrupt(
            f"The index in {store.folder} was made by other weights of {encoder.name!r}. "
            "Delete the folder and run `gretel index` again."
        )
    return {key: stored[key]}
