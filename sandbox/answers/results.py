"""What a call means that did not go over HTTP: a value, an error, or neither."""

import hashlib
import json

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallResult, Failure, FailureKind, Fault, Outcome, Status
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.judge import judge, vocabulary_of
from gretel.sandbox.answers.phrases import kind_of, leading
from gretel.sandbox.secrets.redact import Redactor

_DETAIL = 200
"""Characters of a tool's own words that are repeated."""


def answered(
    tool: Tool,
    values: JsonObject,
    value: JsonValue,
    latency_ms: float,
    *,
    catalog: object = None,
) -> CallResult:
    """A call that gave `value`; a text is judged as what it holds, be it JSON or words.

    Whose answer it is can be told where `catalog` is the Catalog that holds the tool.
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    content = text.encode(errors="replace")
    answer = read_answer("POST", 200, "", text)
    verdict = judge(answer, tool, values, vocabulary_of(catalog))
    failure = verdict.failure
    if failure is not None:
        said = failure.detail.replace("HTTP 200", "The tool reports", 1)
        failure = failure.model_copy(update={"detail": said})
    outcome = Outcome(
        status=verdict.status,
        source="executed",
        failure=failure,
        latency_ms=latency_ms,
        bytes_wire=len(content),
        bytes_decoded=len(content),
        body_sha256=hashlib.sha256(content).hexdigest() if content else None,
        excerpt=answer.shown,
    )
    body = answer.value if answer.is_json else answer.text
    return CallResult(outcome=Redactor().outcome(outcome), body=body)


def raised(words: str, latency_ms: float, *, kind: FailureKind = "server_error") -> CallResult:
    """A call that ended in an error of the tool's own, of `kind` if its words tell no other."""
    kind = kind_of(leading(words)) or kind
    fault: Fault = "request" if kind == "rejected_arguments" else "tool"
    return failed(kind, f"The tool reports {words}", latency_ms, fault=fault)


def failed(
    kind: FailureKind, detail: str, latency_ms: float | None = None, *, fault: Fault = "tool"
) -> CallResult:
    """A call that did not succeed; without a latency it was not even made."""
    return _without(kind, detail, fault=fault, status="failed", latency_ms=latency_ms)


def not_made(kind: FailureKind, detail: str) -> CallResult:
    """A call that was not made, or not to its end, for reasons of ours."""
    return _without(kind, detail, fault="ours", status="unavailable", latency_ms=None)


def _without(
    kind: FailureKind, detail: str, *, fault: Fault, status: Status, latency_ms: float | None
) -> CallResult:
    line = " ".join(Redactor().text(detail).split())
    line = line if len(line) <= _DETAIL else f"{line[: _DETAIL - 1]}…"
    failure = Failure(kind=kind, detail=line, fault=fault)
    source = "none" if latency_ms is None else "executed"
    return CallResult(
        outcome=Outcome(status=status, source=source, failure=failure, latency_ms=latency_ms)
    )
