"""The agent that an entry node's artefact was trained to be, where it was."""

from pathlib import Path

from gretel.catalog import Catalog
from gretel.contracts.protocols import AgentModel, Retriever
from gretel.files import read_json
from gretel.graph.lazy import LazyAgent, LazyRetriever


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
