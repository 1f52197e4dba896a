"""What came of an HTTP call: answered, failed in transport, or never sent."""

import base64

import httpcore
import httpx

from gretel.contracts.errors import ArgumentsError, CallRefused
from gretel.contracts.record import JsonObject
from gretel.contracts.trial import CallResult, Failure, FailureKind, Outcome
from gretel.sandbox.answers.answer import Answer, digest_of
from gretel.sandbox.answers.judge import judge
from gretel.sandbox.answers.results import unavailable
from gretel.sandbox.http.call import Call, Clock, Received
from gretel.sandbox.network.body import BodyRefused, body_text
from gretel.sandbox.network.connect import NetworkDead
from gretel.sandbox.network.gate import CircuitOpen, QueueTimeout
from gretel.text.foreign import both_ends


def judged(call: Call, received: Received) -> CallResult:
    """What a complete response means for the call; secrets are still in it."""
    text = body_text(received.body, received.content_type)
    answer = call.adapter.read(call.request.method, received.status, received.content_type, text)
    named = call.plan.named(call.tool)
    verdict = judge(answer, call.tool, call.plan.values(), call.vocabulary, named)
    carried = _carried(answer, received)
    size = len(received.body.content)
    shown = f"{carried['mimeType']}, {size:,} bytes" if carried else answer.shown
    outcome = Outcome(
        status=verdict.status,
        source="executed",
        failure=verdict.failure,
        says_none=verdict.says_none,
        oddness=verdict.oddness,
        http_status=received.status,
        latency_ms=received.latency_ms,
        bytes_wire=received.body.bytes_wire,
        bytes_decoded=size,
        body_sha256=digest_of(text, received.body.sha256),
        excerpt=shown,
    )
    body = carried or (answer.value if answer.is_json else answer.text)
    return CallResult(outcome=outcome, body=body, shown=both_ends(shown))


def _carried(answer: Answer, received: Received) -> JsonObject | None:
    """An answer that is no text, as MCP servers write one; None for one that is: bytes that were
    replaced to make it one are lost.
    """
    content = received.body.content
    lost = not answer.is_json and "\ufffd" in answer.text
    if not lost or not (answer.is_media or b"\0" in content):
        return None
    kind = received.content_type.partition(";")[0].strip().lower() or "application/octet-stream"
    return {"mimeType": kind, "data": base64.b64encode(content).decode("ascii")}


def ended_by(error: Exception, call: Call, clock: Clock) -> CallResult | None:
    """The call that `error` ended, from the gate to the last byte; None for a bug of ours."""
    host = call.request.origin.authority
    if isinstance(error, QueueTimeout):
        busy_s = call.budget.queue_s
        detail = f"Other calls kept {host} busy for {busy_s:g} s; nothing was sent."
        return not_sent("connection", detail)
    if isinstance(error, CircuitOpen):
        left = f"it is not called for another {error.cooldown_s:.0f} s"
        # The server's own doing: it was asked, by calls before this one.
        detail = f"{host} did not answer several times; {left}."
        return unavailable(_tool_failure("connection", detail))
    if isinstance(error, CallRefused):
        return not_sent("host_not_allowed", str(error))
    if isinstance(error, NetworkDead):
        return not_sent("connection", f"Our network: {error}.")
    failure = _transport_error(error, call)
    if failure is None:
        return None
    outcome = Outcome(
        status="failed",
        source="executed",
        failure=failure,
        http_status=clock.http_status,
        latency_ms=clock.latency_ms(),
    )
    return CallResult(outcome=outcome)


def invalid_arguments(error: ArgumentsError, values: JsonObject) -> CallResult:
    """A call whose argument values cannot be written into a request."""
    fields = (error.field,) if error.field in values else ()
    failure = Failure(kind="invalid_value", detail=str(error), fault="request", fields=fields)
    return CallResult(outcome=Outcome(status="refused", source="none", failure=failure))


def not_sent(kind: FailureKind, detail: str) -> CallResult:
    """A call that was not sent, for reasons of ours."""
    return unavailable(Failure(kind=kind, detail=detail, fault="ours"))


def _transport_error(error: Exception, call: Call) -> Failure | None:
    """The failure of the tool's server that `error` is; None where it is none of the server's."""
    host = call.request.origin.authority
    if isinstance(error, BodyRefused):
        return _tool_failure("protocol", str(error))
    if isinstance(error, httpcore.ConnectTimeout | httpx.ConnectTimeout):
        limit_s = call.budget.connect_s
        return _tool_failure("timeout", f"No connection to {host} within {limit_s:g} s.")
    if isinstance(error, TimeoutError | httpcore.TimeoutException | httpx.TimeoutException):
        return _tool_failure("timeout", f"No complete answer within {call.budget.call_s:g} s.")
    if isinstance(error, httpcore.ConnectError | httpx.ConnectError):
        return _tool_failure("connection", f"No connection to {host}.")
    if isinstance(error, httpcore.ProtocolError | httpx.ProtocolError):
        # httpcore's message for a server that hangs up before it answers.
        if "disconnected" in str(error):
            return _tool_failure("connection", f"{host} closed the connection.")
        if "buffer too long" in str(error):
            return _tool_failure("protocol", f"{host} sent headers that are too long.")
        return _tool_failure("protocol", f"{host} broke the HTTP protocol.")
    if isinstance(error, httpcore.NetworkError | httpx.NetworkError):
        return _tool_failure("connection", f"The connection to {host} broke.")
    return None


def _tool_failure(kind: FailureKind, detail: str) -> Failure:
    return Failure(kind=kind, detail=detail, fault="tool")
