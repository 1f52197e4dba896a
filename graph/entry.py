"""Which retriever the graph's entry node asks: by name, or the caller's own."""

import asyncio
import logging
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import Retriever
from gretel.contracts.tool import Tool
from gretel.graph.lazy import LazyRetriever
from gretel.graph.parts import Options, folder_of
from gretel.nodes.retrieve.artifact.manifest import Manifest
from gretel.nodes.retrieve.stage.pins import Pins
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage

TRAINED: Mapping[str, str] = {
    "masstool": "gretel.nodes.retrieve.masstool.retriever:MassToolRetriever",
    "toolgen": "gretel.nodes.retrieve.toolgen.retriever:ToolGenRetriever",
}
"""Retrievers that `gretel train NAME` makes; each is opened as `MassToolRetriever.open`."""
REWRITER = "gretel.nodes.retrieve.rewriting.vector:TrainedVector"
"""What `gretel train rewriter` makes without a base, opened alike."""
NAMES = ("semantic", *TRAINED)
_GROWN_BY: Mapping[object, str] = {
    "toolgen 1": "gretel.nodes.retrieve.toolgen.growing:grow",
}
"""What adds tools to an artefact, by its format, where it is more than their texts."""

_LOG = logging.getLogger(__name__)
_LATER = (
    "%d tools came or changed after %s was pinned: the new ones may stand at places 1, 6, 11 … "
    "alone, the changed ones are not called; `gretel index` pins them all."
)


def entry_node_retriever(
    catalog: Catalog, options: Options, *, rewriter: Path | None = None, repin: bool = False
) -> Retriever:
    """A retriever over `catalog`, opened when it is first asked.

    Raises:
        ConfigurationError: an unknown name, or settings that do not go with it.
    """
    wanted, encoder = options.get("retriever", "semantic"), options.get("encoder")
    stage = options.get("candidates") or CandidateStage()
    artifact = folder_of(options.get("artifact"))
    _check_artifact(wanted, artifact)
    if not isinstance(wanted, str):
        if stage.fusion != "both":
            raise ConfigurationError(
                f"{stage.fusion!r} is one side of the semantic retriever",
                field="fusion",
                remedy="Leave it at 'both' for a retriever of your own.",
            )
        return StagedRetriever(wanted, catalog, stage)
    trained = Catalog.from_tools(catalog) if artifact or rewriter else catalog
    if artifact is not None:
        return LazyRetriever(lambda: _trained(wanted, artifact, trained, catalog, encoder))
    return LazyRetriever(lambda: _semantic(catalog, stage, options, rewriter, trained, repin))


def add_to_artifact(folder: Path, tools: Sequence[Tool]) -> Manifest:
    """Add `tools` to an artefact of any kind, or put them in the place of those with their ids.

    Raises:
        ConfigurationError: the folder holds no artefact, or its models cannot be loaded.
        IndexCorrupt: a file of it is missing or was changed.
    """
    from gretel.nodes.retrieve.artifact.store import grow, read_manifest

    own = _GROWN_BY.get(read_manifest(folder, Manifest).format)
    add: Callable[[Path, Sequence[Tool]], Manifest] = pkgutil.resolve_name(own) if own else grow
    return add(folder, tools)


def _check_artifact(wanted: str | Retriever, artifact: Path | None) -> None:
    if isinstance(wanted, str) and wanted not in NAMES:
        raise ConfigurationError(
            f"{wanted!r} is unknown",
            field="retriever",
            remedy=f"Use one of {', '.join(NAMES)}, or pass an object with the Retriever protocol.",
        )
    if (wanted in TRAINED) != (artifact is not None):
        alone = " or ".join(map(repr, TRAINED))
        message = "needs an artefact" if artifact is None else f"works only with {alone}"
        remedy = "Name a folder written by `gretel train NAME`, and retriever NAME."
        raise ConfigurationError(message, field="artifact", remedy=remedy)


async def _trained(
    name: str, folder: Path, trained: Catalog, catalog: Catalog, encoder: str | None
) -> Retriever:
    """`catalog` may have changed since the graph was composed, when it was `trained`.

    It takes whole requests, and knows itself which tools go together: the candidate stage's
    switches are those of the semantic retriever.
    """
    kind = pkgutil.resolve_name(TRAINED[name])
    retriever: Retriever = await kind.open(folder, trained, encoder=encoder)
    tools = tuple(catalog)
    changed = await asyncio.to_thread(lambda: [t for t in tools if _came_or_changed(t, trained)])
    await retriever.add(changed)
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
    options: Options,
    rewriter: Path | None,
    trained: Catalog,
    repin: bool,
) -> Retriever:
    from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever

    encoder, index, learnt = options.get("encoder"), folder_of(options.get("index")), None
    if rewriter is not None:
        learnt = await pkgutil.resolve_name(REWRITER).open(rewriter, trained, encoder=encoder)
        encoder = learnt.encoder
    pins = await asyncio.to_thread(Pins.read, index)
    indexed = tuple(catalog)
    semantic = await SemanticRetriever.build(
        catalog,
        model=encoder,
        index=index,
        progress=options.get("progress"),
        scored_by=stage.fusion,
        rewriter=learnt,
    )
    await asyncio.to_thread(pins.renew if repin else pins.add, indexed)
    if pins.later:
        _LOG.warning(_LATER, len(pins.later), index)
    return StagedRetriever(semantic, catalog, stage, pins)
