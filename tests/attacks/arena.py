"""Where attacks run: the real executor, a name server that lies, and a record of every connection.

An attack is contained if nothing was dialled or received that the user's word does not cover, and
the outcome says why.
"""

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding, Parameter, Response, SecurityScheme, Tool
from gretel.contracts.trial import CallResult, FailureKind, Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.connect import Resolver
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import CredentialResolver, no_credentials
from hostile_server import HostileServer

PUBLIC = "93.184.216.34"
HOST = "api.example.com"
BUDGET = Budget(call_s=60, bytes_wire=300_000, bytes_decoded=300_000)
"""Bytes end a call, also on a machine that is busy with something else."""
HASTY = BUDGET.model_copy(update={"call_s": 0.15})
"""For attacks that never end by themselves."""


class LyingNames:
    """A name server under the attacker's control; it reads odd numbers as the C library does.

    `names` gives each name's answers, one list for each time that it is asked, the last for good.
    """

    def __init__(self, names: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._names = {name: list(answers) for name, answers in names.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        answers = self._names.get(host)
        if answers:
            return list(answers.pop(0) if len(answers) > 1 else answers[0])
        try:
            return [socket.inet_ntoa(socket.inet_aton(host))]
        except (OSError, UnicodeError):
            raise socket.gaierror(socket.EAI_NONAME, "no such name") from None


@dataclass
class Arena:
    """One attack's surroundings."""

    api: HostileServer
    dialled: list[tuple[str, int]] = field(default_factory=list)
    """Every address that a connection was tried to."""
    executors: list[HttpExecutor] = field(default_factory=list)

    def executor(self, asked: Tool, policy: Policy, names: Resolver) -> HttpExecutor:
        """An executor that is closed at the end of the test."""
        made = HttpExecutor(
            Catalog.from_tools([asked]), policy, credentials=no_credentials, resolver=names
        )
        self.executors.append(made)
        return made

    async def call(
        self,
        server: str,
        *,
        allow: Sequence[str] = (HOST,),
        names: Mapping[str, Sequence[Sequence[str]]] | None = None,
        **policy: Any,
    ) -> Outcome:
        """What comes of a tool whose document names `server`."""
        asked = tool("a.b", server=server)
        rules = Policy(frozenset(allow), **policy)
        return await self.executor(asked, rules, LyingNames(names or {})).execute(
            plan("a.b"), budget=BUDGET
        )

    async def answer_of(self, behaviour: str, *, budget: Budget = BUDGET) -> Outcome:
        """What comes of a call of the hostile server that the user did list, and calls safe.

        Some behaviours are named by verbs: to cut, to lower.
        """
        binding = HttpBinding(method="GET", path=f"/{behaviour}", servers=(self.api.url(),))
        asked = tool("a.b", binding=binding, response=Response(json_schema={"type": "object"}))
        rules = Policy(frozenset({self.api.host}), safe_tools=frozenset({"a.b"}))
        bound = rules.bound(Catalog.from_tools([asked]))
        return await self.executor(asked, bound, LyingNames({})).execute(plan("a.b"), budget=budget)

    async def send(
        self, path: str, parameters: Sequence[Parameter], values: Mapping[str, Any]
    ) -> Outcome:
        """What comes of `values` sent to the hostile server, below `/v1`."""
        binding = HttpBinding(method="GET", path=path, servers=(self.api.url("v1"),))
        asked = tool("a.b", params=parameters, binding=binding)
        rules = Policy(frozenset({self.api.host}))
        return await self.executor(asked, rules, LyingNames({})).execute(
            plan("a.b", **values), budget=BUDGET
        )

    def assert_kept_in(self, outcome: Outcome, kind: FailureKind = "host_not_allowed") -> None:
        """Nothing was dialled, and the outcome says that policy kept the call in."""
        assert self.dialled == []
        assert self.api.requests == []
        assert (outcome.status, outcome.source) == ("unavailable", "none")
        assert outcome.failure is not None
        assert (outcome.failure.kind, outcome.failure.fault) == (kind, "ours")
        assert outcome.failure.detail
        assert outcome.latency_ms is None and outcome.http_status is None

    def assert_judged(self, outcome: Outcome, expected: str) -> None:
        """The call was made once, and ended as `expected` says: a status, or a kind of failure."""
        assert len(self.api.requests) == 1
        assert len(self.dialled) == 1
        assert outcome.source == "executed"
        kind = outcome.failure.kind if outcome.failure else outcome.status
        assert expected in {outcome.status, kind}
        if outcome.failure is not None:
            assert outcome.failure.fault != "ours" and outcome.failure.detail
        assert len(outcome.excerpt.encode()) <= 2048
        assert Outcome.model_validate_json(outcome.model_dump_json()) == outcome


async def called(
    wire: Callable[[httpx.Request], httpx.Response],
    resolver: CredentialResolver,
    security: tuple[tuple[SecurityScheme, ...], ...] = (),
) -> CallResult:
    """What comes of a call of `HOST`, which answers by `wire` and asks for `security`."""
    binding = HttpBinding(method="GET", path="/x", servers=(f"https://{HOST}",), security=security)
    runner = HttpExecutor(
        Catalog.from_tools([tool("a.b", binding=binding)]),
        Policy(frozenset({HOST})),
        credentials=resolver,
        transport=httpx.MockTransport(wire),
    )
    return await runner.call(plan("a.b"), budget=BUDGET)
