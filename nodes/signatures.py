"""What a node is: `State → partial State`, with the run's context beside it."""

from collections.abc import Awaitable
from typing import Protocol

from langgraph.runtime import Runtime

from gretel.nodes.context import Context
from gretel.nodes.state import State, TrialState, Update


class StateNode(Protocol):
    """A node of the whole graph."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> Awaitable[Update]:
        """What to write."""
        ...


class TrialNode(Protocol):
    """A node of the trial subgraph."""

    def __call__(self, state: TrialState, *, runtime: Runtime[Context]) -> Awaitable[Update]:
        """What to write."""
        ...
