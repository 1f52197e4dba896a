"""ACTION state: one of the tools that are open, or the end; and what its document says."""

from langgraph.runtime import Runtime

from gretel import prompts
from gretel.catalog import Catalog
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.protocols import AgentModel
from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.agent.asking import asked
from gretel.nodes.agent.progress import open_tools, progress_of
from gretel.nodes.agent.state import AgentState, agent_context_of
from gretel.nodes.context import Context
from gretel.nodes.signatures import Node
from gretel.nodes.state import Update
from gretel.workers import off_loop


def act_node(model: AgentModel, twin: AgentModel, catalog: Catalog) -> Node[AgentState]:
    """The node that asks for one of the open tools; none of them ends the run.

    Whatever a model gives, what leaves this node is a tool that was offered, or nothing.
    """

    async def act(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        context = agent_context_of(runtime)
        choices = {each.tool_id: each for each in open_tools(state) if each.tool_id in catalog}
        if not choices:
            return {"candidate": None}
        progress = await off_loop(progress_of, state, context)
        tools = [catalog[tool_id] for tool_id in choices]

        async def choose(asked_model: AgentModel) -> Candidate | None:
            chosen = await asked_model.act(progress, tools)
            return None if chosen is None else _among(chosen, choices)

        candidate, spent = await asked(
            choose, model, twin, state, context, step="act", instead="chosen by rule"
        )
        return {**spent, "candidate": candidate.model_dump(mode="json") if candidate else None}

    return act


def _among(chosen: ToolId, choices: dict[ToolId, Candidate]) -> Candidate:
    if chosen not in choices:
        raise ModelReplyError("the model named a tool that is not offered")
    return choices[chosen]


def document_node(catalog: Catalog) -> Node[AgentState]:
    """The node that looks up what the chosen tool says of itself, as canonical JSON.

    A tool that says something else than when it was offered is not read.
    """

    async def document(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        candidate = Candidate.model_validate(state["candidate"])
        if candidate.tool_id not in catalog:
            return {"documentation": ""}
        tool = catalog[candidate.tool_id]
        if candidate.digest not in (None, await off_loop(catalog.digest_of, tool.tool_id)):
            return {"documentation": ""}
        return {"documentation": await off_loop(prompts.tool_text, tool)}

    return document
