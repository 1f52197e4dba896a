"""What model calls cost: tokens and money as the provider reports them, and ceilings on both."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from pydantic import Field

from gretel.contracts.budget import Usage
from gretel.contracts.errors import BudgetSpent, ConfigurationError
from gretel.contracts.record import Record

BYTES_PER_TOKEN = 4
"""Of a prompt in UTF-8, for the estimate that a ceiling holds back while a reply is awaited."""


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
    tokens: tuple[int, int] | None = None
    """Prompt and completion tokens of the reply; None: the provider did not say."""

    def money(self) -> float | None:
        """US dollars; None where tokens or price are unknown."""
        if self.tokens is None or (self.price is None and any(self.tokens)):
            return None
        return self.price.of(*self.tokens) if self.price else 0.0


@dataclass
class Ledger:
    """What was asked of models within one `collect_usage` block."""

    max_tokens: int | None = None
    max_money_usd: float | None = None
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
        tokens = self._counted + sum(held.estimate for held in self.held) + bill.estimate
        if self.max_tokens is not None and tokens > self.max_tokens:
            raise BudgetSpent(f"the token limit of {self.max_tokens} leaves no room for a request")
        if self.max_money_usd is not None:
            self._check_money(bill, self.max_money_usd)

    def settle(self, bill: Bill) -> None:
        """Book what the request cost in the end."""
        self.held.remove(bill)
        self._counted += bill.estimate if bill.tokens is None else sum(bill.tokens)
        prompt, completion = bill.tokens or (0, 0)
        spent, money = self._money, bill.money()
        self.usage = Usage(
            llm_calls=self.usage.llm_calls + 1,
            prompt_tokens=self.usage.prompt_tokens + prompt,
            completion_tokens=self.usage.completion_tokens + completion,
            money_usd=None if spent is None or money is None else spent + money,
        )

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
        held = sum(other.price.of(other.estimate, 0) for other in self.held if other.price)
        spent = (self._money or 0.0) + held + bill.price.of(bill.estimate, 0)
        if spent > limit or self._money is None:
            raise BudgetSpent(f"the money limit of {limit:g} USD leaves no room for a request")


_LEDGERS: ContextVar[tuple[Ledger, ...]] = ContextVar("gretel_ledgers", default=())


@contextmanager
def collect_usage(
    *, max_tokens: int | None = None, max_money_usd: float | None = None
) -> Iterator[Ledger]:
    """Count all model calls made inside, also by asyncio tasks that are created inside.

    Blocks nest: a call is booked in every ledger around it, and each keeps its own ceiling.

    Args:
        max_tokens: prompt and completion tokens together; a request that would go beyond is not
            sent but raises BudgetSpent.
        max_money_usd: the same for money; a model without a price then raises ConfigurationError,
            and after a request of unknown cost no other is sent.
    """
    ledger = Ledger(max_tokens=max_tokens, max_money_usd=max_money_usd)
    token = _LEDGERS.set((*_LEDGERS.get(), ledger))
    try:
        yield ledger
    finally:
        _LEDGERS.reset(token)


@contextmanager
def billed(model: str, price: Price | None, prompt: str) -> Iterator[Bill]:
    """Book one request with all ledgers around it.

    Raises:
        BudgetSpent: one of them has no room left; nothing is booked then.
    """
    bill = Bill(model, price, len(prompt.encode()) // BYTES_PER_TOKEN)
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
