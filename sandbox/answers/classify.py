"""What an answer means: one table of HTTP statuses, and the reading of bodies that say 200.

A status that the document describes as an answer of the operation is its success: a redirect that
is its purpose, 204, a 401 of what tells whether one is logged in.

404 needs care, for it has two meanings. It is `drift` (the endpoint is gone) unless the body
speaks of a resource: a message that names what was not found and no endpoint, route or page, or any
not-found message where the path itself carries an argument (then the argument may be what does not
exist). The latter is `empty`, and the request's fault: what was planned is wrong. A bare router
default stays drift, which may be the request's fault where an argument stands in the path.

An error in a body that came with a success is of the status that the body gives, else of the kind
that its words tell, else `error_in_body`: a tool that is merely out of quota must not look like one
that answers nonsense. A StableToolBench server gives every answer as a success.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from gretel.catalog.effects.changes import SAFE_METHODS
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import Failure, FailureKind, Fault
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.blame import blamed, in_path, names_value, unknown
from gretel.sandbox.answers.content import complaint, is_complaint, message_of
from gretel.sandbox.answers.emptiness import is_empty, is_nothing_found
from gretel.sandbox.answers.fields import named_fields
from gretel.sandbox.answers.kinds import kind_of, kind_of_error
from gretel.sandbox.answers.listing import lists_things, narrowing, says_none
from gretel.sandbox.answers.phrases import (
    ENDPOINT,
    ERROR_XML,
    HTML,
    REDIRECTS,
    ROUTER,
    TRANSIENT,
    leading,
    plain_key,
)
from gretel.sandbox.answers.statuses import (
    kind_of_status,
    stated_in_object,
    stated_in_words,
    status_line,
)
from gretel.sandbox.answers.subject import may_be_page, tells_health
from gretel.sandbox.answers.verdict import NONE, SUCCEEDED, Verdict, empty, protocol, short
from gretel.sandbox.answers.web_page import read_page

_SPOKEN: dict[int, frozenset[FailureKind]] = {
    400: frozenset({"auth", "rate_limit"}),
    403: frozenset({"rate_limit", "drift", "auth"}),
}
"""Kinds that the message of a status may put in the place of the status's own."""

_ROUTER_DEFAULT = re.compile(r"not found|http 404.*|404.*|", re.I)
_COUNTING = re.compile(r"(?<!ac)(?<!dis)count(?!r|y|ies)", re.I)
_ABOUT_ERRORS = re.compile(r"(?<![a-z])errors?(?![a-z])", re.I)
"""Names of operations whose answers may be a zero, or hold errors and be none."""
_ASKED_STATUS = re.compile(r"(?:http)?status(?:code)?s?|codes?", re.I)
"""Names of arguments that say under which status to answer."""

_NO_DATA = "The answer holds no data."


class _Called(NamedTuple):
    """A call, as its answer is read."""

    answer: Answer
    tool: Tool
    arguments: JsonObject
    named: Collection[str] | None

    @property
    def narrowing(self) -> tuple[str, ...]:
        """The arguments that narrow it."""
        return narrowing(self.tool, self.arguments, self.named)


def classify(
    answer: Answer, tool: Tool, arguments: JsonObject, named: Collection[str] | None = None
) -> Verdict:
    """What `answer` says by itself of a call of `tool` with `arguments`.

    Whether it answers something else is left open: `judge.py`.

    Args:
        answer: what came back.
        tool: the one that was called.
        arguments: by parameter name.
        named: those whose values somebody named; None: any may be.
    """
    call = _Called(answer, tool, arguments, named)
    if answer.outer_error:
        return _relayed(call, answer.outer_error)
    if _is_own_status(call):
        return SUCCEEDED
    if answer.status == 404:
        return _not_found(call)
    if not 200 <= answer.status < 300:
        return _by_status(call)
    return _by_content(call)


def _is_own_status(call: _Called) -> bool:
    """Whether the status is the answer: documented as one, or asked for."""
    status = call.answer.status
    if status in call.tool.response.statuses and not 200 <= status < 300:
        return True
    if 300 <= status < 400 and REDIRECTS.search(call.tool.response.description):
        return True
    return any(
        str(value) == str(status) and _ASKED_STATUS.fullmatch(plain_key(name))
        for name, value in call.arguments.items()
    )


def _by_status(call: _Called, prefix: str = "") -> Verdict:
    """A status that is no success."""
    status = call.answer.status
    own = kind_of_status(status)
    redirect = 300 <= status < 400
    message = "it redirects, which is not followed" if redirect else _message(call.answer)
    spoken = kind_of(message) if status in _SPOKEN else None
    kind = spoken if spoken and spoken in _SPOKEN[status] else own
    return _failed(kind, prefix or f"HTTP {status}", call, message)


