"""MassTool as the graph's entry node."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery, Selection
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.belonging import check_belonging
from gretel.nodes.retrieve.artifact.cold import Newcomers, Owners, together
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.masstool.artifact import Artifact, read_artifact
from gretel.nodes.retrieve.masstool.reader import Opened, Read, Reader
from gretel.nodes.retrieve.semantic.signals import dense_text

WARM = 3
"""Known requests from which a tool that was added is ranked like those that were trained on."""


class Example(NamedTuple):
    """A request with the tools that served it: judged by a person, or shown by trials."""

    request: str
    tools: tuple[ToolId, ...]
    digests: tuple[str | None, ...] = ()
    """What each tool said of itself when it served; () where that does not matter."""

    @classmethod
    def shown(cls, request: str, selection: Selection) -> "Example | None":
        """What trials showed: the tools offered that answered with what was asked for.

        None where none did. A simulated answer shows nothing.
        """
        worked = {
            tool.tool_id: tool.trial.digest
            for tool in selection.tools
            if tool.trial.executed.status == "succeeded" and tool.trial.executed.source != "none"
        }
        said = tuple(worked.values()) if any(worked.values()) else ()
        return cls(request, tuple(worked), said) if worked else None


class MassToolRetriever:
    """Retrieves by what served known requests, and says whether a tool is needed.

    Opened with `MassToolRetriever.open`. All work is done in worker threads; a retrieval sees
    tools and examples as they were when it began.
    """

    def __init__(self, artifact: Artifact, catalog: Catalog) -> None:
        """Of `open`, which also checks that artefact and catalogue belong together."""
        self._opened = Opened.of(artifact)
        self._encoder = artifact.manifest.encoder
        self._ids = [ToolId(name) for name in artifact.manifest.tools]
        self._digests = {ToolId(name): said for name, said in artifact.manifest.tools.items()}
        self._gone: frozenset[ToolId] = frozenset()
        tools = [catalog[tool_id] for tool_id in self._ids]
        self._owners = Owners(tools)
        self._new = Newcomers(tools, artifact.texts, self._encoder)
        self._changing = threading.Lock()
        self._know(self._opened.reader)

    @classmethod
    async def open(
        cls, folder: Path | str, catalog: Catalog, *, encoder: str | None = None
    ) -> Self:
        """The artefact in `folder`, over the catalogue that it was trained on.

        It names its encoder; `encoder` is for a caller who wants to be told of another one.

        Raises:
            ConfigurationError: no artefact, another catalogue, or another encoder.
            IndexCorrupt: a file is missing or was changed.
        """
        return await asyncio.to_thread(cls._open, Path(folder), catalog, encoder)

    @classmethod
    def _open(cls, folder: Path, catalog: Catalog, encoder: str | None) -> Self:
        artifact = read_artifact(folder)
        check_belonging(artifact.manifest, catalog, encoder, folder)
        return cls(artifact, catalog)

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`.

        A candidate's score is the probability that it serves the request, calibrated on requests
        like those of the training. Its parts: `share` of the model's belief, `vote` (share of the
        neighbours' attention), `nearest` (cosine with the nearest known request); of a tool
        without known requests `hybrid`, its score by the semantic retriever. `needs_tool` is that
        of the likeliest query; None where the training knew no request without need.
        """
        seen = self._seen
        if not queries or not seen.ids:
            return Retrieval(candidates=tuple(() for _ in queries))
        new, read = await asyncio.gather(
            self._new.ranked(queries, seen.new, k), asyncio.to_thread(self._read, seen, queries)
        )
        return await asyncio.to_thread(self._merged, seen, queries, read, new, k)

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`. A new tool is ranked by its text until `WARM` examples name it.

        So is one that takes the id of another document's, or another server's.
        """
        if not tools:
            return
        await self._new.add(tools, await asyncio.to_thread(self._add, tools))

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        await asyncio.to_thread(self._remove, ids)
        await self._new.remove(ids)

    async def add_examples(self, examples: Sequence[Example]) -> None:
        """More known requests, without training; what served them counts from now on.

        Raises:
            InputError: an example names no tool, one that is not here, or one that said
                something else of itself.
        """
        await asyncio.to_thread(self._add_examples, examples)

    def _remove(self, ids: Sequence[ToolId]) -> None:
        with self._changing:
            self._gone = self._gone | frozenset(ids)
            self._know(self._seen.reader)

    def _add(self, tools: Sequence[Tool]) -> Tensor:
        """The vectors of their texts."""
        texts = torch.from_numpy(Encoder(self._encoder).documents([dense_text(t) for t in tools]))
        with self._changing:
            self._gone = self._gone - {tool.tool_id for tool in tools}
            other = self._owners.taken_over(tools)
            places = {place for place, tool_id in enumerate(self._ids) if tool_id in other}
            reader = self._seen.reader.forgetting(places)
            rows = dict(zip(self._ids, reader.texts, strict=True))
            for tool, text in zip(tools, texts, strict=True):
                rows[tool.tool_id] = text
            self._digests = self._digests | {tool.tool_id: tool_digest(tool) for tool in tools}
            self._ids = list(rows)
            none = torch.empty(0, texts.shape[1])
            self._know(reader.knowing(none, [], torch.stack(list(rows.values()))))
        return texts

    def _add_examples(self, examples: Sequence[Example]) -> None:
        here = enumerate(self._ids)
        place = {tool_id: number for number, tool_id in here if tool_id not in self._gone}
        for number, example in enumerate(examples):
            said = dict(zip(example.tools, example.digests, strict=False))
            unknown = [
                tool
                for tool in example.tools
                if tool not in place or said.get(tool) not in (None, self._digests[tool])
            ]
            if unknown or not example.tools or not example.request.strip():
                message = f"names {unknown or 'no tool or no request'}"
                remedy = "Name tools of the catalogue, as they are by now, and what was asked."
                raise InputError(message, field=f"examples[{number}]", remedy=remedy)
        made = self._opened.backbone.encode([example.request for example in examples]).final
        gold = [[place[tool] for tool in example.tools] for example in examples]
        with self._changing:
            self._know(self._seen.reader.knowing(made, gold, self._seen.reader.texts))

    def _know(self, reader: Reader) -> None:
        uses = Counter(place for tools in reader.pool.gold for place in set(tools))
        here = sorted((i, place) for place, i in enumerate(self._ids) if i not in self._gone)
        new = frozenset(tool_id for tool_id, place in here if uses[place] < WARM)
        used = np.array([place for _, place in here if uses[place] >= WARM], dtype=np.intp)
        self._seen = _Seen(reader, tuple(self._ids), self._digests, new, used)

    def _read(self, seen: "_Seen", queries: Sequence[RetrievalQuery]) -> Read:
        return seen.reader.read(self._opened.backbone.encode([query.text for query in queries]))

    def _merged(
        self,
        seen: "_Seen",
        queries: Sequence[RetrievalQuery],
        read: Read,
        new: Sequence[Sequence[Candidate]],
        k: int,
    ) -> Retrieval:
        calibration = self._opened.calibration
        needs = torch.sigmoid(calibration.need_slope * read.need + calibration.need_offset)
        whole = [query.origin != "part" for query in queries]
        asked = [need for need, is_whole in zip(needs.tolist(), whole, strict=True) if is_whole]
        candidates = tuple(
            together(list(self._known(seen, read, row, k)), new[row], k, seen.digests)
            for row in range(len(queries))
        )
        needed = max(asked, default=None) if calibration.detects else None
        return Retrieval(candidates=candidates, needs_tool=needed)

    def _known(self, seen: "_Seen", read: Read, row: int, k: int) -> Iterator[Candidate]:
        """The best `k` of the tools that are known by use, best first; ties by tool_id."""
        served = self._opened.calibration.serves(read.shares[row].double().numpy())
        chances = served[seen.used]
        size = min(k, len(chances))
        if not size:
            return
        worth = np.flatnonzero(chances >= np.partition(chances, -size)[-size])
        best = seen.used[worth[np.argsort(-chances[worth], kind="stable")[:size]]]
        for rank, place in enumerate(best.tolist(), 1):
            yield Candidate(
                tool_id=seen.ids[place],
                score=float(served[place]),
                rank=rank,
                parts={
                    "share": read.shares[row, place].exp().item(),
                    "vote": read.vote[row, place].item(),
                    "nearest": read.nearest[row].item(),
                },
            )


class _Seen(NamedTuple):
    """What a retrieval sees from its beginning to its end, whatever is added meanwhile."""

    reader: Reader
    ids: tuple[ToolId, ...]
    digests: Mapping[ToolId, str]
    new: frozenset[ToolId]
    """Tools that too few known requests name."""
    used: npt.NDArray[np.intp]
    """Places of the tools that are known by use, by tool_id."""
