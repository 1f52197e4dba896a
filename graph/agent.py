"""The agent's graph: think, act, read, argue, call, observe; until an end.

```
begin ─▶ offer ─▶ think ─▶ act ─▶ document ─▶ argue ─▶ [ask ─▶ approve] ─▶ execute ─▶ observe
                    ▲        └─ finish                └ no call, or one made before ─▶┘   │
                    └───────────────────────────────────────────────────────────────────┘
```
TEXT states (`think`, `argue`, `finish`) and the ACTION state (`act`) are nodes: edges choose the
state, and no text of a model's becomes a tool (ToolGen, arXiv 2410.03439, section 3.4).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate
from gretel.contracts.trial import Refusal
from gretel.graph.agent_parts import AgentParts
from gretel.graph.checkpoints import strict
from gretel.graph.routing import noting_settings
from gretel.graph.trial import after_approve, after_ask
from gretel.nodes.agent.acting import act_node, document_node
from gretel.nodes.agent.arguing import argue_node, asked_hash
from gretel.nodes.agent.begin import begin_agent_node
from gretel.nodes.agent.observing import observe
from gretel.nodes.agent.progress import is_repeated, open_tools, plan_in, steps_of
from gretel.nodes.agent.speaking import finish_node, think_node
from gretel.nodes.agent.state import AgentContext, AgentState, agent_settings_in
from gretel.nodes.execute.node import approve_node, ask_node, execute_node
from gretel.nodes.spending import seconds_left
from gretel.nodes.state import Input
from gretel.nodes.stored import reading, reading_edge
from gretel.nodes.unbroken import unbroken
from gretel.sandbox.permission.policy import Policy

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

AgentGraph = CompiledStateGraph[Any, AgentContext, Any, Any]
Route = Callable[[Any], str]


def build_agent(
    parts: AgentParts, checkpointer: "BaseCheckpointSaver[Any] | None" = None
) -> AgentGraph:
    """Compile the agent's graph; a checkpointer is the caller's.

    Asking, approving and calling are the very nodes of a trial, so that what the policy, a person
    and the sandbox allow is the same.
    """
    builder = StateGraph(
        AgentState, context_schema=AgentContext, input_schema=Input, output_schema=AgentState
    )
    model, twin, catalog = parts.model, parts.twin, parts.catalog
    nodes: dict[str, Any] = {
        "begin": begin_agent_node(parts.prepare),
        "offer": noting_settings(parts.offer),
        "think": think_node(model, twin),
        "act": act_node(model, twin, catalog),
        "document": document_node(catalog),
        "argue": argue_node(model, twin, catalog, parts.weigh, parts.trust, parts.policy.origin),
        "ask": unbroken("ask", ask_node(parts.approvals)),
        "approve": unbroken("approve", approve_node(parts.approvals)),
        "execute": unbroken("execute", execute_node(parts.executor, catalog, parts.approvals)),
        "observe": observe,
        "finish": finish_node(model, twin),
    }
    for name, node in nodes.items():
        step: Any = reading(node)
        builder.add_node(name, step, input_schema=AgentState)
    builder.add_edge(START, "begin")
    builder.add_edge("begin", "offer")
    builder.add_conditional_edges("offer", reading_edge(going_on), ["think", "finish"])
    builder.add_edge("think", "act")
    builder.add_conditional_edges("act", after_act, ["document", "finish"])
    builder.add_edge("document", "argue")
    after_argue = reading_edge(after_argue_of(catalog, parts.policy))
    builder.add_conditional_edges("argue", after_argue, ["ask", "execute", "observe"])
    ready = reading_edge(unless_edited(after_ask))
    builder.add_conditional_edges("ask", ready, ["argue", "ask", "approve", "execute"])
    granted = reading_edge(unless_edited(after_approve))
    builder.add_conditional_edges("approve", granted, ["argue", "ask", "execute"])
    builder.add_edge("execute", "observe")
    builder.add_conditional_edges("observe", reading_edge(going_on), ["think", "finish"])
    builder.add_edge("finish", END)
    return builder.compile(name="agent", checkpointer=strict(checkpointer))


def going_on(state: AgentState) -> Literal["think", "finish"]:
    """Another step while there is a tool that may bring something, a step and time.

    After an answer a model may still have nothing to do but to finish: it says so in `act`.
    """
    spent = len(steps_of(state)) >= agent_settings_in(state).steps
    over = spent or seconds_left(state.get("deadline")) == 0
    return "finish" if over or not open_tools(state) else "think"


def after_act(state: AgentState) -> Literal["document", "finish"]:
    """A tool was chosen, or the end."""
    return "finish" if state.get("candidate") is None else "document"


def after_argue_of(
    catalog: Catalog, policy: Policy
) -> Callable[[AgentState], Literal["ask", "execute", "observe"]]:
    """The edge behind `argue`: nothing is called without a plan, or twice.

    A person is asked where the run wants that, but for tools that the user marked callable.
    """

    def after_argue(state: AgentState) -> Literal["ask", "execute", "observe"]:
        plan = plan_in(state)
        if isinstance(plan, Refusal) or is_repeated(plan, steps_of(state)):
            return "observe"
        tool_id = Candidate.model_validate(state["candidate"]).tool_id
        granted = tool_id in catalog and policy.callable_unasked(catalog[tool_id])
        return "ask" if agent_settings_in(state).approve == "ask" and not granted else "execute"

    return after_argue


def unless_edited(route: Route) -> Route:
    """`route`, or back to `argue` where the plan is for another request than the state holds."""

    def routed(state: AgentState) -> str:
        return "argue" if state.get("planned_for") != asked_hash(state) else route(state)

    return routed
