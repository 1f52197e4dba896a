"""A call as its answer is read, and the failure that the server's words tell of."""

from collections.abc import Collection
from typing import NamedTuple

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import Failure, FailureKind, Fault
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.blame import blamed, lacked, names_value
from gretel.sandbox.answers.fields import named_fields
from gretel.sandbox.answers.listing import narrowing
from gretel.sandbox.answers.verdict import Verdict, short
from gretel.sandbox.answers.words.kinds import kind_of
from gretel.sandbox.answers.words.messages import MESSAGE, message_of
from gretel.sandbox.answers.words.nothing import is_nothing_found
from gretel.sandbox.answers.words.phrases import HTML, NO_SUCH, TRANSIENT, leading
from gretel.text.foreign import words_of

MAY_LACK: frozenset[FailureKind] = frozenset({"empty", "error_in_body", "rejected_arguments"})
"""Failures that may be for want of an argument."""


class Called(NamedTuple):
    """A call, as its answer is read."""

    answer: Answer
    tool: Tool
    arguments: JsonObject
    named: Collection[str] | None

    @property
    def narrowing(self) -> tuple[str, ...]:
        """The arguments that narrow it."""
        return narrowing(self.tool, self.arguments, self.named)


def failed(kind: FailureKind, prefix: str, call: Called, message: str) -> Verdict:
    """A failure whose words come from the server."""
    fields = tuple(name for name, value in call.arguments.items() if names_value(message, value))
    unknown = is_nothing_found(message) or kind_of(message) == "rejected_arguments"
    unknown = unknown or bool(NO_SUCH.search(message))
    if unknown and not fields and kind == "server_error":
        fields = blamed(message, call.tool, call.arguments)
    if fields and (kind in ("error_in_body", "permission") or (kind == "server_error" and unknown)):
        kind = "rejected_arguments"  # what was planned is not known there, or not let through
    is_ours = kind == "rejected_arguments"
    only = tuple(call.arguments) if len(call.arguments) == 1 else ()
    fields = (named_fields(call.tool, call.answer) or fields or only) if is_ours else ()
    fault: Fault = "request" if is_ours else "tool"
    words = short(message)
    detail = f"{prefix}: {words}" if words else f"{prefix}."
    unavailable = call.answer.status == 503 or bool(TRANSIENT.search(message))
    transient = kind == "server_error" and unavailable
    failure = Failure(kind=kind, detail=detail, fault=fault, fields=fields, transient=transient)
    return Verdict("failed", failure)


def or_lacking(call: Called, verdict: Verdict) -> Verdict:
    """The verdict, or that the call lacks what its answer speaks of."""
    if verdict.failure is None or verdict.failure.kind not in MAY_LACK:
        return verdict
    words = server_words(call.answer)
    fields = lacked(words, call.tool, call.arguments)
    if not fields:
        return verdict
    detail = f"lacks {', '.join(fields)}: {short(words)}"
    failure = Failure(kind="rejected_arguments", detail=detail, fault="request", fields=fields)
    return Verdict("failed", failure)


def server_words(answer: Answer) -> str:
    """The server's own words, '' where it has none but a page."""
    said = message_of(answer.value) if answer.is_json else answer.text.strip()
    is_page = not answer.is_json and (HTML.match(said) or len(said) > 1000)
    return "" if is_page else leading_words(answer, said)


def leading_words(answer: Answer, words: str) -> str:
    """What counts of the words; a relay puts its own before those that it passes on."""
    said = words_of(words, MESSAGE)
    return said if answer.relayed else leading(said)
