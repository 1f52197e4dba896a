"""The trial subgraph: plan, execute, simulate, record, for one candidate."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from gretel.contracts.trial import Failure
from gretel.graph.parts import Parts
from gretel.nodes.context import Context, settings_in
from gretel.nodes.execute.node import approve_node, ask_node, asked_for_another, execute_node
from gretel.nodes.plan.node import plan_node, planned_for_another
from gretel.nodes.record import record
from gretel.nodes.signatures import TrialNode
from gretel.nodes.simulate.node import simulate_node
from gretel.nodes.state import TrialInput, TrialReport, TrialState
from gretel.nodes.stored import reading, reading_edge
from gretel.nodes.unbroken import unbroken
from gretel.nodes.usable import simulated

Route: TypeAlias = Callable[[TrialState], str]


def build_trial(parts: Parts) -> CompiledStateGraph[Any, Context, Any, Any]:
    """Compile the subgraph that tries one candidate (GRETEL, section 3.2.1 and Algorithm 1).

    Every step is followed by `plan` again where its request was edited meanwhile (`update_state`).
    """
    builder = StateGraph(
        TrialState, context_schema=Context, input_schema=TrialInput, output_schema=TrialReport
    )
    base = parts.deterministic
    nodes: dict[str, TrialNode] = {
        "plan": plan_node(parts.planner, base.planner, parts.catalog),
        "execute": execute_node(parts.executor, parts.catalog, parts.approvals),
        "ask": ask_node(parts.approvals),
        "approve": approve_node(parts.approvals),
        "simulate": simulate_node(parts.simulator, base.simulator),
        "record": record,
    }
    for name, step in nodes.items():
        builder.add_node(name, reading(unbroken(name, step)))
    builder.add_edge(START, "plan")
    routes: dict[str, tuple[Route, list[str]]] = {
        "plan": (after_plan, ["ask", "execute", "record"]),
        "ask": (after_ask, ["ask", "approve", "execute"]),
        "approve": (after_approve, ["ask", "execute"]),
        "execute": (after_execute, ["simulate", "record"]),
        "simulate": (lambda state: "record", ["record"]),
    }
    for name, (route, ends) in routes.items():
        builder.add_conditional_edges(name, reading_edge(unless_edited(route)), ["plan", *ends])
    builder.add_edge("record", END)
    return builder.compile(name="trial")


def unless_edited(route: Route) -> Route:
    """`route`, or back to `plan` where the plan is for another request than the state holds."""

    def routed(state: TrialState) -> str:
        return "plan" if planned_for_another(state) else route(state)

    return routed


def after_plan(state: TrialState) -> Literal["ask", "execute", "record"]:
    """A refusal is evidence already; a call goes by way of a person where the run wants that."""
    if state["plan"]["kind"] != "plan":
        return "record"
    return "ask" if settings_in(state).approve == "ask" else "execute"


def after_ask(state: TrialState) -> Literal["ask", "approve", "execute"]:
    """Wait for a person only where there is something to ask; ask anew for an edited call."""
    if state.get("approval") is None:
        return "execute"
    return "ask" if asked_for_another(state) else "approve"


def after_approve(state: TrialState) -> Literal["ask", "execute"]:
    """A person's yes holds for the call that was shown."""
    return "ask" if asked_for_another(state) else "execute"


def after_execute(state: TrialState) -> Literal["simulate", "record"]:
    """Simulate only non-critical failures of a valid plan, and only where the run wants it."""
    failure = (state["executed"] or {}).get("failure")
    if failure is None or not settings_in(state).simulate:
        return "record"
    return "simulate" if simulated(Failure.model_validate(failure)) else "record"
