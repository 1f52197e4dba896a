"""Getting one request answered: slots, deadlines, retries, the bill, and errors of ours."""

import asyncio
import logging
import random
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count

from gretel.contracts.errors import GretelError, ServiceBusy, ServiceUnreachable
from gretel.llm.asking import Answer, Prepared, Question, ask, prepare
from gretel.llm.connections import Connections
from gretel.llm.failures import RequestRejected, pause, status_of, timed_out, translated
from gretel.llm.form import THINKING_TOKENS, Form
from gretel.llm.ledger import Price, Tokens, billed, reply_cap
from gretel.text.redact import Redactor
from gretel.workers import off_loop

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ModelLimits:
    """How patiently a model is asked."""

    concurrency: int = 16
    """Requests under way at a time, for each event loop."""
    request_s: float = 60.0
    """Seconds for one try."""
    total_s: float = 120.0
    """Seconds for one request with all its tries and waits, from when it has a slot."""
    attempts: int = 4
    timeouts: int = 2
    """Tries that may run into their time: what stalled once may go, what is slow stays slow."""
    wait_s: float = 0.5
    """Seconds before the second try; doubles with each, less up to half of it at random."""
    reply_tokens: int | None = None
    """Most tokens of one reply; None: what its schema and the budget say."""
    wait_max_s: float = 10.0
    """Most seconds between two tries, unless the endpoint's Retry-After says more."""

    def wait(self, number: int) -> float:
        """Seconds to wait after the try of this number, from 1."""
        return min(self.wait_max_s, self.wait_s * 2.0 ** (number - 1)) * random.uniform(0.5, 1.0)


class Sender:
    """Sends questions to one model."""

    def __init__(
        self,
        connections: Connections,
        *,
        name: str,
        limits: ModelLimits,
        price: Price | None,
        secrets: Sequence[str],
    ) -> None:
        self.name = name
        self.connections = connections
        self._limits = limits
        self._price = price
        self._answered = False
        self._secrets = tuple(secrets)
        self._redactor = Redactor()

    def knowing(self) -> AbstractContextManager[None]:
        """While the endpoint's words are read: none of them shows the key."""
        return self._redactor.during(self._secrets)

    async def send(self, question: Question, form: Form) -> Answer:
        """One answer, after retries where a retry can mend.

        A slot is held during the waits too: an endpoint that is busy is then asked less.

        Raises:
            RequestRejected: the endpoint does not accept the question in this form.
            GretelError: as `StructuredModel.reply` says.
        """
        chat, slots = await self.connections.here()
        async with slots:
            try:
                capped = question._replace(cap=self._cap(question, form))
                # Off the loop: a schema may hold a document's words, and stand in the prompt.
                prepared = await off_loop(prepare, chat, form, capped)
                answer = await self._persist(prepared)
            except TimeoutError:
                limits = self._limits
                raise ServiceBusy(
                    f"{self.name} gave no answer in time ({limits.request_s:g} s a try, "
                    f"{limits.total_s:g} s in all)"
                ) from None
            except (GretelError, RequestRejected):
                raise
            except Exception as error:
                # Not chained: the client's own text may echo the key that it was given.
                raise self._raised(error) from None
        self._answered = True
        return answer

    def _cap(self, question: Question, form: Form) -> int:
        wanted = min(question.cap, self._limits.reply_tokens or question.cap)
        cap = reply_cap(wanted, self.name, self._price, question.prompt())
        return cap + THINKING_TOKENS if form.thinks else cap

    def _raised(self, error: Exception) -> GretelError | RequestRejected:
        """The error of ours; an endpoint that answered before is only busy."""
        ours = translated(error, self.name)
        gone = type(ours) is ServiceUnreachable and self._answered
        return ServiceBusy(str(ours)) if gone else ours

    async def _persist(self, prepared: Prepared) -> Answer:
        limits, clock = self._limits, asyncio.get_running_loop().time
        end, slow = clock() + limits.total_s, 0
        async with asyncio.timeout_at(end):
            for number in count(1):
                try:
                    return await self._try(prepared)
                except Exception as error:
                    wait = pause(error, limits.wait(number), left=end - clock())
                    slow += timed_out(error)
                    if wait is None or number >= limits.attempts or slow >= limits.timeouts:
                        raise
                    _LOG.info("%s: %s; next try in %.1f s", self.name, type(error).__name__, wait)
                await asyncio.sleep(wait)
        raise AssertionError("the loop ends with a return or a raise")

    async def _try(self, prepared: Prepared) -> Answer:
        with billed(self.name, self._price, prepared.prompt()) as bill:
            try:
                async with asyncio.timeout(self._limits.request_s):
                    answer = await ask(prepared)
            except Exception as error:
                if status_of(error) is not None:
                    bill.tokens = Tokens(0, 0)  # an answer with an error is not charged for
                raise
            bill.tokens = answer.tokens
            return answer
