"""Tools without known requests, ranked by what they say, beside those that are known by use.

A model that learnt from requests ranks a tool that none of them used near the end, whatever its
text. So a newcomer takes the place that the semantic retriever gives it among all tools, but it
waits behind those of the first `KEPT` of which the model is sure: where requests are like known
ones these are right most often, and where they are not the model is rarely sure.
"""

import asyncio
import math
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

import numpy as np
from torch import Tensor

from gretel.catalog import Catalog
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.errors import IndexCorrupt
from gretel.contracts.ranking import Candidate, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.encoding.embed import text_key
from gretel.nodes.retrieve.encoding.encoder import Encoder, Matrix
from gretel.nodes.retrieve.merging import split
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.sandbox.permission.marks import document_origin

_Known: TypeAlias = tuple[Tool, Matrix]
"""A tool and the vector of its text."""

KEPT = 3
"""First places in which a tool that is likelier than `SURE` yields to no newcomer."""
SURE = 0.5


class Newcomers:
    """The semantic retriever over all tools, opened when there is a newcomer to rank."""

    def __init__(self, tools: Sequence[Tool], texts: Tensor, encoder: str | None) -> None:
        """`texts`: (tools, width) vectors of the tools' texts by `encoder`."""
        self._encoder = encoder
        self._tools = _by_id(tools, texts)
        self._semantic: SemanticRetriever | None = None

    def ranked(
        self, queries: Sequence[RetrievalQuery], ids: AbstractSet[ToolId], k: int
    ) -> Coroutine[None, None, list[list[Candidate]]]:
        """Of each query the newcomers `ids` among the semantic retriever's first `k`.

        Among the tools at this call, whenever it is awaited, where these were read already.
        """
        opened = self._semantic

        async def ranked() -> list[list[Candidate]]:
            if not ids:
                return [[] for _ in queries]
            asked = [split(query) for query in queries]
            found = await (opened or await self._built()).retrieve(asked, k=k)
            return [[one for one in each if one.tool_id in ids] for each in found.candidates]

        return ranked()

    async def _built(self) -> SemanticRetriever:
        """Built again where tools came or went meanwhile: these would be missing for ever."""
        while self._semantic is None:
            tools = self._tools
            known = await asyncio.to_thread(_by_text, tools.values(), self._encoder)
            catalog = Catalog.from_tools(tool for tool, _ in tools.values())
            semantic = await SemanticRetriever.build(catalog, model=self._encoder, known=known)
            if tools is self._tools:
                self._semantic = semantic
        return self._semantic

    async def add(self, tools: Sequence[Tool], texts: Tensor) -> None:
        """More tools, or others of the same ids, with the vectors of their texts."""
        await self._change(self._tools | _by_id(tools, texts))

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """Tools that are gone; unknown ids are ignored."""
        gone = frozenset(ids)
        await self._change({name: t for name, t in self._tools.items() if name not in gone})

    async def _change(self, tools: dict[ToolId, _Known]) -> None:
        """What was opened is opened anew here, and not in the way of the next request."""
        self._tools = tools
        if self._semantic is not None:
            self._semantic = None
            await self._built()


def _by_id(tools: Sequence[Tool], texts: Tensor) -> dict[ToolId, _Known]:
    rows = texts.numpy().astype(np.float32)
    return {tool.tool_id: (tool, row) for tool, row in zip(tools, rows, strict=True)}


def _by_text(tools: Iterable[_Known], encoder: str | None) -> dict[str, Matrix]:
    """Raises IndexCorrupt where the rows are none of the encoder's."""
    reader, known = Encoder(encoder), [(dense_text(tool), row) for tool, row in tools]
    if any(reader.documents([text]).shape[1:] != row.shape for text, row in known[:1]):
        raise IndexCorrupt("the artefact's vectors are none of its encoder's. Train it again.")
    return {text_key(text, reader): row for text, row in known}


def together(
    known: Sequence[Candidate],
    new: Sequence[Candidate],
    k: int,
    digests: Mapping[ToolId, str],
    *,
    kept: int = KEPT,
) -> tuple[Candidate, ...]:
    """One list: each newcomer at its own rank or later, as the module says.

    It keeps its score, moved between those around it. `kept`: as `KEPT`, of which a model that
    ranks newcomers itself needs none.
    """
    merged: list[Candidate] = []
    own, come = list(known), list(new)
    while (own or come) and len(merged) < k:
        place = len(merged) + 1
        yields = place > kept or (bool(own) and own[0].score < SURE)
        if come and (not own or (place >= come[0].rank and yields)):
            found = come.pop(0)
            least = max([found.score, *(behind.score for behind in own[:1])])
            score = min([least, *(before.score for before in merged[-1:])])
            update = {"score": score, "parts": {"hybrid": found.score}}
        else:
            found, update = own.pop(0), {}
        update |= {"rank": place, "digest": digests.get(found.tool_id)}
        merged.append(found.model_copy(update=update))
    return tuple(
        found.model_copy(update={"score": score})
        for found, score in zip(merged, _in_order(merged), strict=True)
    )


def _in_order(candidates: Sequence[Candidate]) -> list[float]:
    """Their scores, raised where by score, then tool_id, another order would come out."""
    scores = [candidate.score for candidate in candidates]
    for place in reversed(range(len(scores) - 1)):
        first, second = candidates[place].tool_id, candidates[place + 1].tool_id
        if (-scores[place], first) > (-scores[place + 1], second):
            scores[place] = min(1.0, math.nextafter(scores[place + 1], 2.0))
    return scores


class Owners:
    """Whose word each tool of a retriever is, and where it is called."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._of: dict[ToolId, tuple[Owner, str]] = {}
        self.take(tools)

    def take(self, tools: Iterable[Tool]) -> None:
        """From now on the ids are those of these tools."""
        self._of |= {tool.tool_id: _owner(tool) for tool in tools}

    def taken_over(self, tools: Sequence[Tool]) -> set[ToolId]:
        """Ids that come to be another owner's: what served requests was not his tool."""
        other = {tool.tool_id for tool in tools if self._of.get(tool.tool_id) != _owner(tool)}
        self.take(tools)
        return other


def _owner(tool: Tool) -> tuple[Owner, str]:
    return owner_of(tool), document_origin(tool)
