"""The trial subgraph: plan, execute, simulate, record, for one candidate."""

from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from gretel.contracts.trial import Failure
from gretel.graph.parts import Parts
from gretel.nodes.context import Context, context_of
from gretel.nodes.execute import execute_node
from gretel.nodes.plan import plan_node
from gretel.nodes.record import record
from gretel.nodes.simulate import simulate_node
from gretel.nodes.state import TrialInput, TrialOutput, TrialState
from gretel.nodes.usable import simulated

TrialGraph = CompiledStateGraph[Any, Context, Any, Any]


def build_trial(parts: Parts) -> TrialGraph:
    """Compile the subgraph that tries one candidate (GRETEL, section 3.2.1 and Algorithm 1)."""
    builder = StateGraph(
        TrialState, context_schema=Context, input_schema=TrialInput, output_schema=TrialOutput
    )
    base = parts.deterministic
    builder.add_node("plan", plan_node(parts.planner, base.planner, parts.catalog))
    builder.add_node("execute", execute_node(parts.executor))
    builder.add_node("simulate", simulate_node(parts.simulator, base.simulator))
    builder.add_node("record", record)
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", after_plan, ["execute", "record"])
    builder.add_conditional_edges("execute", after_execute, ["simulate", "record"])
    builder.add_edge("simulate", "record")
    builder.add_edge("record", END)
    return builder.compile(name="trial")


def after_plan(state: TrialState) -> Literal["execute", "record"]:
    """A refusal is evidence already; there is nothing to execute."""
    return "execute" if state["plan"]["kind"] == "plan" else "record"


def after_execute(state: TrialState, runtime: Runtime[Context]) -> Literal["simulate", "record"]:
    """Simulate only non-critical failures of a valid plan, and only where the run wants it."""
    failure = (state["executed"] or {}).get("failure")
    if failure is None or not context_of(runtime).simulate:
        return "record"
    return "simulate" if simulated(Failure.model_validate(failure)) else "record"
