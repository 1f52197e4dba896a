"""What an answer means: one table of HTTP statuses, and the reading of bodies that say 200.

404 needs care, for it has two meanings. It is `drift` (the endpoint is gone) unless a JSON body
speaks of a resource: a message that names what was not found and no endpoint, route or page, or any
not-found message where the path itself carries an argument (then the argument may be what does not
exist). The latter is `empty`, which weighs less; a bare router default stays drift.
"""

import re
from typing import Literal, NamedTuple

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import Failure, FailureKind, Fault
from gretel.sandbox.answer import Answer
from gretel.sandbox.content import complaint, is_complaint, is_empty, is_nothing_found, message_of
from gretel.sandbox.fields import named_fields
from gretel.sandbox.phrases import (
    ENDPOINT,
    ERROR_PAGE,
    ERROR_XML,
    HTML,
    kind_of,
    plain_key,
)


class Verdict(NamedTuple):
    """How a call ended, judged by its answer."""

    status: Literal["succeeded", "empty", "failed"]
    failure: Failure | None = None


SUCCEEDED = Verdict("succeeded")

STATUS_KINDS: dict[int, FailureKind] = {
    301: "drift",
    308: "drift",
    400: "rejected_arguments",
    401: "auth",
    402: "permission",
    403: "permission",
    405: "drift",
    406: "protocol",
    407: "auth",
    408: "timeout",
    410: "drift",
    411: "protocol",
    415: "drift",
    418: "permission",
    419: "auth",
    421: "protocol",
    425: "server_error",
    426: "protocol",
    429: "rate_limit",
    431: "protocol",
    440: "auth",
    451: "permission",
    498: "auth",
    499: "auth",
    501: "drift",
    504: "timeout",
    505: "protocol",
    509: "rate_limit",
    511: "auth",
    522: "timeout",
    524: "timeout",
    529: "rate_limit",
    598: "timeout",
    599: "timeout",
}
"""Kinds of single statuses; the others go by their hundred."""

HUNDRED_KINDS: dict[int, FailureKind] = {
    1: "protocol",
    3: "protocol",
    4: "rejected_arguments",
    5: "server_error",
}

_SPOKEN: dict[int, frozenset[FailureKind]] = {
    400: frozenset({"auth", "rate_limit"}),
    403: frozenset({"rate_limit", "drift", "auth"}),
}
"""Kinds that the message of a status may put in the place of the status's own."""

_ROUTER_DEFAULT = re.compile(r"not found|http 404.*|404.*|", re.I)
_DETAIL = 160
"""Characters of the server's own words that are repeated."""


