"""Parts of an agent's graph over those of a selection: who is asked, and which tools it may use."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import AgentModel, Executor
from gretel.contracts.trial import ArgumentSource, CallPlan, CallResult, Outcome
from gretel.graph.build import build_graph
from gretel.graph.parts import Parts, nothing
from gretel.nodes.agent.arguing import Weigh
from gretel.nodes.agent.offering import offer_all, offer_candidates, offer_selection
from gretel.nodes.agent.rules import RuleAgent
from gretel.nodes.agent.state import AgentState
from gretel.nodes.context import Context
from gretel.nodes.plan.weighed import weighed
from gretel.nodes.retrieve.node import retrieve_node
from gretel.nodes.signatures import Node
from gretel.nodes.state import State
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.approved import approved
from gretel.sandbox.permission.policy import Policy

Offered: TypeAlias = Literal["selection", "candidates", "all"]
"""The tools that an agent may use: those that a selection offers after its trials, the retriever's
candidates untried, or the whole catalogue."""
OFFERED: tuple[Offered, ...] = get_args(Offered)


class CallingExecutor:
    """The executor of trials, for calls that are meant.

    A tool that the user marked as callable is called without being asked for. The outcome's excerpt
    is the answer's beginning and end, which a model has to work on, and not its beginning alone.
    """

    def __init__(self, executor: Executor, catalog: Catalog, policy: Policy) -> None:
        self._executor = executor
        self._catalog = catalog
        self._policy = policy

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """See `Executor.execute`."""
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """See `Executor.call`."""
        tool = self._catalog[plan.tool_id]
        leave = self._policy.callable_unasked(tool)
        with approved(tool) if leave else nullcontext():
            result = await self._executor.call(plan, budget=budget)
        if not result.shown:
            return result
        outcome = result.outcome.model_copy(update={"excerpt": result.shown})
        return result.model_copy(update={"outcome": outcome})


@dataclass(frozen=True)
class AgentParts:
    """One part for each place of the agent's graph."""

    catalog: Catalog
    model: AgentModel
    twin: AgentModel
    """Stands in where the model fails."""
    offer: Node[AgentState]
    """The node that says which tools a run may use."""
    executor: Executor
    approvals: Approvals
    policy: Policy
    trust: Mapping[ArgumentSource, float]
    weigh: Weigh = weighed
    prepare: Callable[[], Awaitable[object]] = nothing
    """As in `Parts`."""


def agent_parts(
    parts: Parts,
    *,
    model: AgentModel | None = None,
    offered: str = "selection",
) -> AgentParts:
    """The agent's parts over those of a selection; without any model the deterministic twin.

    Raises:
        ConfigurationError: `offered` is none of `OFFERED`, or needs a model.
    """
    model = model or parts.agent
    twin = RuleAgent(parts.deterministic.planner)
    return AgentParts(
        catalog=parts.catalog,
        model=model or twin,
        twin=twin,
        offer=_offer(parts, offered, with_model=model is not None),
        executor=CallingExecutor(parts.executor, parts.catalog, parts.policy),
        approvals=parts.approvals,
        policy=parts.policy,
        trust=parts.trust,
        prepare=parts.prepare,
    )


def _offer(parts: Parts, offered: str, *, with_model: bool) -> Node[AgentState]:
    retrieve = retrieve_node(parts.retriever, parts.need, parts.order)
    if offered == "candidates":
        return offer_candidates(retrieve)
    if offered == "all":
        if not with_model:
            message = "'all' needs a model that knows the tools"
            remedy = "Name one, or use 'selection' or 'candidates'."
            raise ConfigurationError(message, field="offered", remedy=remedy)
        return offer_all(retrieve, parts.catalog)
    if offered != "selection":
        remedy = f"Use one of {', '.join(OFFERED)}."
        raise ConfigurationError(f"{offered!r} is unknown", field="offered", remedy=remedy)
    graph = build_graph(parts)

    async def select(state: State, context: Context) -> dict[str, Any]:
        given = {name: state[name] for name in ("request", "messages", "context") if name in state}
        own = context.model_dump(include=set(Context.model_fields))
        found: dict[str, Any] = await graph.ainvoke(given, context=Context.model_validate(own))
        return found

    return offer_selection(select)
