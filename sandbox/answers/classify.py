"""What an answer means: one table of HTTP statuses, and the reading of bodies that say 200.

A status that the document describes as an answer of the operation is its success: a redirect that
is its purpose, 204, a 401 of what tells whether one is logged in.

404 needs care, for it has two meanings: `not_found.py`.

An error in a body that came with a success is of the status that the body gives, else of the kind
that its words tell, else `error_in_body`: a tool that is merely out of quota must not look like one
that answers nonsense. A relay may give every answer as a success.
"""

import re
from collections.abc import Collection

from gretel.catalog.effects.changes import SAFE_METHODS
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import FailureKind, Fault
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.blame import blamed, unknown
from gretel.sandbox.answers.called import Called, failed, leading_words, or_lacking, server_words
from gretel.sandbox.answers.complaints import is_complaint
from gretel.sandbox.answers.content import complaint, may_be_errors
from gretel.sandbox.answers.emptiness import asked_of, holds_number, is_empty
from gretel.sandbox.answers.headed import told_in_head
from gretel.sandbox.answers.listing import is_bare_list, lists_things, says_none, tells_of_none
from gretel.sandbox.answers.not_found import is_bare, not_found, speaks_of_endpoint
from gretel.sandbox.answers.subject import gives_status, promises_nothing, tells_health
from gretel.sandbox.answers.verdict import NONE, SUCCEEDED, Verdict, empty, protocol, short
from gretel.sandbox.answers.web_page import by_page
from gretel.sandbox.answers.words.kinds import kind_of, kind_of_error
from gretel.sandbox.answers.words.messages import message_of
from gretel.sandbox.answers.words.nothing import is_empty_document, is_nothing, is_nothing_found
from gretel.sandbox.answers.words.phrases import CUT_ERROR, ERROR_XML, HTML, REDIRECTS
from gretel.sandbox.answers.words.statuses import (
    kind_of_status,
    refused_within,
    stated_in_object,
    stated_in_words,
    status_line,
)
from gretel.text.foreign import words_of

_SPOKEN: dict[int, frozenset[FailureKind]] = {
    400: frozenset({"auth", "rate_limit"}),
    403: frozenset({"rate_limit", "drift", "auth"}),
}
"""Kinds that the message of a status may put in the place of the status's own."""

_COUNTING = re.compile(r"(?<!ac)(?<!dis)count(?!r|y|ies)", re.I)
_NUMBER_OF = re.compile(
    r"\W*(?:(?:get|return|give)s? )?(?:the )?(?:total )?(?:number|count) of\b", re.I
)
_ABOUT_ERRORS = re.compile(r"(?<![a-z])errors?(?![a-z])", re.I)
"""Names of operations whose answers may be a zero, or errors that were asked for."""

_JUDGED = 20_000
"""Characters of a text that is all error which are judged: nobody else runs meanwhile."""
_NO_DATA = "The answer holds no data."


def classify(
    answer: Answer, tool: Tool, arguments: JsonObject, named: Collection[str] | None = None
) -> Verdict:
    """What `answer` says by itself of a call of `tool` with `arguments`.

    Whether it answers something else is left open: `judge.py`. `named` are the arguments whose
    values somebody named; None: any may be.
    """
    call = Called(answer, tool, arguments, named)
    return or_lacking(call, _classified(call))


def _classified(call: Called) -> Verdict:
    answer = call.answer
    if answer.outer_error:
        return _relayed(call, answer.outer_error)
    if _is_own_status(call):
        return SUCCEEDED
    if answer.status == 404:
        return not_found(call)
    if 200 <= answer.status < 300:
        return _by_content(call)
    inner = refused_within(server_words(answer)) if answer.status >= 500 else None
    return (
        _by_stated(call, inner, f"HTTP {answer.status}, which says") if inner else _by_status(call)
    )


def _is_own_status(call: Called) -> bool:
    """Whether the status is the answer: documented as one, or asked for."""
    status = call.answer.status
    if status in call.tool.response.statuses and not 200 <= status < 300:
        return True
    if 300 <= status < 400 and REDIRECTS.search(call.tool.response.description):
        return True
    asked = (name for name, value in call.arguments.items() if str(value) == str(status))
    return any(gives_status(call.tool, name) for name in asked)


def _by_status(call: Called, prefix: str = "") -> Verdict:
    """A status that is no success."""
    status = call.answer.status
    own = kind_of_status(status)
    redirect = 300 <= status < 400
    message = "it redirects, which is not followed" if redirect else server_words(call.answer)
    spoken = kind_of(message) if status in _SPOKEN else None
    kind = spoken if spoken and spoken in _SPOKEN[status] else own
    return failed(kind, prefix or f"HTTP {status}", call, message)


def _by_content(call: Called) -> Verdict:
    """A success by status, judged by what it says."""
    answer = call.answer
    if answer.method == "HEAD":
        return SUCCEEDED
    if answer.status in {204, 205} or not answer.text.strip():
        return _by_no_content(call)
    if answer.is_json:
        return _by_json(call)
    return _by_text(call)


