"""What a call means that did not go over HTTP: a value, an error, or neither."""

import hashlib
import json

from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.contracts.trial import (
    CallPlan,
    CallResult,
    Failure,
    FailureKind,
    Fault,
    Outcome,
    Status,
)
from gretel.sandbox.answers.answer import digest_of, read_answer
from gretel.sandbox.answers.blame import blamed, lacked, names_value
from gretel.sandbox.answers.called import MAY_LACK
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.judge import judge
from gretel.sandbox.answers.words.kinds import kind_of
from gretel.sandbox.answers.words.messages import message_of
from gretel.sandbox.answers.words.nothing import is_nothing_found
from gretel.sandbox.answers.words.phrases import leading
from gretel.text.foreign import both_ends, foreign

_DETAIL = 200
"""Characters of a tool's own words that are repeated."""
_WRAPPERS = frozenset({"result", "content", "text", "output"})
"""Names under which a text is put where an object is expected."""


def answered(
    tool: Tool,
    plan: CallPlan,
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
    verdict = judge(answer, tool, plan.values(), vocabulary, plan.named(tool))
    inner = _unwrapped(answer.value)
    if inner is not None and verdict.status == "succeeded":
        told = read_answer("POST", 200, "", inner)
        verdict = classify(told, tool, plan.values(), plan.named(tool))
    failure, shown = verdict.failure, answer.shown
    if failure is not None:
        said = failure.detail.replace("HTTP 200", "The tool reports", 1)
        failure = failure.model_copy(update={"detail": said})
    outcome = Outcome(
        status=verdict.status,
        source="executed",
        failure=failure,
        says_none=verdict.says_none,
        oddness=verdict.oddness,
        latency_ms=latency_ms,
        bytes_wire=len(content),
        bytes_decoded=len(content),
        body_sha256=digest_of(text, hashlib.sha256(content).hexdigest() if content else None),
        excerpt=shown,
    )
    body = answer.value if answer.is_json else answer.text
    return CallResult(outcome=outcome, body=body, shown=both_ends(shown))


def raised(
    tool: Tool,
    plan: CallPlan,
    words: str,
    latency_ms: float,
    *,
    kind: FailureKind = "server_error",
) -> CallResult:
    """A call that ended in an error of the tool's own, of `kind` if its words tell no other.

    One that repeats a value of the call, says that what it names was not found, or names an
    argument that the call left out, is the request's fault.
    """
    words, values = _error_words(words), plan.values()
    said = leading(words)
    spoken = kind_of(said)
    fields = tuple(name for name, value in values.items() if names_value(words, value))
    if not fields and spoken is None and is_nothing_found(said):
        fields = blamed(said, tool, values)
    if fields and spoken in (None, "permission"):
        spoken = "rejected_arguments"
    if (spoken or kind) in MAY_LACK and (left_out := lacked(words, tool, values)):
        detail = f"lacks {', '.join(left_out)}: {words}"
        return failed("rejected_arguments", detail, latency_ms, fault="request", fields=left_out)
    fault: Fault = "request" if spoken == "rejected_arguments" else "tool"
    kept = fields if fault == "request" else ()
    return failed(spoken or kind, f"The tool reports {words}", latency_ms, fault=fault, fields=kept)


def _error_words(text: str) -> str:
    """The words of an error that a tool tells as text, which may be an object that holds them."""
    answer = read_answer("POST", 200, "", text)
    return (message_of(answer.value) if answer.is_json else "") or text


def _unwrapped(value: JsonValue) -> str | None:
    """The text that is all of a structured answer: `{"result": "No tasks."}`, as MCP servers wrap
    what is no object, or a block of MCP that holds one; else None.
    """
    inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else None
    wraps = isinstance(value, dict) and _WRAPPERS & value.keys()
    if isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], dict):
        block = inner[0]
        inner = block.get("text") if block.get("type") == "text" else None
    return inner if wraps and isinstance(inner, str) else None


def failed(
    kind: FailureKind,
    detail: str,
    latency_ms: float | None = None,
    *,
    fault: Fault = "tool",
    fields: tuple[str, ...] = (),
    status: Status = "failed",
) -> CallResult:
    """A call that did not succeed; without a latency it was not even made."""
    words = foreign(detail, _DETAIL)
    failure = Failure(kind=kind, detail=words, fault=fault, fields=fields)
    source = "none" if latency_ms is None else "executed"
    outcome = Outcome(status=status, source=source, failure=failure, latency_ms=latency_ms)
    return CallResult(outcome=outcome)


def unavailable(failure: Failure) -> CallResult:
    """A call that was not made because of `failure`, whose words are ours, and kept as they are."""
    return CallResult(outcome=Outcome(status="unavailable", source="none", failure=failure))


def not_made(kind: FailureKind, detail: str) -> CallResult:
    """A call that was not made, or not to its end, for reasons of ours."""
    return failed(kind, detail, fault="ours", status="unavailable")
