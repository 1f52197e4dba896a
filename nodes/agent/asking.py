"""The model's questions: each is asked of a model, and of its deterministic twin where it fails."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from gretel.contracts.protocols import AgentModel
from gretel.nodes.agent.state import AgentContext, AgentState
from gretel.nodes.fallback import with_fallback
from gretel.nodes.spending import remaining, seconds_left, shortest, spending
from gretel.nodes.state import Update

T = TypeVar("T")
Question = Callable[[AgentModel], Awaitable[T]]


async def asked(
    question: Question[T],
    model: AgentModel,
    twin: AgentModel,
    state: AgentState,
    context: AgentContext,
    *,
    step: str,
    instead: str,
) -> tuple[T, Update]:
    """What `model` says, or `twin` where it is slow or unusable; with usage and notes.

    It may take as long as one trial's planning. A note says what was done `instead`.

    Raises:
        ServiceUnreachable, ConfigurationError: every question would meet it.
    """
    budget = remaining(context.budget, state.get("usage"))
    seconds = shortest(context.budget.plan_s, seconds_left(state.get("deadline")))
    number = state.get("round", 0)
    with spending(f"{step}:{number}", context, budget) as spent:
        found, notes = await with_fallback(
            lambda: question(model),
            lambda: question(twin),
            step=f"{step} {number}",
            instead=instead,
            seconds=seconds,
        )
    return found, {"usage": spent.update(), "notes": notes}
