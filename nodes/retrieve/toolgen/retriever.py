"""ToolGen as the graph's entry node."""

import asyncio
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import torch
from torch import Tensor

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.belonging import check_belonging
from gretel.nodes.retrieve.artifact.cold import SURE, Newcomers, Owners, together
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.artifact import Artifact, read_artifact
from gretel.nodes.retrieve.toolgen.coded import opened
from gretel.nodes.retrieve.toolgen.codes import Codebook
from gretel.nodes.retrieve.toolgen.decoding import Decoding, need_odds
from gretel.nodes.retrieve.toolgen.growing import Grown, grown
from gretel.nodes.retrieve.toolgen.known import Seen, best_known, placed
from gretel.nodes.retrieve.toolgen.model import Read, ToolModel
from gretel.nodes.retrieve.toolgen.slots import Slots

LOOKED_AT = 50
"""Places of the semantic retriever, at least, among which newcomers are looked for."""


class Decoded(NamedTuple):
    """A tool that a request was answered with."""

    tool_id: ToolId
    share: float
    """Of the model's belief, among the tools that were permitted."""


class ToolGenRetriever:
    """Retrieves by the token that a language model would say next, among those of tools.

    Opened with `ToolGenRetriever.open`. All work is done in worker threads; a retrieval sees the
    tools as they were when it began.
    """

    def __init__(self, artifact: Artifact, catalog: Catalog) -> None:
        """Of `open`, which also checks that artefact and catalogue belong together."""
        self._model = opened(artifact)
        self._middle = artifact.middle
        self._calibration = artifact.manifest.calibration
        self._encoder = artifact.manifest.encoder
        names = [ToolId(name) for name in artifact.manifest.tools]
        tools = [catalog[name] for name in names]
        self._owners = Owners(tools)
        self._new = Newcomers(tools, artifact.texts, self._encoder)
        self._changing = threading.Lock()
        self._now(artifact.manifest.shape.slots)

    def _now(self, slots: Slots, book: Codebook | None = None) -> None:
        """The tools are these from now on."""
        self._model.know(slots, book)
        self._seen = Seen.of(slots)

    @classmethod
    async def open(
        cls, folder: Path | str, catalog: Catalog, *, encoder: str | None = None
    ) -> Self:
        """The artefact in `folder`, for the catalogue that it was trained on.

        It names the encoder by which new tools are found; `encoder` is for a caller who wants to be
        told of another one.

        Raises:
            ConfigurationError: no artefact, or another catalogue, base or encoder.
            IndexCorrupt: a file is missing or was changed.
        """
        return await asyncio.to_thread(cls._opened, Path(folder), catalog, encoder)

    @classmethod
    def _opened(cls, folder: Path, catalog: Catalog, encoder: str | None) -> Self:
        artifact = read_artifact(folder)
        check_belonging(artifact.manifest, catalog, encoder, folder)
        return cls(artifact, catalog)

    @property
    def model(self) -> ToolModel:
        """The model, which an agent may ask as well."""
        return self._model

    @property
    def slots(self) -> Slots:
        """The tools' places as they are now."""
        return self._seen.slots

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`.

        A candidate's score is the probability that it serves the request, calibrated on requests
        like those of the training. Its parts: `share` of the model's belief; of a tool without
        known requests instead `hybrid`, the score that gives it its place. `needs_tool` is that of
        the likeliest query; None where the training knew no request without need.
        """
        seen = self._seen
        if not queries or not seen.here:
            return Retrieval(candidates=tuple(() for _ in queries))
        new, read = await asyncio.gather(
            self._new.ranked(queries, seen.new.keys(), max(k, LOOKED_AT)),
            asyncio.to_thread(self._model.texts, [query.text for query in queries]),
        )
        return await asyncio.to_thread(self._merged, seen, queries, read, new, k)

    async def decode(
        self,
        texts: Sequence[str],
        *,
        k: int,
        how: Decoding | None = None,
        allow: Collection[ToolId] | None = None,
        deny: Collection[ToolId] = (),
    ) -> list[list[Decoded]]:
        """What the model itself says: at most `k` tools for each text, of those permitted.

        Args:
            texts: requests.
            k: how many tools at most.
            how: which of them; the likeliest where nothing is said.
            allow: tools that may be named, by any id that they had; None for all. Unknown ids
                are ignored.
            deny: tools that may not.
        """
        seen = self._seen
        places = seen.slots.by_id()
        open_to = set(seen.here) if allow is None else {places.get(name) for name in allow}
        refused = {places.get(name) for name in deny}
        permitted = [slot for slot in seen.here if slot in open_to and slot not in refused]
        found = await asyncio.to_thread(self._model.decode, texts, permitted, k, how or Decoding())
        return [[Decoded(seen.here[each.slot], each.share) for each in row] for row in found]

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`. A new tool is ranked by its document, as the model and the semantic
        retriever read it; of a tool that says something else of itself the row is moved as its
        document was. One that takes the id of another document's, or another server's, is new.
        """
        if tools:
            await self._new.add(tools, await asyncio.to_thread(self._add, tools))

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        await asyncio.to_thread(self._remove, ids)
        await self._new.remove(ids)

    async def rename(self, old: ToolId, tool: Tool) -> None:
        """Let `tool` be what `old` was: what requests taught of it stays, under its new id.

        Raises:
            InputError: `old` is unknown, or the id of `tool` is another's.
        """
        await self._new.remove([old])
        await self._new.add([tool], await asyncio.to_thread(self._rename, old, tool))

    def _rename(self, old: ToolId, tool: Tool) -> Tensor:
        with self._changing:
            self._now(self._seen.slots.renamed(old, tool.tool_id))
            self._owners.take([tool])
        return self._add([tool])

    def _remove(self, ids: Sequence[ToolId]) -> None:
        with self._changing:
            self._now(self._seen.slots.removed(ids))

    def _add(self, tools: Sequence[Tool]) -> Tensor:
        """The vectors of their texts."""
        made = Encoder(self._encoder).documents([dense_text(tool) for tool in tools])
        texts = torch.from_numpy(made)
        with self._changing:
            slots = self._seen.slots.removed([*self._owners.taken_over(tools)])
            found: Grown = grown(self._model, slots, self._middle, tools, texts)
            self._model.rows = found.rows
            self._now(found.slots, found.book)
        return texts

    def _merged(
        self,
        seen: Seen,
        queries: Sequence[RetrievalQuery],
        read: Read,
        new: Sequence[Sequence[Candidate]],
        k: int,
    ) -> Retrieval:
        candidates = tuple(
            self._ranked(seen, read.scores[row], new[row], k) for row in range(len(queries))
        )
        return Retrieval(candidates=candidates, needs_tool=self._needed(seen, queries, read))

    def _ranked(
        self, seen: Seen, scores: Tensor, new: Sequence[Candidate], k: int
    ) -> tuple[Candidate, ...]:
        known = list(best_known(seen, scores, self._calibration, k))
        sure = bool(known) and known[0].score >= SURE
        come = placed(seen.new, seen.used, scores, self._calibration, new, k, sure=sure)
        return together(known, come, k, seen.digests, kept=0)

    def _needed(self, seen: Seen, queries: Sequence[RetrievalQuery], read: Read) -> float | None:
        whole = [row for row, query in enumerate(queries) if query.origin != "part"]
        if not self._calibration.detects or not whole:
            return None
        odds = need_odds(read.scores[whole], seen.used or list(seen.here)).numpy()
        return float(np.max(self._calibration.needs(odds)))
