"""What a call means that did not go over HTTP: a value, an error, or neither."""

import hashlib
import json

from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallResult, Failure, FailureKind, Fault, Outcome, Status
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.judge import judge
from gretel.sandbox.answers.phrases import kind_of, leading
from gretel.sandbox.answers.verdict import short
from gretel.sandbox.secrets.redact import Redactor

_DETAIL = 200
"""Characters of a tool's own words that are repeated."""


def answered(
    tool: Tool,
    values: JsonObject,
    value: JsonValue,
    latency_ms: float,
    *,
    vocabulary: Vocabulary,
) -> CallResult:
    """A call that gave `value`; a text is judged as what it holds, be it JSON or words.

    By `vocabulary`, that of the tool's catalogue, it is told whose answer it is.
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    content = text.encode(errors="replace")
    answer = read_answer("POST", 200, "", text)
    verdict = judge(answer, tool, values, vocabulary)
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
    kind: FailureKind,
    detail: str,
    latency_ms: float | None = None,
    *,
    fault: Fault = "tool",
    status: Status = "failed",
) -> CallResult:
    """A call that did not succeed; without a latency it was not even made."""
    failure = Failure(kind=kind, detail=short(Redactor().text(detail), _DETAIL), fault=fault)
    source = "none" if latency_ms is None else "executed"
    outcome = Outcome(status=status, source=source, failure=failure, latency_ms=latency_ms)
    return CallResult(outcome=outcome)


def not_made(kind: FailureKind, detail: str) -> CallResult:
    """A call that was not made, or not to its end, for reasons of ours."""
    return failed(kind, detail, fault="ours", status="unavailable")
