"""Whether a call may have side effects: by its method, and by what its document says.

GET promises to change nothing (RFC 9110, 9.2.1), and `GET /users/delete?id=7` breaks the promise.
What is read here is the operation's document: the verb of its name, of its path, of its
description's sentences, of an action in its query or arguments. It only ever narrows what is
tried. Of an operation that hides what it does it says nothing: there only the user's list helps.
"""

import re
from typing import Literal, TypeAlias
from urllib.parse import parse_qsl, unquote

from gretel.catalog.effects.argument_verbs import verb_of_value
from gretel.catalog.effects.sentences import verb_of_text
from gretel.catalog.effects.verb_lists import DRASTIC, READING, VERBS
from gretel.catalog.effects.verbs import explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, McpBinding, Tool, VirtualBinding
from gretel.text.confusables import skeleton

Effect: TypeAlias = Literal["changes", "reads", "unknown"]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, 9.2.1), TRACE left out."""

_ENDING = re.compile(r"\.(?:php|json|xml|aspx?|jsp|do|html?|cgi)$", re.I)
_TEMPLATE = re.compile(r"\{[^{}]*\}")
_SERVER = re.compile(r"^[a-z][a-z0-9+.-]*://[^/?#]*", re.I)
_SHORT = frozenset({"del", "rm"})
"""Segments that are verbs where they stand alone."""
_DECODED = 4
"""Rounds of percent-decoding of a path; nothing honest needs more."""


def method_of(tool: Tool) -> str | None:
    """HTTP method of the API behind `tool`, in upper case; None where it is not called over HTTP.

    Behind a StableToolBench server it is the method of the API that the server calls.
    """
    binding = tool.binding
    return binding.method.upper() if isinstance(binding, HttpBinding | VirtualBinding) else None


def may_change(tool: Tool, values: JsonObject | None = None) -> str | None:
    """Why a call of `tool` with `values` may change something; None where nothing says so.

    Only a call over HTTP can be known to be safe, by its method. Behind the StableToolBench
    protocol the method alone counts: those names are titles, and the server is the user's own.
    """
    method = method_of(tool)
    if method is None:
        return "A call may change something"
    if method not in SAFE_METHODS:
        return f"{method} may change something"
    if not isinstance(tool.binding, HttpBinding):
        return None
    verb = _change_verb(tool, tool.binding)
    if verb:
        return f"This {method} says of itself that it changes something ({verb!r})"
    argument = _change_argument(tool, values or {})
    return f"With this {argument!r}, {method} may change something" if argument else None


def _change_verb(tool: Tool, binding: HttpBinding) -> str | None:
    """The verb by which the operation says that a call changes something."""
    path, _, query = binding.path.partition("#")[0].partition("?")
    base = _SERVER.sub("", binding.servers[0]) if binding.servers else ""
    fixed = parse_qsl(query, keep_blank_values=True)
    return (
        verb_of_name(skeleton(tool.operation))
        or _verb_of_path(f"{base}/{path}")
        or verb_of_text(tool.description)
        or next(filter(None, (verb_of_value(*pair) for pair in fixed)), None)
    )


def _change_argument(tool: Tool, values: JsonObject) -> str | None:
    """The argument that turns a call into one that changes something."""
    sent = {parameter.name: parameter.wire_name for parameter in tool.parameters}
    changing = (name for name in values if verb_of_value(sent.get(name, name), values[name]))
    return next(changing, None)


def _verb_of_path(path: str) -> str | None:
    """The verb of a path: of its last segment that is no parameter, or said plainly before it.

    A segment in front counts where it is a verb alone or names the object too: `/delete/{id}`,
    `/delete-user/{id}/confirm`, `/user.delete/{id}`, but not `/create-dates/{id}/list`.
    """
    for _ in range(_DECODED):
        path = unquote(path)
    segments = [_ENDING.sub("", part) for part in skeleton(_TEMPLATE.sub("", path)).split("/")]
    named = [part for part in segments if words_of(part)]
    said = (_alone(part) or explicit_verb(words_of(part)) for part in named)
    return next(filter(None, [*said, *map(verb_of_name, named[-1:])]), None)


def _alone(segment: str) -> str | None:
    """The verb that a segment is, or that is a part of it by itself: `delete`, `user.delete`."""
    parts = re.split(r"[.:#;,|+=\s]", segment.lower())
    drastic = (part for part in parts if part in DRASTIC)
    return parts[-1] if parts[-1] in VERBS or segment.lower() in _SHORT else next(drastic, None)


def effect_of(tool: Tool) -> Effect:
    """What an operation does as far as its document says: by its method, else by its name.

    Where the name of an MCP tool says nothing, its server's hint does.
    """
    if method_of(tool) is not None:
        return "changes" if may_change(tool) else "reads"
    if verb_of_name(skeleton(tool.operation)):
        return "changes"
    first = next(iter(words_of(tool.operation)), "")
    hinted = isinstance(tool.binding, McpBinding) and tool.binding.read_only
    return "reads" if hinted or first in READING else "unknown"
