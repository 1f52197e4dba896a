"""Time that is left, and what a step spent."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import overload

from gretel import prompts
from gretel.contracts.budget import Budget, Usage
from gretel.llm.ledger import collect_usage
from gretel.nodes.context import Context
from gretel.nodes.state import Json


def seconds_left(deadline: float | None) -> float | None:
    """Seconds until `deadline`, never negative; None without one."""
    return None if deadline is None else max(0.0, deadline - time.time())


@overload
def shortest(seconds: float, left: float | None) -> float: ...


@overload
def shortest(seconds: float | None, left: float | None) -> float | None: ...


def shortest(seconds: float | None, left: float | None) -> float | None:
    """The smaller of a step's own limit and what is left of the run; None is unlimited."""
    return min((limit for limit in (seconds, left) if limit is not None), default=None)


@dataclass
class Step:
    """What a step has spent so far; complete when its `with` block has ended."""

    key: str
    tool_calls: int = 0
    """Calls that it sent to tools; the step itself counts them."""
    usage: Usage = Usage()

    def update(self) -> dict[str, Json]:
        """The step's entry of the state's `usage`."""
        return {self.key: self.usage.model_dump(mode="json")}


@contextmanager
def spending(key: str, context: Context, budget: Budget) -> Iterator[Step]:
    """Run a step under this run's prompts and the budget's token and money limits, and measure it.

    Raises:
        BudgetSpent: an LLM call would exceed the budget.
    """
    step = Step(key)
    start = time.perf_counter()
    with (
        prompts.using(context.prompt_overrides()),
        collect_usage(
            max_tokens=budget.tokens,
            max_money_usd=budget.money_usd,
            max_reply=budget.reply_tokens,
        ) as ledger,
    ):
        try:
            yield step
        finally:
            ms = (time.perf_counter() - start) * 1000
            spent = {"ms": ms, "tool_calls": step.tool_calls}
            step.usage = ledger.usage.model_copy(update=spent)


def total(usage: dict[str, Json] | None) -> Usage:
    """Sum over all steps; `ms` is the sum of the steps' own times, which overlap."""
    return added([Usage.model_validate(entry) for entry in (usage or {}).values()])


def added(steps: Sequence[Usage]) -> Usage:
    """The sum; its price is known where that of every model asked is."""
    asked = [step for step in steps if step.llm_calls]
    prices = [step.money_usd for step in asked if step.money_usd is not None]
    return Usage(
        llm_calls=sum(step.llm_calls for step in steps),
        prompt_tokens=sum(step.prompt_tokens for step in steps),
        completion_tokens=sum(step.completion_tokens for step in steps),
        cached_tokens=sum(step.cached_tokens for step in steps),
        money_usd=sum(prices) if len(prices) == len(asked) else None,
        tool_calls=sum(step.tool_calls for step in steps),
        ms=sum(step.ms for step in steps),
    )


def remaining(budget: Budget, usage: dict[str, Json] | None, *, shares: int = 1) -> Budget:
    """The budget less what was spent; tokens and money divided into equal `shares`.

    A price that is unknown counts as nothing spent: the token limit is the one that holds then.
    """
    spent = total(usage)
    tokens = spent.prompt_tokens + spent.completion_tokens
    money, paid = budget.money_usd, spent.money_usd or 0.0
    return budget.model_copy(
        update={
            "calls": _left(budget.calls, spent.tool_calls),
            "tokens": _left(budget.tokens, tokens, shares),
            "money_usd": None if money is None else max(0.0, money - paid) / shares,
        }
    )


def _left(limit: int | None, spent: int, shares: int = 1) -> int | None:
    return None if limit is None else max(0, limit - spent) // shares
