"""From a part that may fail to its deterministic twin: the one place where a step falls back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from gretel.contracts.errors import BudgetSpent, ModelReplyError, ServiceBusy
from gretel.text.foreign import SENTENCE, foreign

T = TypeVar("T")

UNUSABLE = (TimeoutError, ModelReplyError, BudgetSpent, ServiceBusy)
"""One step's own trouble with a model; everything else would meet every step."""


async def with_fallback(
    first: Callable[[], Awaitable[T]],
    twin: Callable[[], Awaitable[T]],
    *,
    step: str,
    instead: str,
    seconds: float | None = None,
) -> tuple[T, list[str]]:
    """What `first` gives or, where it is too slow or unusable, what `twin` gives, with a note.

    A reply that stays unusable (`ModelReplyError`), a spent budget, and an endpoint that is slow,
    busy or breaks off (`ServiceBusy`) are one step's own trouble. Everything else is raised: a
    wrong key, an unknown model, and an address at which nobody ever answered would meet every step.

    Args:
        first: the part that was asked for, often backed by a model.
        twin: the deterministic part; takes no model and no time to speak of.
        step: for the note: the step, and the tool where it is about one, `plan Sky.search`.
        instead: for the note: what `twin` did, for a person, `planned by rule`.
        seconds: what `first` may take; None is unlimited, as where both are the same part.

    Returns:
        The result, and the notes: none where `first` gave it.
    """
    try:
        async with asyncio.timeout(seconds):
            return await first(), []
    except UNUSABLE as error:
        # A timeout has no words of its own; one without a limit was raised within the part.
        slow = f"no reply within {seconds:.1f} s" if seconds is not None else "too slow"
        why = slow if isinstance(error, TimeoutError) else foreign(str(error), SENTENCE)
        return await twin(), [f"{step}: {why}; {instead}"]