def _not_found(call: _Called, prefix: str = "HTTP 404") -> Verdict:
    """404: a resource that does not exist, or an endpoint that is gone."""
    answer, message = call.answer, _message(call.answer)
    filled = in_path(call.tool, call.arguments)
    fields = () if _is_bare(message) else blamed(message, call.tool, call.arguments)
    if message and not _speaks_of_endpoint(message, by_name=bool(fields)):
        if fields or (not _is_bare(message) and is_nothing_found(message)):
            return _unknown(prefix, call, fields or filled, message)
        may_be_value = filled or (_is_relayed_kind(call.tool) and call.arguments)
        if answer.is_json and may_be_value and not _is_router_default(answer):
            return _unknown(prefix, call, filled, message)
    elif answer.is_json and not message and filled and not _is_router_default(answer):
        return _unknown(prefix, call, filled, "not found")
    if not filled or ROUTER.search(message):
        return _failed("drift", prefix, call, message)
    said = f"{prefix}: the endpoint is gone, or {unknown(filled, call.arguments)}"
    return Verdict("failed", Failure(kind="drift", detail=said, fault="request", fields=filled))


def _unknown(prefix: str, call: _Called, fields: tuple[str, ...], message: str) -> Verdict:
    """Nothing is there under what was named."""
    words = short(message) or "not found"
    who = f"{unknown(fields, call.arguments)}: " if fields else ""
    return empty(f"{prefix}: {who}{words}", fault="request", fields=fields)


def _speaks_of_endpoint(message: str, *, by_name: bool) -> bool:
    """Whether the words of a 404 are a router's.

    Args:
        message: the words.
        by_name: whether they name an argument, which may be a page, a service or a version.
    """
    if ROUTER.search(message) or (kind_of(message) == "drift" and not by_name):
        return True
    return not by_name and bool(ENDPOINT.search(message))


def _is_router_default(answer: Answer) -> bool:
    """Whether a 404 body is what a framework says of a path that it does not know."""
    value = answer.value
    if not isinstance(value, dict) or not value:
        return True
    return value == {"detail": "Not Found"} or {"path", "timestamp", "error"} <= value.keys()


def _is_bare(message: str) -> bool:
    """Whether the words of a 404 say no more than that."""
    return bool(_ROUTER_DEFAULT.fullmatch(message.strip(" .!")))


def _is_relayed_kind(tool: Tool) -> bool:
    """Whether the path of a tool is not known, so that any argument may stand in it."""
    return not isinstance(tool.binding, HttpBinding)


def _by_content(call: _Called) -> Verdict:
    """A success by status, judged by what it says."""
    answer, tool = call.answer, call.tool
    if answer.method == "HEAD":
        return SUCCEEDED
    if answer.status in {204, 205} or not answer.text.strip():
        binding = tool.binding
        changes = isinstance(binding, HttpBinding) and binding.method.upper() not in SAFE_METHODS
        as_said = answer.status in {204, 205} and answer.status in tool.response.statuses
        if changes or as_said or tells_health(tool):
            return SUCCEEDED
        return empty("The answer has no content.", fields=call.narrowing)
    if answer.is_json:
        return _by_json(call)
    return _by_text(call)


def _by_json(call: _Called) -> Verdict:
    """A JSON answer: an error in disguise, empty, or usable."""
    answer, tool = call.answer, call.tool
    spoken = None if _ABOUT_ERRORS.search(tool.operation) else complaint(answer.value)
    spoken = spoken and _said(answer, spoken)
    if spoken is not None:
        return _by_words(call, spoken)
    if isinstance(answer.value, str) and is_nothing_found(answer.value):
        return _nothing(call, answer.value)
    echoes = {plain_key(name): str(value) for name, value in call.arguments.items()}
    is_count = _COUNTING.search(tool.operation) and re.search(r"\d", answer.text)
    if is_empty(answer.value, echoes) and not is_count:
        words = message_of(answer.value)
        return _nothing(call, words if is_nothing_found(words) else "")
    return SUCCEEDED


def _nothing(call: _Called, words: str = "") -> Verdict:
    """An answer that holds nothing: there are none, or none of what was asked for."""
    says_so = says_none(call.answer.value, call.tool) or (words and lists_things(call.tool))
    if says_so and not call.narrowing:
        return NONE
    return _nothing_found(call, words) if words else empty(_NO_DATA, fields=call.narrowing)


def _nothing_found(call: _Called, words: str, fault: Fault = "tool") -> Verdict:
    """An answer whose words say that nothing was found, or that what was named is not known."""
    named = blamed(words, call.tool, call.arguments)
    if named:
        return empty(f"It {unknown(named, call.arguments)}: {short(words)}", "request", named)
    return empty(short(words), fault, call.narrowing)


