"""What model calls cost: tokens and money as the provider reports them, and ceilings on both."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import Field

from gretel.contracts.budget import Usage
from gretel.contracts.errors import BudgetSpent, ConfigurationError
from gretel.contracts.record import Record

BYTES_PER_TOKEN = 4
"""Of a prompt in UTF-8, for the estimate that a ceiling holds back while a reply is awaited."""

LEAST_REPLY = 16
"""Tokens below which a reply is not asked for."""


class Tokens(NamedTuple):
    """What one reply took, as the provider says."""

    prompt: int
    completion: int
    cached: int = 0
    """Of the prompt, what the provider had read before."""

    @property
    def spent(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion


class Price(Record):
    """What one model costs."""

    prompt_usd: float = Field(ge=0)
    """US dollars per million prompt tokens."""
    completion_usd: float = Field(ge=0)
    """US dollars per million completion tokens."""

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The price of one reply in US dollars."""
        total = prompt_tokens * self.prompt_usd + completion_tokens * self.completion_usd
        return total / 1_000_000


@dataclass(eq=False)
class Bill:
    """One request to a model; the sender fills in what the provider reported.

    A request that ends without an answer (time-out, dropped connection) stays unmetered: it may
    have been charged.
    """

    model: str
    price: Price | None
    estimate: int
    """Tokens of the prompt, roughly."""
    tokens: Tokens | None = None
    """Of the reply; None: the provider did not say."""

    def money(self) -> float | None:
        """US dollars; None where tokens or price are unknown."""
        if self.tokens is None or (self.price is None and self.tokens.spent):
            return None
        return self.price.of(self.tokens.prompt, self.tokens.completion) if self.price else 0.0


@dataclass
class Ledger:
    """What was asked of models within one `collect_usage` block."""

    max_tokens: int | None = None
    max_money_usd: float | None = None
    max_reply: int | None = None
    """Most tokens of one reply."""
    usage: Usage = Usage()
    """What was spent so far; money is None as soon as one part of it is unknown."""
    held: list[Bill] = field(default_factory=list)
    """Requests under way: their estimates are reserved until they are settled."""
    _counted: int = 0
    """Tokens held against the ceiling: what was reported, else the estimates."""

    def check(self, bill: Bill) -> None:
        """Whether a request may be sent.

        Raises:
            BudgetSpent: the request would go beyond a ceiling.
            ConfigurationError: there is a money ceiling, and the model's price is not known.
        """
        if self.max_tokens is not None and self._reserved(bill) > self.max_tokens:
            raise BudgetSpent(f"the token limit of {self.max_tokens} leaves no room for a request")
        if self.max_money_usd is not None:
            self._check_money(bill, self.max_money_usd)

    def room(self, bill: Bill) -> float:
        """The most tokens that a reply to this request may have; infinite without any limit."""
        rooms = [math.inf if self.max_reply is None else float(self.max_reply)]
        if self.max_tokens is not None:
            rooms.append(self.max_tokens - self._reserved(bill))
        if self.max_money_usd is not None and bill.price and bill.price.completion_usd:
            left = self.max_money_usd - self._paid(bill, bill.price)
            rooms.append(left * 1_000_000 / bill.price.completion_usd)
        return min(rooms)

    def settle(self, bill: Bill) -> None:
        """Book what the request cost in the end."""
        self.held.remove(bill)
        self._counted += bill.estimate if bill.tokens is None else bill.tokens.spent
        prompt, completion, cached = bill.tokens or Tokens(0, 0)
        spent, money = self._money, bill.money()
        self.usage = Usage(
            llm_calls=self.usage.llm_calls + 1,
            prompt_tokens=self.usage.prompt_tokens + prompt,
            completion_tokens=self.usage.completion_tokens + completion,
            cached_tokens=self.usage.cached_tokens + cached,
            money_usd=None if spent is None or money is None else spent + money,
        )

    def _reserved(self, bill: Bill) -> int:
        """Tokens so far, with the prompts under way and this one."""
        return self._counted + sum(held.estimate for held in self.held) + bill.estimate

    def _paid(self, bill: Bill, price: Price) -> float:
        """US dollars so far, with the prompts under way and this one."""
        held = sum(other.price.of(other.estimate, 0) for other in self.held if other.price)
        return (self._money or 0.0) + held + price.of(bill.estimate, 0)

    @property
    def _money(self) -> float | None:
        """US dollars so far; nothing asked cost nothing."""
        return self.usage.money_usd if self.usage.llm_calls else 0.0

    def _check_money(self, bill: Bill, limit: float) -> None:
        if bill.price is None:
            raise ConfigurationError(
                f"a money limit cannot be kept for {bill.model}, whose price is not known",
                field="budget.money_usd",
                remedy="Give open_model the model's price, or limit tokens instead",
            )
        if self._paid(bill, bill.price) > limit or self._money is None:
            raise BudgetSpent(f"the money limit of {limit:g} USD leaves no room for a request")


_LEDGERS: ContextVar[tuple[Ledger, ...]] = ContextVar("gretel_ledgers", default=())


@contextmanager
def collect_usage(
    *,
    max_tokens: int | None = None,
    max_money_usd: float | None = None,
    max_reply: int | None = None,
) -> Iterator[Ledger]:
    """Count all model calls made inside, also by asyncio tasks that are created inside.

    Blocks nest: a call is booked in every ledger around it, and each keeps its own ceiling.

    Args:
        max_tokens: prompt and completion tokens together; a request that would go beyond is not
            sent but raises BudgetSpent.
        max_money_usd: the same for money; a model without a price then raises ConfigurationError,
            and after a request of unknown cost no other is sent.
        max_reply: tokens of one reply; `reply_cap` says what all limits together leave to it.
    """
    ledger = Ledger(max_tokens=max_tokens, max_money_usd=max_money_usd, max_reply=max_reply)
    token = _LEDGERS.set((*_LEDGERS.get(), ledger))
    try:
        yield ledger
    finally:
        _LEDGERS.reset(token)


def reply_cap(wanted: int, model: str, price: Price | None, prompt: str) -> int:
    """`wanted` tokens for a reply, or what the ledgers around leave to it.

    Raises:
        BudgetSpent: they leave less than a reply takes.
        ConfigurationError: as `Ledger.check` says.
    """
    bill = _bill(model, price, prompt)
    for ledger in _LEDGERS.get():
        ledger.check(bill)
    room = min((ledger.room(bill) for ledger in _LEDGERS.get()), default=math.inf)
    if room < LEAST_REPLY:
        raise BudgetSpent("the limits of tokens and money leave no room for a reply")
    return int(min(wanted, room))


def _bill(model: str, price: Price | None, prompt: str) -> Bill:
    return Bill(model, price, len(prompt.encode(errors="replace")) // BYTES_PER_TOKEN)


@contextmanager
def billed(model: str, price: Price | None, prompt: str) -> Iterator[Bill]:
    """Book one request with all ledgers around it.

    Raises:
        BudgetSpent: one of them has no room left; nothing is booked then.
    """
    bill = _bill(model, price, prompt)
    ledgers = _LEDGERS.get()
    for ledger in ledgers:
        ledger.check(bill)
    for ledger in ledgers:
        ledger.held.append(bill)
    try:
        yield bill
    finally:
        for ledger in ledgers:
            ledger.settle(bill)
