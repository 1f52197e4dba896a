"""What an answer means: one table of HTTP statuses, and the reading of bodies that say 200.

404 needs care, for it has two meanings. It is `drift` (the endpoint is gone) unless a JSON body
speaks of a resource: a message that names what was not found and no endpoint, route or page, or any
not-found message where the path itself carries an argument (then the argument may be what does not
exist). The latter is `empty`, which weighs less; a bare router default stays drift.

An error in a body that came with a success is `error_in_body`. A StableToolBench server gives every
answer as a success, so of an answer that it relays the status is read off the body, else the kind
off the words: a tool that is merely out of quota must not look like one that answers nonsense.
"""

import re

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import Failure, FailureKind, Fault
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.content import (
    complaint,
    is_complaint,
    is_empty,
    is_nothing_found,
    message_of,
)
from gretel.sandbox.answers.fields import named_fields
from gretel.sandbox.answers.phrases import (
    ENDPOINT,
    ERROR_PAGE,
    ERROR_XML,
    HTML,
    TRANSIENT,
    kind_of,
    leading,
    plain_key,
)
from gretel.sandbox.answers.statuses import (
    kind_of_status,
    page_title,
    stated_in_object,
    stated_in_title,
    stated_in_words,
    status_line,
)
from gretel.sandbox.answers.verdict import SUCCEEDED, Verdict, empty, protocol, short

_SPOKEN: dict[int, frozenset[FailureKind]] = {
    400: frozenset({"auth", "rate_limit"}),
    403: frozenset({"rate_limit", "drift", "auth"}),
}
"""Kinds that the message of a status may put in the place of the status's own."""

_ROUTER_DEFAULT = re.compile(r"not found|http 404.*|404.*|", re.I)
_COUNTING = re.compile(r"(?<!ac)(?<!dis)count(?!r|y|ies)", re.I)
_ABOUT_ERRORS = re.compile(r"(?<![a-z])errors?(?![a-z])", re.I)
"""Names of operations whose answers may be a zero, or hold errors and be none."""


