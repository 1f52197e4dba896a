"""The collections that the semantic retriever is fitted on, and the vectors of their texts."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gretel.catalog import Catalog
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.beir import beir_files, read_queries
from gretel.datasets.halves import half_of
from gretel.datasets.qrels import read_qrels
from gretel.datasets.reading import contents_digest
from gretel.files import check_there, open_plain, replacing
from gretel.nodes.retrieve.encoding.embed import embed, text_key
from gretel.nodes.retrieve.encoding.encoder import Encoder, Matrix
from gretel.nodes.retrieve.semantic.signals import Signals, ToolIndex, dense_text
from gretel.text.sentences import request_parts
from gretel.text.wording import meant


class Judged(NamedTuple):
    """A request with the places of the tools that serve it."""

    text: str
    gold: frozenset[int]


@dataclass(frozen=True)
class Collection:
    """A catalogue, indexed, with judged requests."""

    name: str
    index: ToolIndex
    requests: tuple[Judged, ...]
    digest: str
    """SHA-256 of the files that were read."""

    @cached_property
    def place(self) -> dict[ToolId, int]:
        """Where each tool stands in the index."""
        return {tool.tool_id: number for number, tool in enumerate(self.index.tools)}


class Source(NamedTuple):
    """A folder, its judgements, and what is taken of it."""

    folder: str
    qrels: str
    limit: int | None = None
    """How many requests to draw."""
    halved_by: Literal["toolkit", "operation"] | None = None
    """What of a tool decides its half; None where every request is for development."""
    joined: bool = True

    def is_dev(self, tool: Tool) -> bool:
        """Whether requests for this tool are for development."""
        return self.halved_by is None or half_of(getattr(tool, self.halved_by)) == "dev"


def _vectors_in(path: Path) -> dict[str, Matrix]:
    """What a cache keeps by key; an error of any kind where somebody else wrote it."""
    from gretel.nodes.retrieve.artifact.arrays import read_arrays

    check_there(path)
    with open_plain(path):  # of a pipe nothing is awaited
        keys, vectors = read_arrays(path, "keys", "vectors")
    if vectors.ndim != 2 or vectors.dtype.kind != "f" or not np.isfinite(vectors).all():
        raise ValueError("it holds no vectors")
    return dict(zip(keys.tolist(), vectors, strict=True))


class VectorCache:
    """Vectors on disk, so that a second run encodes nothing.

    Raises:
        IndexCorrupt: a file of the folder is none of ours.
    """

    tuned = False
    """Whether requests are read as the product does: with fine-tuned vectors behind the general
    ones, and with the words that they mean. Fits from before there were any read neither."""

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        self._folder = folder
        self._encoder = encoder
        self.tuned = encoder.tuned
        self._held: dict[str, dict[str, Matrix]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def documents(self, name: str, texts: Sequence[str]) -> Matrix:
        """Vectors of tool texts, kept under `name`."""
        known = self._read(f"{name}-documents")
        vectors = embed(texts, self._encoder, known=known)
        if vectors.keys() - known.keys():
            self._write(f"{name}-documents", vectors)
        return np.stack([vectors[text_key(text, self._encoder)] for text in texts])

    def queries(self, name: str, texts: Sequence[str]) -> dict[str, Matrix]:
        """Vectors of requests and their parts by text, kept under `name`."""
        return self._kept(f"{name}-queries", texts, self._encoder.queries)

    def middle(self, name: str, texts: Sequence[str]) -> dict[str, Matrix]:
        """`Embeddings.middle` of requests by text, kept under `name`, in half precision."""
        return self._kept(
            f"{name}-middle",
            texts,
            lambda new: self._encoder.embeddings(new).middle.astype(np.float16),
        )

    def _kept(
        self, name: str, texts: Sequence[str], encode: Callable[[Sequence[str]], npt.NDArray[Any]]
    ) -> dict[str, Matrix]:
        wanted = {text: text_key(text, self._encoder) for text in texts}
        known = self._read(name)
        missing = sorted({text for text, key in wanted.items() if key not in known}, key=len)
        if missing:
            encoded = encode(missing)
            known |= {wanted[text]: row for text, row in zip(missing, encoded, strict=True)}
            self._write(name, known)
        return {text: known[key] for text, key in wanted.items()}

    def _read(self, name: str) -> dict[str, Matrix]:
        path = self._folder / f"{name}.npz"
        if name not in self._held and os.path.lexists(path):
            from gretel.nodes.retrieve.artifact.store import read

            self._held[name] = read(path, _vectors_in)
        return self._held.get(name, {})

    def _write(self, name: str, vectors: dict[str, Matrix]) -> None:
        self._held[name] = vectors
        rows = np.stack(list(vectors.values()))
        with replacing(self._folder / f"{name}.npz") as file:
            np.savez(file, keys=np.array(list(vectors)), vectors=rows)


def loaded(source: Source, data: Path, cache: VectorCache, seed: int) -> Collection:
    """A folder of `data` in BEIR layout, with the requests that are for development.

    Raises:
        InputError: no such judgements.
        CatalogError: a file cannot be read, or contradicts itself.
    """
    files = beir_files(data / source.folder, source.qrels)
    tools = list(Catalog.from_jsonl(files[0]))
    place = {tool.external_id: number for number, tool in enumerate(tools)}
    texts = {query.query_id: query.text for query in read_queries(files[1])}
    gold = read_qrels(files[2]).gold
    chosen = sorted(name for name in gold if gold[name])
    if source.limit is not None and source.limit < len(chosen):
        chosen = sorted(random.Random(seed).sample(chosen, source.limit))
    requests = [
        Judged(texts[name], frozenset(place[tool] for tool in gold[name] if tool in place))
        for name in chosen
    ]
    kept = tuple(
        request
        for request in requests
        if request.gold and all(source.is_dev(tools[place]) for place in request.gold)
    )
    vectors = cache.documents(source.folder, [dense_text(tool) for tool in tools])
    index = ToolIndex(tools, vectors, tuned=cache.tuned)
    return Collection(source.folder, index, kept, contents_digest(files))


def signals_of(
    index: ToolIndex, name: str, texts: Sequence[str], cache: VectorCache
) -> Iterator[Signals]:
    """Dense and sparse scores of each request, in order."""
    parts = {text: request_parts(text) for text in texts}
    vectors = cache.queries(name, [own for text in parts for own in (text, *parts[text])])
    for text in texts:
        own = np.stack([vectors[each] for each in (text, *parts[text])])
        yield index.signals(
            text,
            index.cosines(own),
            tuned=index.tuned_cosines(own),
            meant=meant(text) if cache.tuned else (),
        )
