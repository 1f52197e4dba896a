"""Which retriever the graph's entry node asks: by name, or the caller's own."""

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import Retriever
from gretel.contracts.tool import Tool
from gretel.graph.lazy import LazyRetriever
from gretel.nodes.retrieve.stage.pins import Pins
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage

if TYPE_CHECKING:
    from gretel.nodes.retrieve.encoding.embed import Progress

NAMES = ("semantic", "masstool")

_LOG = logging.getLogger(__name__)
_LATER = (
    "%d tools came or changed after %s was pinned: the new ones may stand at places 1, 6, 11 … "
    "alone, the changed ones are not called; `gretel index` pins them all."
)


def entry_node_retriever(
    wanted: str | Retriever,
    catalog: Catalog,
    stage: CandidateStage,
    artifact: Path | None,
    encoder: str | None,
    index: Path | None,
    repin: bool,
    progress: "Progress | None",
) -> Retriever:
    """A retriever over `catalog`, opened when it is first asked.

    Raises:
        ConfigurationError: an unknown name, or settings that do not go with it.
    """
    _check_artifact(wanted, artifact)
    if not isinstance(wanted, str):
        if stage.fusion != "both":
            raise ConfigurationError(
                f"{stage.fusion!r} is a half of the semantic retriever",
                field="fusion",
                remedy="Leave it at 'both' for a retriever of your own.",
            )
        return StagedRetriever(wanted, catalog, stage)
    if artifact is not None:
        trained, folder = Catalog.from_tools(catalog), artifact
        return LazyRetriever(lambda: _masstool(folder, trained, catalog, encoder))
    return LazyRetriever(lambda: _semantic(catalog, stage, encoder, index, repin, progress))


def _check_artifact(wanted: str | Retriever, artifact: Path | None) -> None:
    if isinstance(wanted, str) and wanted not in NAMES:
        raise ConfigurationError(
            f"{wanted!r} is unknown",
            field="retriever",
            remedy=f"Use one of {', '.join(NAMES)}, or pass an object with the Retriever protocol.",
        )
    if (wanted == "masstool") != (artifact is not None):
        message = "needs an artefact" if artifact is None else "goes with 'masstool' alone"
        remedy = "Name the folder that `gretel train masstool` wrote, with retriever 'masstool'."
        raise ConfigurationError(message, field="artifact", remedy=remedy)


async def _masstool(
    folder: Path, trained: Catalog, catalog: Catalog, encoder: str | None
) -> Retriever:
    """`catalog` may have changed since the graph was composed, when it was `trained`.

    It takes whole requests, and knows itself which tools go together: the candidate stage's
    switches are those of the semantic retriever.
    """
    from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever

    retriever = await MassToolRetriever.open(folder, trained, encoder=encoder)
    await retriever.add([tool for tool in catalog if _came_or_changed(tool, trained)])
    await retriever.remove([tool.tool_id for tool in trained if tool.tool_id not in catalog])
    return retriever


def _came_or_changed(tool: Tool, trained: Catalog) -> bool:
    if tool.tool_id not in trained:
        return True
    before = trained[tool.tool_id]
    return tool is not before and tool_digest(tool) != tool_digest(before)


async def _semantic(
    catalog: Catalog,
    stage: CandidateStage,
    encoder: str | None,
    index: Path | None,
    repin: bool,
    progress: "Progress | None",
) -> Retriever:
    from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever

    pins = Pins.read(index)
    indexed = tuple(catalog)
    semantic = await SemanticRetriever.build(
        catalog,
        model=encoder,
        index=index,
        progress=progress,
        halves=stage.fusion,
    )
    await asyncio.to_thread(pins.renew if repin else pins.add, indexed)
    if pins.later:
        _LOG.warning(_LATER, len(pins.later), index)
    return StagedRetriever(semantic, catalog, stage, pins)