def classify(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """What `answer` says by itself of a call of `tool` with `arguments`.

    Whether it answers something else is left open: `judge.py`.
    """
    if answer.outer_error:
        return _relayed(answer, tool, arguments)
    if answer.status == 404:
        return _not_found(answer, tool, arguments)
    if not 200 <= answer.status < 300:
        return _by_status(answer, tool)
    return _by_content(answer, tool, arguments)


def _by_status(answer: Answer, tool: Tool) -> Verdict:
    """A status that is no success."""
    own = kind_of_status(answer.status)
    redirect = 300 <= answer.status < 400
    message = "it redirects, which is not followed" if redirect else _message(answer)
    spoken = kind_of(message) if answer.status in _SPOKEN else None
    kind = spoken if spoken and spoken in _SPOKEN[answer.status] else own
    return _failed(kind, f"HTTP {answer.status}", answer, tool, message)


def _not_found(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """404: a resource that does not exist, or an endpoint that is gone."""
    message = _message(answer)
    speaks_of_endpoint = bool(ENDPOINT.search(message)) or kind_of(message) == "drift"
    if answer.is_json and not speaks_of_endpoint:
        if not _is_bare(message) and is_nothing_found(message):
            return empty(f"HTTP 404: {short(message)}", fault="request")
        if _may_be_in_path(tool, arguments) and not _is_router_default(answer):
            return empty(f"HTTP 404: {short(message) or 'not found'}", fault="request")
    return _failed("drift", "HTTP 404", answer, tool, message)


def _is_router_default(answer: Answer) -> bool:
    """Whether a 404 body is what a framework says of a path that it does not know."""
    value = answer.value
    if not isinstance(value, dict) or not value:
        return True
    return value == {"detail": "Not Found"} or {"path", "timestamp", "error"} <= value.keys()


def _is_bare(message: str) -> bool:
    """Whether the words of a 404 say no more than that."""
    return bool(_ROUTER_DEFAULT.fullmatch(message.strip(" .!")))


def _may_be_in_path(tool: Tool, arguments: JsonObject) -> bool:
    """Whether an argument stands in the path; of a tool whose path is not known any may."""
    if not isinstance(tool.binding, HttpBinding):
        return bool(arguments)
    return any(
        parameter.location == "path" and parameter.name in arguments
        for parameter in tool.parameters
    )


def _by_content(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """A success by status, judged by what it says."""
    if answer.method == "HEAD":
        return SUCCEEDED
    if answer.status in {204, 205} or not answer.text.strip():
        return empty("The answer has no content.")
    if answer.is_json:
        return _by_json(answer, tool, arguments)
    return _by_text(answer, tool, arguments)


def _by_json(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """A JSON answer: an error in disguise, empty, or usable."""
    spoken = None if _ABOUT_ERRORS.search(tool.operation) else complaint(answer.value)
    spoken = spoken and _said(answer, spoken)
    lost_404 = spoken is not None and answer.relayed and _is_bare(spoken)
    if spoken and is_nothing_found(spoken) and not (lost_404 or ENDPOINT.search(spoken)):
        return empty(short(spoken))
    if spoken is not None:
        return _by_words(answer, tool, arguments, spoken)
    if isinstance(answer.value, str) and is_nothing_found(answer.value):
        return empty(short(answer.value))
    echoes = {plain_key(name): str(value) for name, value in arguments.items()}
    is_count = _COUNTING.search(tool.operation) and re.search(r"\d", answer.text)
    if is_empty(answer.value, echoes) and not is_count:
        return empty("The answer holds no data.")
    return SUCCEEDED


def _by_text(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """An answer that is no JSON: broken, a web page, or text."""
    promised = tool.response.json_schema is not None or tool.response.example is not None
    text = answer.text.strip()
    if HTML.match(text):
        return _by_page(answer, tool, promised=promised or answer.declares_json)
    is_status = answer.relayed and status_line(text)
    if is_nothing_found(text) and not is_status:
        return empty(short(text))
    if ERROR_XML.match(text) or is_complaint(text):
        return _by_words(answer, tool, arguments, text)
    if answer.declares_json or (promised and not answer.relayed):
        return protocol(answer.json_error or "JSON was documented, and text came.")
    return SUCCEEDED


def _by_page(answer: Answer, tool: Tool, *, promised: bool) -> Verdict:
    """A web page: an error page, one in place of the data that was promised, or an answer."""
    is_error = bool(ERROR_PAGE.search(answer.text[:5000]))
    title = page_title(answer.text)
    status = stated_in_title(title)
    kind = kind_of_status(status) if status else kind_of(title)
    if is_error and answer.relayed and kind:
        return _failed(kind, "The server reports", answer, tool, title)
    if promised:
        return protocol("A web page came instead of data.")
    if is_error:
        return _failed("error_in_body", f"HTTP {answer.status}", answer, tool, "an error page")
    return SUCCEEDED


def _by_words(answer: Answer, tool: Tool, arguments: JsonObject, words: str) -> Verdict:
    """An error that only the body tells of."""
    if not answer.relayed:
        return _failed("error_in_body", f"HTTP {answer.status}", answer, tool, words)
    status = stated_in_object(answer.value) or stated_in_words(words)
    lost = answer._replace(status=status or answer.status)
    if status == 404:
        return _not_found(lost, tool, arguments)
    if status:
        return _by_status(lost, tool)
    return _failed(kind_of(words) or "error_in_body", "The server reports", answer, tool, words)


def _relayed(answer: Answer, tool: Tool, arguments: JsonObject) -> Verdict:
    """An error that a StableToolBench server put beside the response.

    "Message error" only says that the response holds a key `message`, so the response decides.
    """
    spoken = answer.outer_error or ""
    if spoken.lower().startswith("message error"):
        inner = _by_content(answer, tool, arguments)
        if inner.status != "empty" or answer.text.strip():
            return inner
    if not answer.text.strip():
        # The fields are named there, if at all.
        answer = answer._replace(text=spoken, is_json=False)
    return _failed(kind_of(spoken) or "error_in_body", "The server reports", answer, tool, spoken)


def _failed(kind: FailureKind, prefix: str, answer: Answer, tool: Tool, message: str) -> Verdict:
    """A failure whose words come from the server."""
    speaks_of_arguments = kind == "rejected_arguments" or (
        kind == "error_in_body" and kind_of(message) == "rejected_arguments"
    )
    fields = named_fields(tool, answer) if speaks_of_arguments else ()
    fault: Fault = "request" if kind == "rejected_arguments" or fields else "tool"
    words = short(message)
    detail = f"{prefix}: {words}" if words else f"{prefix}."
    transient = kind == "server_error" and (answer.status == 503 or bool(TRANSIENT.search(message)))
    failure = Failure(kind=kind, detail=detail, fault=fault, fields=fields, transient=transient)
    return Verdict("failed", failure)


def _message(answer: Answer) -> str:
    """The server's own words, '' where it has none but a page."""
    said = message_of(answer.value) if answer.is_json else answer.text.strip()
    is_page = not answer.is_json and (HTML.match(said) or len(said) > 1000)
    return "" if is_page else _said(answer, said)


def _said(answer: Answer, words: str) -> str:
    """What counts of the words; StableToolBench puts its own before those that it relays."""
    return words if answer.relayed else leading(words)
