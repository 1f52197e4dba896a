"""Human approval of one call that may change something: asked for, granted once, used once.

A grant holds for one plan and one sending. It lives in this process alone, so that a run that is
resumed after a crash, replayed or forked from a checkpoint never sends an approved call again: what
the first sending gave is given again, or nothing is sent.
"""

import hashlib
import json
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.catalog.effects.changes import method_of
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.record import JsonObject, Record, Sentence
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, Outcome
from gretel.sandbox.http.adapter import ADAPTERS
from gretel.sandbox.http.outcomes import not_sent
from gretel.sandbox.permission.approved import approved
from gretel.sandbox.permission.policy import Policy
from gretel.text.foreign import foreign

_URL = 20_000
"""Characters of a URL that a person is shown; none that we send has more."""
_said: ContextVar[frozenset[str] | None] = ContextVar("gretel_said", default=None)
"""The questions, as they were shown, to which a person said yes; None: whoever runs the graph keeps
no list."""


@contextmanager
def answering(shown: Iterable[JsonObject]) -> Iterator[None]:
    """Within, and in the tasks that are started there, only these questions have had a yes.

    A store of checkpoints keeps answers beside their questions, and so whoever writes to it could
    add one that nobody gave.
    """
    token = _said.set(frozenset(map(_written, shown)))
    try:
        yield
    finally:
        _said.reset(token)


class ApprovalRequest(Record):
    """What a person is asked: this very call, or none."""

    approval_id: str
    tool_id: ToolId
    method: str
    """`GET`, `POST`, …; `call` where the tool is not called over HTTP."""
    url: str | None
    """Without credentials and with key-like values masked; None where there is none."""
    arguments: JsonObject
    reason: Sentence
    """Why the call is not made unasked."""
    plan_sha256: str
    """Of what the tool says, and of the arguments: the answer holds for these alone."""

    def shown(self) -> JsonObject:
        """What a person sees of it."""
        return self.model_dump(mode="json", exclude={"plan_sha256"})


@dataclass
class _Grant:
    """One approval: good for one sending of one plan."""

    plan_sha256: str
    sent: bool = False
    outcome: Outcome | None = None
    """What the sending gave, once it has ended."""


class Approvals:
    """Says what a person must be asked, and sees to it that an approval is used once."""

    def __init__(self, catalog: Catalog, policy: Policy) -> None:
        self._catalog = catalog
        self._policy = policy
        self._grants: dict[str, _Grant] = {}

    def request(self, plan: CallPlan) -> ApprovalRequest | None:
        """What to ask before `plan` runs.

        None where policy allows the call without approval, and where approval would not help: a
        tool that the user marked unsafe, a host that is not allowed, arguments that cannot be sent.
        """
        if plan.tool_id not in self._catalog:
            return None
        tool, values = self._catalog[plan.tool_id], plan.values()
        unsafe = self._policy.unsafe_call(tool, plan)
        if unsafe is None or not self._would_be_allowed(tool, plan):
            return None
        try:
            method, url = self._preview(tool, values)
        except ArgumentsError:
            return None
        return ApprovalRequest(
            approval_id=uuid.uuid4().hex,
            tool_id=tool.tool_id,
            method=method,
            url=url,
            arguments=values,
            reason=unsafe.detail,
            plan_sha256=_digest(values, tool),
        )

    def grant(self, request: ApprovalRequest) -> None:
        """Take a person's yes. One that was given before stays as it is, used or not.

        A request that shows something else than what the answer would hold for grants nothing: a
        store of checkpoints kept it meanwhile. So does a yes that nobody gave in this process,
        where it is known what was answered (`answering`).
        """
        said = _said.get()
        if said is not None and _written(request.shown()) not in said:
            return
        if self._is_honest(request):
            self._grants.setdefault(request.approval_id, _Grant(request.plan_sha256))

    def _is_honest(self, request: ApprovalRequest) -> bool:
        """Whether `request` shows the call that its hash is of, by the tool as it is."""
        if request.tool_id not in self._catalog:
            return False
        tool = self._catalog[request.tool_id]
        if request.plan_sha256 != _digest(request.arguments, tool):
            return False
        try:
            return self._preview(tool, request.arguments) == (request.method, request.url)
        except ArgumentsError:
            return False

    async def once(
        self, approval_id: str, plan: CallPlan, send: Callable[[], Awaitable[Outcome]]
    ) -> Outcome:
        """Send `plan` under the grant of that id, unless it was used, or is for another plan."""
        grant = self._grants.get(approval_id)
        if grant is None or plan.tool_id not in self._catalog:
            return _not_sent("no approval of this very call is on record here")
        tool = self._catalog[plan.tool_id]
        if grant.plan_sha256 != _digest(plan.values(), tool):
            return _not_sent("no approval of this very call is on record here")
        if grant.sent:
            return grant.outcome or _not_sent("its approval has been used")
        grant.sent = True
        with approved(tool):
            grant.outcome = await send()
        return grant.outcome

    def _would_be_allowed(self, tool: Tool, plan: CallPlan) -> bool:
        """Whether policy would let `tool` out if a person said yes."""
        if self._policy.forbidden(tool):
            return False
        if tool.binding.kind not in ADAPTERS:
            return tool.binding.kind != "none"
        with approved(tool):
            return self._policy.decide(tool, plan) is None

    def _preview(self, tool: Tool, values: JsonObject) -> tuple[str, str | None]:
        """Method and URL, as they are shown to the person who approves."""
        adapter = ADAPTERS.get(tool.binding.kind)
        if adapter is None:
            return "call", None
        built = adapter.build(tool, values, self._policy.server(tool))
        return method_of(tool) or built.method, foreign(str(built.url), _URL)


def _digest(values: JsonObject, tool: Tool) -> str:
    """Hash of what a call with these values would do, by the tool as it is."""
    text = json.dumps([tool_digest(tool), values], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _written(shown: JsonObject) -> str:
    """A question as it was shown, as text that can be compared."""
    return json.dumps(shown, sort_keys=True)


def _not_sent(why: str) -> Outcome:
    """The outcome of an approved call that is not sent."""
    return not_sent("unsafe_method", f"Nothing was sent: {why}.").outcome
