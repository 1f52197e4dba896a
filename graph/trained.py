"""What a trained artefact does beside retrieving: it thinks for an agent, or writes queries."""

from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import AgentModel, QueryRewriter, Retriever
from gretel.files import read_json
from gretel.graph.lazy import LazyAgent, LazyRetriever, LazyRewriter

NAMED = ("none", "feedback", "llm")
"""Rewriters by name; a folder of such a name is none."""
_WRITES = "generative 1"
"""Format of one that writes; all others act inside the retriever."""


class Writing(NamedTuple):
    """A rewriter that writes, and what retrieves by its queries."""

    rewriter: LazyRewriter
    encoder: str | None
    """With which the worth of its queries was measured."""


def trained_rewriter(wanted: str | Path | QueryRewriter | None) -> Path | None:
    """The folder of an artefact, where one is named."""
    if isinstance(wanted, str | Path) and wanted not in NAMED and Path(wanted).is_dir():
        return Path(wanted)
    return None


def check_rewriter(retriever: str | Retriever, rewriter: Path | None) -> None:
    """That what was trained through the semantic retriever is used with it.

    Raises:
        ConfigurationError: it is not.
    """
    if rewriter is not None and retriever != "semantic":
        remedy = "Leave it out, or use retriever 'semantic'."
        raise ConfigurationError("works only with 'semantic'", field="rewriter", remedy=remedy)


def writing(folder: Path | None, catalog: Catalog, encoder: str | None) -> Writing | None:
    """The rewriter in `folder`, opened when it is first asked; None where none there writes."""
    said = _manifest(folder)
    if folder is None or said.get("format") != _WRITES:
        return None
    place, trained = folder, Catalog.from_tools(catalog)

    async def build() -> QueryRewriter:
        from gretel.nodes.rewrite.generative.rewriter import GenerativeRewriter

        return await GenerativeRewriter.open(place, trained, encoder=encoder)

    own = said.get("encoder")
    return Writing(LazyRewriter(build), encoder or (own if isinstance(own, str) else None))


def _manifest(folder: Path | None) -> dict[str, object]:
    """What an artefact says of itself; what is unreadable is told by who opens it."""
    try:
        return {} if folder is None else dict(read_json(folder / "manifest.json"))
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


def trained_agent(retriever: Retriever, folder: Path | None, catalog: Catalog) -> AgentModel | None:
    """The model behind `retriever`, opened with it; None where its artefact is no agent's."""
    if folder is None or not isinstance(retriever, LazyRetriever) or not _is_agent(folder):
        return None
    lazy = retriever

    async def build() -> AgentModel:
        from gretel.nodes.agent.toolgen.model import ToolGenAgent
        from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever

        found = await lazy.ready()
        if not isinstance(found, ToolGenRetriever):
            raise TypeError(f"{folder} is an agent's, and its retriever is no ToolGen")
        return ToolGenAgent(lambda: (found.model, found.slots), catalog)

    return LazyAgent(build)


def _is_agent(folder: Path) -> bool:
    """Whether its training had the stage `agent`; what is unreadable is told by who opens it."""
    try:
        return "agent" in read_json(folder / "manifest.json")["made"]["settings"]["stages"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
