"""From a part that may fail to its deterministic twin: the one place where a step falls back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from gretel.contracts.errors import BudgetSpent, ModelReplyError

T = TypeVar("T")


class Twin(NamedTuple):
    """What a step does instead, and how its note says so."""

    step: str
    """The step, and the tool where it is about one: `plan Sky.search`."""
    instead: str
    """What was done, for a person: `planned by rule`."""


async def with_fallback(
    first: Callable[[], Awaitable[T]],
    twin: Callable[[], Awaitable[T]],
    said: Twin,
    *,
    seconds: float | None = None,
) -> tuple[T, list[str]]:
    """What `first` gives or, where it is too slow or unusable, what `twin` gives, with a note.

    A reply that stays unusable (`ModelReplyError`), a spent budget and a timeout are one step's
    own trouble. Everything else is raised: an endpoint that is gone would meet every step.

    Args:
        first: the part that was asked for, often backed by a model.
        twin: the deterministic part; takes no model and no time to speak of.
        said: for the note.
        seconds: what `first` may take; None is unlimited.

    Returns:
        The result, and the notes: none where `first` gave it.
    """
    try:
        async with asyncio.timeout(seconds):
            return await first(), []
    except (TimeoutError, ModelReplyError, BudgetSpent) as error:
        # A timeout has no words of its own; one without a limit was raised within the part.
        slow = f"no reply within {seconds:.1f} s" if seconds is not None else "too slow"
        why = slow if isinstance(error, TimeoutError) else str(error)
        return await twin(), [f"{said.step}: {why}; {said.instead}"]
