"""`HttpExecutor`: runs a plan over HTTP, within the policy and the budget."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias
from weakref import WeakKeyDictionary

import httpx

from gretel.catalog import Catalog
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import CallPlan, CallResult, Failure, Outcome
from gretel.sandbox.answers.results import unavailable
from gretel.sandbox.http.adapter import ADAPTERS
from gretel.sandbox.http.call import Call
from gretel.sandbox.http.exchange import less, sent
from gretel.sandbox.http.outcomes import invalid_arguments, not_sent
from gretel.sandbox.http.session import Session
from gretel.sandbox.network.connect import Resolver, system_resolver
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.network.wire_request import WireRequest
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.attached import Attached
from gretel.sandbox.secrets.credentials import CredentialResolver, in_time
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.forms import Forms
from gretel.sandbox.secrets.variables import refusal_hint
from gretel.text.foreign import SENTENCE, words_of
from gretel.text.redact import Redactor
from gretel.workers import off_loop

_Sessions: TypeAlias = WeakKeyDictionary[asyncio.AbstractEventLoop, dict[bool, Session]]
"""By event loop, and by whether the policy keeps the calls apart (`Policy.keeps_apart`)."""


class HttpExecutor:
    """Executes plans of tools that are called over HTTP.

    Usable from several event loops; each has its own connections, closed by `aclose` in that loop.
    """

    def __init__(
        self,
        catalog: Catalog,
        policy: Policy,
        *,
        credentials: CredentialResolver | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        resolver: Resolver = system_resolver,
    ) -> None:
        """Call tools of `catalog` as `policy` allows; secrets are by default the environment's.

        `transport` stands in for the network; names are then not resolved.
        """
        self._catalog = catalog
        self._policy = policy.once_bound(catalog)
        self._credentials = credentials or EnvironmentCredentials()
        self._transport = transport
        self._resolver = resolver
        self._redactor = Redactor()
        self._issued: dict[Origin, Redactor] = {}
        self._forms = Forms()
        self._sessions: _Sessions = WeakKeyDictionary()

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of `plan`.

        Nothing was sent where the status is `refused`, nor where it is `unavailable` but for one
        case: a server that the user named was asked without the credential that is lacking, and
        wants it. A refused or reset connection, a broken answer and a passed deadline are failures
        of the tool; a name that cannot be resolved, or a network without a route, is ours.

        Raises:
            SandboxUnavailable: the executor itself broke.
        """
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, with the whole answer beside the outcome.

        Raises:
            SandboxUnavailable: the executor itself broke.
        """
        if plan.tool_id not in self._catalog:
            return not_sent("no_binding", "The catalogue has no such tool.")
        tool = self._catalog[plan.tool_id]
        result = await self._called(tool, plan, budget)
        host = self._policy.origin(tool)
        return result.model_copy(
            update={"outcome": result.outcome.model_copy(update={"host": host})}
        )

    async def _called(self, tool: Tool, plan: CallPlan, budget: Budget) -> CallResult:
        """Decide, build, credentials; gate, send, read, judge (`sent`); redact."""
        values = plan.values()
        try:
            prepared = await off_loop(self._prepared, tool, plan)
        except ArgumentsError as error:
            return invalid_arguments(error, values)
        if isinstance(prepared, Failure):
            return unavailable(prepared)
        request, vocabulary = prepared
        # The vocabulary's first use goes through the whole catalogue, and is not the call's.
        adapter, start = ADAPTERS[tool.binding.kind], time.perf_counter()
        session = self._session(tool)
        # What stands in for the tools' own servers gets no tokens of theirs.
        issuers = session.tokens if self._policy.base_url is None else None
        finding = adapter.attach(request, tool, self._credentials, issuers)
        found = await in_time(finding, request.origin, budget.credential_s)
        lacking = found if isinstance(found, Failure) else None
        if lacking is not None and not self._policy.names(request.origin):
            return unavailable(lacking)
        # Documents of servers that one runs oneself declare what is often switched off there.
        attached = Attached(request) if isinstance(found, Failure) else found
        attached = self._forms.known(attached, tool)
        secret, left = bool(attached.secrets), less(budget, start)
        call = Call(tool, plan, attached.request, left, adapter, vocabulary, secret)
        result = await self._answered(session, call, attached)
        outcome = result.outcome
        if lacking is not None and _refused(outcome, tool):
            return unavailable(lacking)
        if outcome.http_status == 401:
            session.tokens.forget(attached.secrets)
        if _refused(outcome, tool):
            outcome = _with_hint(outcome, await self._hint(call, attached))
        return result.model_copy(update={"outcome": outcome})

    async def _hint(self, call: Call, attached: Attached) -> str:
        """What to do about a refusal; '' where nothing can be said.

        It says the word before a token, which the server chose: it may be the token itself.
        """
        origin = call.request.origin
        hint = refusal_hint(origin, call.tool, self._credentials, attached)
        with self._knowing(attached, origin):
            return await off_loop(words_of, hint, SENTENCE)

    def _prepared(self, tool: Tool, plan: CallPlan) -> tuple[WireRequest, Vocabulary] | Failure:
        """The request without credentials and what its answer is judged by, or why it is not sent.

        Raises:
            ArgumentsError: a value cannot be sent.
        """
        forbidden = self._policy.decide(tool, plan)
        if forbidden is not None:
            return forbidden
        server = self._policy.server(tool)
        request = ADAPTERS[tool.binding.kind].build(tool, plan.values(), server)
        return request, self._catalog.vocabulary

    async def _answered(self, session: Session, call: Call, attached: Attached) -> CallResult:
        """The redacted result of `call`; with its token in another form, if the first is refused.

        Only a call that changes nothing is sent again, and once.
        """
        start = time.perf_counter()
        result, challenge = await self._redacted(session, call, attached)
        if challenge is None or not _refused(result.outcome, call.tool):
            return result
        other = self._forms.other(attached, challenge, call.tool)
        if other is None or not await call.repeatable():
            return result
        left = less(call.budget, start)
        again = replace(call, request=other.request, budget=left, again=True)
        second, _ = await self._redacted(session, again, other)
        answered = second.outcome.http_status is not None
        taken = answered and not _refused(second.outcome, call.tool)
        if answered:
            self._forms.learn(attached, other, call.tool, taken=taken)
        return second if taken else result

    async def _redacted(
        self, session: Session, call: Call, attached: Attached
    ) -> tuple[CallResult, str | None]:
        """The result of `call`, read while its secrets are known, and the server's challenge."""
        with self._knowing(attached, call.request.origin):
            return await sent(session, call)

    @contextmanager
    def _knowing(self, attached: Attached, origin: Origin) -> Iterator[None]:
        """Inside, the secrets that are sent to `origin` are masked in what is read.

        A token that is no machine's is looked for in the answers of the server that it is for:
        who issues it may choose a word that others say.
        """
        if attached.issued:
            self._issued.setdefault(origin, Redactor(self._redactor))
        theirs = self._issued.get(origin, self._redactor)
        with self._redactor.during(attached.chosen), theirs.during(attached.issued):
            yield

    async def aclose(self) -> None:
        """Close this event loop's connections; further calls open new ones."""
        for session in self._sessions.pop(asyncio.get_running_loop(), {}).values():
            await session.transport.aclose()

    def _session(self, tool: Tool) -> Session:
        """What calls such as those of `tool` share in the running event loop, made on first use."""
        for known in self._sessions.keyrefs():
            loop = known()
            if loop is not None and loop.is_closed():  # its connections hold it, and files open
                self._sessions.pop(loop, None)
        sessions = self._sessions.setdefault(asyncio.get_running_loop(), {})
        apart = self._policy.keeps_apart(tool)
        if apart not in sessions:
            policy = self._policy.apart() if apart else self._policy
            transport = self._transport or EgressTransport(policy, self._resolver)
            sessions[apart] = Session(transport, policy)
        return sessions[apart]


def _refused(outcome: Outcome, tool: Tool) -> bool:
    """Whether the server that was called, not one behind it, wants a credential, or another."""
    if outcome.http_status in (401, 403):
        return True
    kind = outcome.failure.kind if outcome.failure else None
    return kind == "auth" and isinstance(tool.binding, HttpBinding)


def _with_hint(outcome: Outcome, hint: str) -> Outcome:
    """`outcome` with what to do about its failure."""
    if outcome.failure is None or not hint:
        return outcome
    detail = f"{outcome.failure.detail.rstrip(' .')}. {hint}"
    failure = outcome.failure.model_copy(update={"detail": detail})
    return outcome.model_copy(update={"failure": failure})
