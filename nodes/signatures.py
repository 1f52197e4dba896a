"""What a node is: `State → partial State`, with the run's context beside it."""

from collections.abc import Awaitable
from typing import Protocol, TypeAlias, TypeVar

from langgraph.runtime import Runtime

from gretel.nodes.context import Context
from gretel.nodes.state import State, TrialState, Update

S = TypeVar("S", contravariant=True)


class Node(Protocol[S]):
    """A node of a graph with the state `S`."""

    def __call__(self, state: S, *, runtime: Runtime[Context]) -> Awaitable[Update]:
        """What to write."""
        ...


StateNode: TypeAlias = Node[State]
TrialNode: TypeAlias = Node[TrialState]
"""Of the whole graph, and of the trial subgraph."""
