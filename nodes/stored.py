"""A state as somebody edited or stored it: what in it is no record ends a run with a clear error.

Nodes and edges read their records where they need them. Only where that broke is it looked for
which part of the state is to blame.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from langgraph.runtime import Runtime
from pydantic import NonNegativeInt, TypeAdapter, ValidationError

from gretel.contracts.agent import AgentStep
from gretel.contracts.budget import Budget, Usage
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Candidate, Ranking, RetrievalQuery, Selection
from gretel.contracts.trial import CallPlan, Outcome, Refusal, Trial
from gretel.nodes.agent.state import AgentContext
from gretel.nodes.context import Context
from gretel.nodes.signatures import Node, S
from gretel.nodes.state import Update

P = ParamSpec("P")
T = TypeVar("T")

_PARTS: Mapping[str, TypeAdapter[Any]] = {
    "messages": TypeAdapter(list[Any]),
    "settings": TypeAdapter(AgentContext),
    "round": TypeAdapter(NonNegativeInt),
    "today": TypeAdapter(str),
    "deadline": TypeAdapter(float | None),
    "queries": TypeAdapter(list[RetrievalQuery] | None),
    "candidates": TypeAdapter(list[Candidate] | None),
    "needs_tool": TypeAdapter(float | None),
    "answerable": TypeAdapter(float | None),
    "trials": TypeAdapter(list[Trial]),
    "ranking": TypeAdapter(Ranking | None),
    "selection": TypeAdapter(Selection | None),
    "usage": TypeAdapter(dict[str, Usage]),
    "notes": TypeAdapter(list[str]),
    "steps": TypeAdapter(list[AgentStep]),
    "thought": TypeAdapter(str),
    "candidate": TypeAdapter(Candidate | None),
    "documentation": TypeAdapter(str),
    "plan": TypeAdapter(CallPlan | Refusal | None),
    "budget": TypeAdapter(Budget),
    "approval": TypeAdapter(dict[str, Any] | None),
    "executed": TypeAdapter(Outcome | None),
    "simulated": TypeAdapter(Outcome | None),
}
_BROKEN = (AttributeError, KeyError, TypeError, ValidationError)
"""What reading raises where something else stands than what is looked for."""


def reading(node: Node[S]) -> Node[S]:
    """`node`, which says what of the state it cannot read.

    Raises:
        InputError: a part of the state is not what it is to be.
    """

    async def read(state: S, *, runtime: Runtime[Context]) -> Update:
        try:
            return await node(state, runtime=runtime)
        except _BROKEN:
            _check(state)
            raise

    return read


def reading_edge(edge: Callable[P, T]) -> Callable[P, T]:
    """As `reading`, for an edge, which takes the state alone."""

    @wraps(edge)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return edge(*args, **kwargs)
        except _BROKEN:
            _check(args[0])
            raise

    return read


def read_end(made: Callable[[dict[str, Any]], T], state: dict[str, Any]) -> T:
    """What `made` makes of the last state of a run, for whom it is given to; as `reading`.

    Raises:
        InputError: a part of the state is not what it is to be.
    """
    try:
        return made(state)
    except _BROKEN:
        _check(state)
        raise


def _check(state: Any) -> None:
    """Raise where a part of the state is none."""
    for name, part in _PARTS.items():
        if name not in state:
            continue
        try:
            part.validate_python(state[name])
        except ValidationError as error:
            place = ".".join(map(str, (name, *error.errors()[0]["loc"])))
            remedy = "Edit the state again, and give every part the form that a run writes."
            raise InputError("is not what a run reads there", field=place, remedy=remedy) from None