def _by_text(call: _Called) -> Verdict:
    """An answer that is no JSON: cut or broken, a web page, or text.

    Text, CSV or an image where the document says JSON is a quirk: frameworks say JSON of every
    answer whose form they are not told. Only what calls itself JSON has to be it.
    """
    answer = call.answer
    text = answer.text.strip()
    if answer.is_media:
        return SUCCEEDED
    if HTML.match(text):
        return _by_page(call)
    is_status = answer.relayed and status_line(text)
    if is_nothing_found(text) and not is_status:
        return _nothing(call, text)
    if ERROR_XML.match(text) or is_complaint(text):
        return _by_words(call, text)
    if answer.declares_json and not (tells_health(call.tool) or answer.is_json_lines):
        return protocol(answer.json_error or "JSON was declared, and text came.")
    return SUCCEEDED


def _by_page(call: _Called) -> Verdict:
    """A web page: an error page, one in place of the data that was promised, or an answer."""
    answer, tool = call.answer, call.tool
    promised = tool.response.json_schema is not None or tool.response.example is not None
    page = read_page(answer.text)
    if page.kind and (answer.relayed or not promised):
        return _failed(page.kind, "The server reports", call, page.title)
    if promised or answer.declares_json or (answer.relayed and not may_be_page(tool)):
        return protocol("A web page came instead of data.")
    if page.is_error:
        return _failed("error_in_body", f"HTTP {answer.status}", call, "an error page")
    return SUCCEEDED


def _by_words(call: _Called, words: str) -> Verdict:
    """An error that only the body tells of."""
    answer = call.answer
    lost_404 = answer.relayed and _is_bare(words)
    fields = () if lost_404 else blamed(words, call.tool, call.arguments)
    of_endpoint = lost_404 or _speaks_of_endpoint(words, by_name=bool(fields))
    if is_nothing_found(words) and not of_endpoint:
        return _nothing_found(call, words, fault="request" if call.narrowing else "tool")
    status = stated_in_object(answer.value) or stated_in_words(words)
    prefix = "The server reports" if answer.relayed else f"HTTP {answer.status}"
    if status is None:
        return _failed(kind_of_error(words) or "error_in_body", prefix, call, words)
    lost = call._replace(answer=answer._replace(status=status))
    stated = f"{prefix} {status}" if answer.relayed else f"{prefix}, which says {status}"
    return _not_found(lost, stated) if status == 404 else _by_status(lost, stated)


def _relayed(call: _Called, spoken: str) -> Verdict:
    """An error that a StableToolBench server put beside the response.

    "Message error" only says that the response holds a key `message`, so the response decides.
    """
    has_text = bool(call.answer.text.strip())
    if spoken.lower().startswith("message error"):
        inner = _by_content(call)
        if inner.status != "empty" or has_text:
            return inner
    if not has_text:
        # The fields are named there, if at all.
        call = call._replace(answer=call.answer._replace(text=spoken, is_json=False))
    return _failed(kind_of(spoken) or "error_in_body", "The server reports", call, spoken)


def _failed(kind: FailureKind, prefix: str, call: _Called, message: str) -> Verdict:
    """A failure whose words come from the server."""
    fields = _named_by_value(call, message)
    if fields and kind in ("error_in_body", "permission"):
        kind = "rejected_arguments"  # what was planned is not known there, or not let through
    if kind == "rejected_arguments":
        fields = (
            named_fields(call.tool, call.answer)
            or fields
            or tuple(call.arguments)[:1] * (len(call.arguments) == 1)
        )
    else:
        fields = ()
    fault: Fault = "request" if kind == "rejected_arguments" else "tool"
    words = short(message)
    detail = f"{prefix}: {words}" if words else f"{prefix}."
    unavailable = call.answer.status == 503 or bool(TRANSIENT.search(message))
    transient = kind == "server_error" and unavailable
    failure = Failure(kind=kind, detail=detail, fault=fault, fields=fields, transient=transient)
    return Verdict("failed", failure)


def _named_by_value(call: _Called, message: str) -> tuple[str, ...]:
    """The arguments whose values an error repeats."""
    return tuple(name for name, value in call.arguments.items() if names_value(message, value))


def _message(answer: Answer) -> str:
    """The server's own words, '' where it has none but a page."""
    said = message_of(answer.value) if answer.is_json else answer.text.strip()
    is_page = not answer.is_json and (HTML.match(said) or len(said) > 1000)
    return "" if is_page else _said(answer, said)


def _said(answer: Answer, words: str) -> str:
    """What counts of the words; StableToolBench puts its own before those that it relays."""
    return words if answer.relayed else leading(words)
