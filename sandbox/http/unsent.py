"""Outcomes of calls that were not made, or that went wrong on their way."""

from gretel.contracts.errors import CallRefused
from gretel.contracts.trial import Failure, FailureKind, Outcome
from gretel.sandbox.http.exchange import Call, Clock, trouble
from gretel.sandbox.network.egress import NetworkDead


def troubled(error: Exception, call: Call, clock: Clock) -> Outcome | None:
    """The outcome of a call that went wrong on the way; None where the fault is our code's."""
    if isinstance(error, CallRefused):
        return unavailable("host_not_allowed", str(error))
    if isinstance(error, NetworkDead):
        return unavailable("connection", f"Our network: {error}.")
    failure = trouble(error, call)
    if failure is None:
        return None
    return Outcome(
        status="failed",
        source="executed",
        failure=failure,
        http_status=clock.http_status,
        latency_ms=clock.latency_ms(),
    )


def busy(call: Call, waited_s: float) -> Outcome:
    """The outcome of a call that did not get its turn in time."""
    host = call.request.origin.authority
    detail = f"Other calls kept {host} busy for {waited_s:g} s; nothing was sent."
    return unavailable("connection", detail)


def resting(call: Call, rest_s: float) -> Outcome:
    """The outcome of a call to an origin that is left alone for a while."""
    host = call.request.origin.authority
    detail = f"{host} did not answer several times; it is left alone for another {rest_s:.0f} s."
    return unavailable("connection", detail)


def unavailable(kind: FailureKind, detail: str) -> Outcome:
    """The outcome of a call that was not made, for reasons of ours."""
    return Outcome(
        status="unavailable",
        source="none",
        failure=Failure(kind=kind, detail=detail, fault="ours"),
    )
