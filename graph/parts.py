"""The exchangeable parts that a graph is built from."""

from dataclasses import dataclass

from gretel.catalog import Catalog
from gretel.contracts.protocols import (
    Executor,
    Planner,
    QueryRewriter,
    Reranker,
    Retriever,
    Simulator,
)


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
    rewriter: QueryRewriter | None = None
    """None: retrieval is asked for the request itself."""