def _by_no_content(call: Called) -> Verdict:
    """A success without a body: all that is to say of a change, of a server that is well, and
    where the document has it so.
    """
    answer, tool, binding = call.answer, call.tool, call.tool.binding
    no_content = answer.status in {204, 205}
    if isinstance(binding, HttpBinding) and binding.method.upper() not in SAFE_METHODS:
        as_said = no_content or tool.response.json_schema is None
    else:
        as_said = no_content and answer.status in tool.response.statuses
    if as_said or tells_health(tool):
        return SUCCEEDED
    return empty("The answer has no content.", fields=call.narrowing)


def _by_json(call: Called) -> Verdict:
    """A JSON answer: an error in disguise, empty, or usable."""
    answer, tool = call.answer, call.tool
    asked = _ABOUT_ERRORS.search(tool.operation) and may_be_errors(answer.value)
    spoken = None if asked else complaint(answer.value)
    spoken = spoken and leading_words(answer, spoken)
    if spoken is not None:
        return _by_words(call, spoken)
    if isinstance(answer.value, str) and is_nothing_found(answer.value):
        return _nothing(call, answer.value)
    counts = _COUNTING.search(tool.operation) or _NUMBER_OF.match(tool.description)
    is_hollow = is_empty(answer.value, asked_of(tool, call.arguments))
    if is_hollow and not (counts and holds_number(answer.value)):
        if promises_nothing(tool):
            return SUCCEEDED
        words = message_of(answer.value)
        return _nothing(call, words if is_nothing_found(words) else "")
    return SUCCEEDED


def _nothing(call: Called, words: str = "") -> Verdict:
    """An answer that holds nothing: there are none, or none of what was asked for."""
    if words and speaks_of_endpoint(words, by_name=bool(blamed(words, call.tool, call.arguments))):
        return _by_words(call, words)
    listing = words and (lists_things(call.tool) or tells_of_none(words, call.tool))
    says_so = listing or says_none(call.answer.value, call.tool)
    if says_so and not call.narrowing:
        return NONE
    found = _nothing_found(call, words) if words else empty(_NO_DATA, fields=call.narrowing)
    listed = call.answer.is_json and is_bare_list(call.answer.value)
    return found._replace(says_none=listed and bool(call.narrowing))


def _nothing_found(call: Called, words: str, fault: Fault = "tool") -> Verdict:
    """An answer whose words say that nothing was found, or that what was named is not known."""
    named = blamed(words, call.tool, call.arguments)
    if named:
        return empty(f"It {unknown(named, call.arguments)}: {short(words)}", "request", named)
    return empty(short(words), fault, call.narrowing)


def _by_text(call: Called) -> Verdict:
    """An answer that is no JSON: cut or broken, a web page, or text.

    Text, CSV or an image where the document says JSON is a quirk: frameworks say JSON of every
    answer whose form they are not told. Only what calls itself JSON has to be it.
    """
    answer = call.answer
    text = answer.text.strip()
    if answer.is_media:
        return SUCCEEDED
    if HTML.match(text):
        return by_page(call)
    is_status = answer.relayed and status_line(text)
    if is_nothing(text) or (is_nothing_found(text) and not is_status):
        return _nothing(call, "" if is_nothing(text) else text)
    if not answer.declares_json and is_empty_document(text, answer.content_type):
        return _nothing(call)
    if ERROR_XML.match(text) or CUT_ERROR.match(text) or is_complaint(text):
        return _by_words(call, words_of(text, _JUDGED))
    if told := told_in_head(call, text):
        return or_lacking(call._replace(answer=answer._replace(text=told)), _by_words(call, told))
    if answer.declares_json and not (tells_health(call.tool) or answer.is_json_lines):
        return protocol(answer.json_error or "JSON was declared, and text came.")
    return SUCCEEDED


def _by_words(call: Called, words: str) -> Verdict:
    """An error that only the body tells of."""
    answer = call.answer
    lost_404 = answer.relayed and is_bare(words)
    fields = () if lost_404 else blamed(words, call.tool, call.arguments)
    of_endpoint = lost_404 or speaks_of_endpoint(words, by_name=bool(fields))
    is_lost = is_nothing_found(words)
    if is_lost and not of_endpoint:
        return _nothing_found(call, words, fault="request" if call.narrowing else "tool")
    status = stated_in_object(answer.value) or stated_in_words(words)
    prefix = "The server reports" if answer.relayed else f"HTTP {answer.status}"
    if status is None:
        unsaid: FailureKind = "drift" if is_lost else "error_in_body"
        return failed(kind_of_error(words) or unsaid, prefix, call, words)
    return _by_stated(call, status, prefix if answer.relayed else f"{prefix}, which says")


def _by_stated(call: Called, status: int, prefix: str) -> Verdict:
    """A failure by the status that its body gives."""
    lost = call._replace(answer=call.answer._replace(status=status))
    stated = f"{prefix} {status}"
    return not_found(lost, stated) if status == 404 else _by_status(lost, stated)


def _relayed(call: Called, spoken: str) -> Verdict:
    """An error that a relay put beside the response; one that is surmised leaves it to that."""
    has_text = bool(call.answer.text.strip())
    if call.answer.is_surmised:
        inner = _by_content(call)
        if inner.status != "empty" or has_text:
            return inner
    if not has_text:
        # The fields are named there, if at all.
        call = call._replace(answer=call.answer._replace(text=spoken, is_json=False))
    return failed(kind_of(spoken) or "error_in_body", "The server reports", call, spoken)
