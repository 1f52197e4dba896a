"""404: the endpoint is gone, or what was named does not exist.

It is `drift` (the endpoint is gone) unless the body speaks of a resource: a message that names what
was not found and no endpoint, route or page, or any not-found message where the path itself carries
an argument (then the argument may be what does not exist). The latter is `empty`, and the request's
fault: what was planned is wrong. A bare router default stays drift, which may be the request's
fault where an argument stands in the path.
"""

import re

from gretel.contracts.tool import HttpBinding
from gretel.contracts.trial import Failure, Fault
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.blame import blamed, in_path, unknown
from gretel.sandbox.answers.called import Called, failed, server_words
from gretel.sandbox.answers.verdict import Verdict, empty, short
from gretel.sandbox.answers.words.kinds import kind_of
from gretel.sandbox.answers.words.nothing import is_nothing_found
from gretel.sandbox.answers.words.phrases import ENDPOINT, ROUTER

_ROUTER_DEFAULT = re.compile(r"not found|http 404.*|404.*|", re.I)


def not_found(call: Called, prefix: str = "HTTP 404") -> Verdict:
    """404: a resource that does not exist, or an endpoint that is gone."""
    answer, message = call.answer, server_words(call.answer)
    filled = in_path(call.tool, call.arguments)
    fields = () if is_bare(message) else blamed(message, call.tool, call.arguments)
    if message and not speaks_of_endpoint(message, by_name=bool(fields)):
        if fields or (not is_bare(message) and is_nothing_found(message)):
            return _unknown(prefix, call, fields or filled, message)
        # Where the path of a tool is not known, any argument may stand in it.
        may_be_value = filled or (call.arguments and not isinstance(call.tool.binding, HttpBinding))
        if answer.is_json and may_be_value and not _is_router_default(answer):
            return _unknown(prefix, call, filled, message)
    elif answer.is_json and not message and filled and not _is_router_default(answer):
        return _unknown(prefix, call, filled, "not found")
    if not filled or ROUTER.search(message):
        return failed("drift", prefix, call, message)
    said = f"{prefix}: the endpoint is gone, or it {unknown(filled, call.arguments)}"
    return Verdict("failed", Failure(kind="drift", detail=said, fault="request", fields=filled))


def _unknown(prefix: str, call: Called, fields: tuple[str, ...], message: str) -> Verdict:
    """Nothing is there under what was named."""
    words = short(message) or "not found"
    who = f"{unknown(fields, call.arguments)}: " if fields else ""
    fault: Fault = "request" if call.arguments else "tool"
    return empty(f"{prefix}: {who}{words}", fault=fault, fields=fields)


def speaks_of_endpoint(message: str, *, by_name: bool) -> bool:
    """Whether the words of a 404 are a router's.

    `by_name`: they name an argument, which may be a page, a service or a version.
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


def is_bare(message: str) -> bool:
    """Whether the words of a 404 say no more than that."""
    return bool(_ROUTER_DEFAULT.fullmatch(message.strip(" .!")))
