"""Embeddings that outlive the process: a Chroma collection, keyed by what was encoded."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.encoding.encoder import Matrix

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_COLLECTION = "gretel-embeddings"
_BATCH = 1_000
_REMEDY = "Delete the folder and run `gretel index` again."


class EmbeddingStore:
    """Vectors by key in a folder. Every batch written is on disk, so a killed run resumes.

    While vectors change the store is unsealed; `seal` binds it to a model, a catalogue digest
    and a digest of its own content, and `read` checks what is sealed. Chroma's approximate
    search is not used (docs/decisions/0002-exact-search-beside-chroma.md). All methods block.

    Raises:
        ConfigurationError: the folder cannot be made or written.
        IndexCorrupt: the folder holds something else, was made by another model, or changed.
    """

    def __init__(self, folder: Path, *, model: str) -> None:
        self.folder = folder
        self.model = model
        self._collection = self._open()

    def read(self) -> dict[str, Matrix]:
        """All vectors by key, as they were written."""
        with self._guarded():
            found = self._collection.get(include=["embeddings"])
        rows = np.asarray(found["embeddings"], dtype=np.float32)
        vectors = dict(zip(found["ids"], rows, strict=True))
        sealed = self._metadata().get("content")
        if sealed is not None and sealed != _content_digest(vectors):
            raise IndexCorrupt(f"The index in {self.folder} does not match its digest. {_REMEDY}")
        return vectors

    def write(self, keys: Sequence[str], vectors: Matrix) -> None:
        """Add vectors; they are on disk when this returns."""
        with self._guarded():
            self._unseal()
            for start in range(0, len(keys), _BATCH):
                part = slice(start, start + _BATCH)
                self._collection.upsert(ids=list(keys[part]), embeddings=vectors[part])

    def drop(self, keys: Sequence[str]) -> None:
        """Forget vectors; unknown keys are ignored."""
        with self._guarded():
            self._unseal()
            for start in range(0, len(keys), _BATCH):
                self._collection.delete(ids=list(keys[start : start + _BATCH]))

    def seal(self, vectors: Mapping[str, Matrix], *, catalog_digest: str) -> None:
        """Declare that the store holds exactly `vectors`, for this catalogue."""
        sealed = {"catalog": catalog_digest, "content": _content_digest(vectors)}
        with self._guarded():
            self._collection.modify(metadata={"model": self.model, **sealed})

    @property
    def catalog_digest(self) -> str | None:
        """Digest of the catalogue that was sealed; None while unsealed."""
        found = self._metadata().get("catalog")
        return None if found is None else str(found)

    def _open(self) -> "Collection":
        import chromadb
        from chromadb.config import Settings

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(
                f"the folder {self.folder} cannot be made ({error.strerror})",
                field="index",
                remedy="Name a folder that can be written.",
            ) from error
        with self._guarded():
            client = chromadb.PersistentClient(
                str(self.folder), settings=Settings(anonymized_telemetry=False)
            )
            collection = client.get_or_create_collection(
                _COLLECTION,
                embedding_function=None,
                # Inner product leaves vectors as they are; cosine would rescale them.
                configuration={"hnsw": {"space": "ip"}},
                metadata={"model": self.model},
            )
        made_by = (collection.metadata or {}).get("model")
        if made_by != self.model:
            raise IndexCorrupt(
                f"The index in {self.folder} was made by the encoder {made_by!r}, not "
                f"{self.model!r}. Name that encoder, or index into another folder."
            )
        return collection

    def _metadata(self) -> Mapping[str, object]:
        return self._collection.metadata or {}

    def _unseal(self) -> None:
        if "content" in self._metadata():
            self._collection.modify(metadata={"model": self.model})

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        from chromadb.errors import ChromaError

        try:
            yield
        except (ChromaError, OSError, ValueError, KeyError) as error:
            raise IndexCorrupt(
                f"The index in {self.folder} cannot be used ({error}). {_REMEDY}"
            ) from error


def _content_digest(vectors: Mapping[str, Matrix]) -> str:
    digest = hashlib.sha256()
    for key in sorted(vectors):
        digest.update(key.encode())
        digest.update(np.ascontiguousarray(vectors[key], dtype="<f4").tobytes())
    return digest.hexdigest()
