"""The exchangeable parts that a graph is built from."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from gretel.catalog import Catalog
from gretel.contracts.protocols import (
    AgentModel,
    CandidateOrder,
    Executor,
    NeedJudge,
    Planner,
    QueryRewriter,
    Reranker,
    Retriever,
    Simulator,
)
from gretel.contracts.trial import ArgumentSource
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.policy import Policy


async def nothing() -> None:
    """Nothing to open, and nothing to close."""


@dataclass(frozen=True)
class Deterministic:
    """The parts that work without a model, and that stand in where a model fails."""

    planner: Planner
    simulator: Simulator
    reranker: Reranker


@dataclass(frozen=True)
class Parts:
    """One part for each place of the graph."""

    catalog: Catalog
    retriever: Retriever
    planner: Planner
    executor: Executor
    simulator: Simulator
    reranker: Reranker
    deterministic: Deterministic
    approvals: Approvals
    """Says what a person is asked where a run wants that."""
    policy: Policy = Policy()
    """What the caller may call of what was selected."""
    need: NeedJudge | None = None
    """Judges whether a tool is needed and one fits; None: only a retriever that says so itself."""
    order: CandidateOrder | None = None
    """Settles which candidates are tried; None: the retriever's best."""
    rewriter: QueryRewriter | None = None
    """None: retrieval is asked for the request itself."""
    agent: AgentModel | None = None
    """Thinks and chooses for an agent over these parts; None: the deterministic twin does."""
    trust: Mapping[ArgumentSource, float] = field(default_factory=dict)
    """As in `Calibration`: how far a model's values are trusted."""
    prepare: Callable[[], Awaitable[object]] = nothing
    """Opens what takes longer than the step that asks for it may."""
    aclose: Callable[[], Awaitable[None]] = nothing
    """Closes the connections that the parts hold in the running event loop."""