def classify(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """What `answer` means for a call of `tool` with `arguments`."""
    if answer.outer_error:
        return _relayed(answer, tool, arguments)
    if answer.status == 404:
        return _not_found(answer, tool, arguments)
    if not 200 <= answer.status < 300:
        return _by_status(answer, tool)
    return _by_content(answer, tool, arguments)


def _by_status(answer: Answer, tool: Tool) -> Verdict:
    """A status that is no success."""
    own = STATUS_KINDS.get(answer.status, HUNDRED_KINDS.get(answer.status // 100, "protocol"))
    redirect = 300 <= answer.status < 400
    message = "it redirects, which is not followed" if redirect else _message(answer)
    spoken = kind_of(message) if answer.status in _SPOKEN else None
    kind = spoken if spoken and spoken in _SPOKEN[answer.status] else own
    return _failed(kind, f"HTTP {answer.status}", answer, tool, message)


def _not_found(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """404: a resource that does not exist, or an endpoint that is gone."""
    message = _message(answer)
    speaks_of_endpoint = bool(ENDPOINT.search(message)) or kind_of(message) == "drift"
    bare = bool(_ROUTER_DEFAULT.fullmatch(message.strip(" .!")))
    if answer.is_json and not speaks_of_endpoint:
        if not bare and is_nothing_found(message):
            return _empty(f"HTTP 404: {_short(message)}", fault="request")
        if _has_path_argument(tool, arguments) and not _is_router_default(answer):
            return _empty(f"HTTP 404: {_short(message) or 'not found'}", fault="request")
    return _failed("drift", "HTTP 404", answer, tool, message)


def _is_router_default(answer: Answer) -> bool:
    """Whether a 404 body is what a framework says of a path that it does not know."""
    value = answer.value
    if not isinstance(value, dict) or not value:
        return True
    return value == {"detail": "Not Found"} or {"path", "timestamp", "error"} <= value.keys()


def _has_path_argument(tool: Tool, arguments: JsonObject) -> bool:
    return isinstance(tool.binding, HttpBinding) and any(
        parameter.location == "path" and parameter.name in arguments
        for parameter in tool.parameters
    )


def _by_content(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """A success by status, judged by what it says."""
    if answer.method == "HEAD":
        return SUCCEEDED
    if answer.status in {204, 205} or not answer.text.strip():
        return _empty("The answer has no content.")
    if answer.is_json:
        return _by_json(answer, tool, arguments)
    return _by_text(answer, tool)


def _by_json(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """A JSON answer: an error in disguise, empty, or usable."""
    spoken = None if _is_about(tool, "error") else complaint(answer.value)
    if spoken is not None and is_nothing_found(spoken) and not ENDPOINT.search(spoken):
        return _empty(_short(spoken))
    if spoken is not None:
        return _failed("error_in_body", f"HTTP {answer.status}", answer, tool, spoken)
    if isinstance(answer.value, str) and is_nothing_found(answer.value):
        return _empty(_short(answer.value))
    echoes = {plain_key(name): str(value) for name, value in arguments.items()}
    if is_empty(answer.value, echoes) and not _is_about(tool, "count"):
        return _empty("The answer holds no data.")
    return SUCCEEDED


def _by_text(answer: Answer, tool: Tool) -> Verdict:
    """An answer that is no JSON: broken, a web page, or text."""
    promised = tool.response.json_schema is not None or tool.response.example is not None
    text = answer.text.strip()
    if HTML.match(text):
        if promised or answer.declares_json:
            return _protocol("A web page came instead of data.")
        if ERROR_PAGE.search(text[:5000]):
            return _failed("error_in_body", f"HTTP {answer.status}", answer, tool, "an error page")
        return SUCCEEDED
    if ERROR_XML.match(text):
        return _failed("error_in_body", f"HTTP {answer.status}", answer, tool, _short(text))
    if is_nothing_found(text):
        return _empty(_short(text))
    if is_complaint(text):
        return _failed("error_in_body", f"HTTP {answer.status}", answer, tool, _short(text))
    if answer.declares_json or (promised and not answer.relayed):
        return _protocol(answer.json_error or "JSON was documented, and text came.")
    return SUCCEEDED


def _relayed(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """An error that a StableToolBench server put beside the response.

    "Message error" only says that the response holds a key `message`, so the response decides.
    """
    spoken = answer.outer_error or ""
    if spoken.lower().startswith("message error"):
        inner = _by_content(answer, tool, arguments)
        if inner.status != "empty" or answer.text.strip():
            return inner
    kind = kind_of(spoken) or "error_in_body"
    return _failed(kind, "The server reports", answer, tool, spoken)


def _failed(kind: FailureKind, prefix: str, answer: Answer, tool: Tool, message: str) -> Verdict:
    """A failure whose words come from the server."""
    speaks_of_arguments = kind == "rejected_arguments" or (
        kind == "error_in_body" and kind_of(message) == "rejected_arguments"
    )
    fields = named_fields(tool, answer) if speaks_of_arguments else ()
    fault: Fault = "request" if kind == "rejected_arguments" or fields else "tool"
    words = _short(message)
    detail = f"{prefix}: {words}" if words else f"{prefix}."
    return Verdict("failed", Failure(kind=kind, detail=detail, fault=fault, fields=fields))


def _protocol(detail: str) -> Verdict:
    return Verdict("failed", Failure(kind="protocol", detail=detail, fault="tool"))


def _empty(detail: str, fault: Fault = "tool") -> Verdict:
    return Verdict("empty", Failure(kind="empty", detail=detail, fault=fault))


def _message(answer: Answer) -> str:
    """The server's own words, '' where it has none but a page."""
    if answer.is_json:
        return message_of(answer.value)
    text = answer.text.strip()
    return "" if HTML.match(text) or len(text) > 1000 else text


def _short(message: str) -> str:
    """`message` on one line, cut."""
    line = " ".join(message.split())
    return line if len(line) <= _DETAIL else f"{line[: _DETAIL - 1]}…"


def _is_about(tool: Tool, word: str) -> bool:
    """Whether the tool's own name says that `word` is what it answers with."""
    return word in tool.operation.lower()
