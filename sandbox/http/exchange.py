"""One call over the wire: through the gate, sent, its response read within bounds and judged."""

import asyncio
import time
from dataclasses import replace

import httpcore
import httpx

from gretel.contracts.budget import Budget
from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.trial import CallResult
from gretel.sandbox.http.call import Call, Clock, Received
from gretel.sandbox.http.outcomes import ended_by, judged
from gretel.sandbox.http.session import Session
from gretel.sandbox.network.body import BodyRefused, read_body
from gretel.sandbox.network.wire import Allowance
from gretel.workers import read_off_loop

_NOTABLE_S = 0.05
"""Seconds from which the time that passed before a call is taken off its own."""
_MAX_HEADERS = 200
_MAX_HEADER_BYTES = 65_536
"""Names and values together; httpcore itself gives up at 100 KB."""


async def sent(session: Session, call: Call) -> tuple[CallResult, str | None]:
    """Gate, send, read, judge; the deadline holds for everything between gate and judgement.

    Beside the result stands what the server's header WWW-Authenticate says; None where the call was
    sent a second time already.
    """
    start, clock, gate = time.perf_counter(), Clock(), session.gate(call.request.origin, call.tool)
    result: CallResult | None
    try:
        async with gate.acquire(wait_s=call.budget.queue_s):
            call, clock = replace(call, budget=less(call.budget, start)), Clock()
            async with asyncio.timeout(call.budget.call_s):
                received = await exchange(session, call, clock)
            # Behind the deadline, which is the server's: what it sent is complete.
            result = await read_off_loop(len(received.body.content), judged, call, received)
    except Exception as error:
        result = ended_by(error, call, clock)
        broke = SandboxUnavailable(f"the executor broke: {type(error).__name__}")
        if result is None and not call.secret:
            raise broke from error
    if result is None:
        raise broke  # not chained: the frames of the error's traceback hold the credentials
    if result.outcome.source == "executed":
        gate.record(answered=clock.http_status is not None)
    return result, None if clock.resent else clock.challenge


async def exchange(session: Session, call: Call, clock: Clock) -> Received:
    """Send the request over `session`, and read the response within the call's budget.

    Raises:
        BodyRefused: the response breaks a bound or its own encoding.
        CallRefused: an address of the host may not be reached; nothing was sent.
        Exception: whatever the transport raises.
    """
    response = await _head(session.transport, call, clock)
    clock.http_status = response.status_code
    try:
        _check_headers(response)
        clock.challenge = response.headers.get("www-authenticate", "")
        body = await read_body(response, call.budget)
    finally:
        # The deadline may fall into the closing, too.
        await asyncio.shield(response.aclose())
    content_type = response.headers.get("content-type", "")
    return Received(response.status_code, content_type, body, clock.latency_ms())


async def _head(transport: httpx.AsyncBaseTransport, call: Call, clock: Clock) -> httpx.Response:
    """The beginning of the answer.

    A server may hang up on an idle connection in the moment in which the next call takes it. That
    is nobody's failure, and a call that changes nothing is sent once more (RFC 9110, 9.2.2). No
    other call is ever sent twice.
    """
    allowance = Allowance(call.budget.bytes_wire)
    try:
        return await transport.handle_async_request(call.to_httpx(clock, allowance))
    except (httpcore.RemoteProtocolError, httpcore.NetworkError):
        if not clock.reused or allowance.begun or not await call.repeatable():
            raise
    clock.resent = True
    return await transport.handle_async_request(call.to_httpx(clock, allowance))


def _check_headers(response: httpx.Response) -> None:
    """Refuse more headers than any honest answer has."""
    headers = response.headers.raw
    if len(headers) > _MAX_HEADERS:
        raise BodyRefused(f"The answer has more than {_MAX_HEADERS} headers.")
    if sum(len(name) + len(value) for name, value in headers) > _MAX_HEADER_BYTES:
        raise BodyRefused(f"The answer's headers exceed {_MAX_HEADER_BYTES:,} bytes.")


def less(budget: Budget, start: float) -> Budget:
    """`budget` without the time since `start`, where that is enough to count."""
    spent = time.perf_counter() - start
    if spent <= _NOTABLE_S:
        return budget
    left = max(_NOTABLE_S, budget.call_s - spent)
    return budget.model_copy(update={"call_s": round(left, 3)})
