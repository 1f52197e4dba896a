"""What a run may spend on models."""

from collections.abc import Collection
from dataclasses import dataclass

from gretel.evaluation.runs.rows import Row


@dataclass(frozen=True)
class RunBudget:
    """What a run may spend, restarts counted; None: unlimited."""

    tokens: int | None = None
    money_usd: float | None = None

    def reached(self, rows: Collection[Row]) -> bool:
        """Whether nothing more may be started; an unknown price counts as nothing spent."""
        if self == RunBudget():
            return False
        spent = [usage for row in rows for usage in row.usage.values()]
        tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in spent)
        money = sum(usage.money_usd or 0.0 for usage in spent)
        return (self.tokens is not None and tokens >= self.tokens) or (
            self.money_usd is not None and money >= self.money_usd
        )
