"""What a run may spend, and whom it tells how far it is."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from gretel.evaluation.runs.rows import Row

Progress: TypeAlias = Callable[[int], None]
"""Told how many requests have their row."""


@dataclass(frozen=True)
class Ceiling:
    """What a run may spend on models, restarts counted; None: unlimited."""

    tokens: int | None = None
    money_usd: float | None = None

    def reached(self, rows: Collection[Row]) -> bool:
        """Whether nothing more may be started; an unknown price counts as nothing spent."""
        if self == Ceiling():
            return False
        spent = [usage for row in rows for usage in row.usage.values()]
        tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in spent)
        money = sum(usage.money_usd or 0.0 for usage in spent)
        return (self.tokens is not None and tokens >= self.tokens) or (
            self.money_usd is not None and money >= self.money_usd
        )
