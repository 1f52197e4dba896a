"""Whether a call may have side effects: by its method, and by what its document says.

GET promises to change nothing (RFC 9110, 9.2.1), and `GET /users/delete?id=7` breaks the promise.
What is read here is the operation's document: the verb of its name, of its path, of its
description's sentences, of an action in its query or arguments. It only ever narrows what is
tried. Of an operation that hides what it does it says nothing: there only the user's list helps.
"""

from collections.abc import Collection
from itertools import dropwhile
from typing import Literal, TypeAlias

from gretel.catalog.effects.descriptions.sentences import verb_of_text
from gretel.catalog.effects.descriptions.told import verb_of_answer, verb_of_call
from gretel.catalog.effects.foreign_names import verb_in_foreign_name
from gretel.catalog.effects.named import verb_of_whole
from gretel.catalog.effects.paths import TEMPLATE
from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.sent import change_argument, defaults_of
from gretel.catalog.effects.unread import unread_verb
from gretel.catalog.effects.urls import (
    verb_of_url,
    verb_of_url_query,
    verb_of_written_url,
    whole_path_of,
)
from gretel.catalog.effects.verb_lists import DRASTIC
from gretel.catalog.effects.verbs import ALL_THINGS, bare, explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, McpBinding, Tool, VirtualBinding
from gretel.text.confusables import skeleton
from gretel.text.remembering import remembered_by_identity

Effect: TypeAlias = Literal["changes", "reads", "unknown"]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, 9.2.1), TRACE left out."""


def method_of(tool: Tool) -> str | None:
    """HTTP method of the API behind `tool`, in upper case; None where it is not called over HTTP.

    Behind a relay it is the method of the API that the relay calls.
    """
    binding = tool.binding
    return binding.method.upper() if isinstance(binding, HttpBinding | VirtualBinding) else None


def may_change(
    tool: Tool,
    values: JsonObject | None = None,
    said: Collection[str] = (),
    *,
    trusted: bool = False,
) -> str | None:
    """Why a call of `tool` with `values` may change something; None where nothing says so.

    A call over HTTP can be known to be safe by its method, one of an MCP server by what a server
    that the user trusts says of it, no other. Behind a relay names are titles, and the server is
    the user's own: beside the method only a drastic verb counts there ("Delete user").

    Args:
        tool: what is called.
        values: its arguments; a default counts where one is left out, as it does for the server.
        said: the arguments whose values the person said. What stands in a path by their word
            alone is looked up, and says nothing of the call.
        trusted: whether the user trusts the MCP server that the tool is of.
    """
    sent = defaults_of(tool) | (values or {})
    if trusted and isinstance(tool.binding, McpBinding):
        return _change_at_trusted(tool, tool.binding, sent, said)
    method = method_of(tool)
    if method is None:
        return "A call may change something"
    if method not in SAFE_METHODS:
        return f"{method} may change something"
    binding = tool.binding
    verb = _verb_of_document(tool)
    if not verb and isinstance(binding, HttpBinding):
        verb = verb_of_url(tool, binding, sent, said)
    if verb:
        return f"This {method} says that it changes something ({verb!r})"
    if not isinstance(binding, HttpBinding):
        return None
    argument = change_argument(tool, sent, said)
    return f"With this {argument!r}, {method} may change something" if argument else None


def _change_at_trusted(
    tool: Tool, binding: McpBinding, sent: JsonObject, said: Collection[str]
) -> str | None:
    """Why a call of a trusted MCP server's tool may change something.

    Where the server hints that it only reads, its name and arguments can still say otherwise; where
    it hints nothing, the name must say that it reads, and nothing may say that it changes anything.
    """
    if binding.read_only is False:
        return "Its server hints that a call may change something"
    name = skeleton(tool.operation)
    verb = verb_of_name(name) or verb_in_foreign_name(tool.operation)
    if binding.read_only is None:
        verb = verb or verb_of_text(tool.description) or unread_verb(name, "", declared=True)
        verb = verb or _verb_of_answer(tool)
        if not verb and effect_of(tool) != "reads" and not reads_for_its_toolkit(tool):
            return "Neither a hint of its server nor its name says that a call only reads"
    if verb:
        return f"This tool says that it changes something ({verb!r})"
    argument = change_argument(tool, sent, said)
    return f"With this {argument!r}, a call may change something" if argument else None


@remembered_by_identity(16_384)
def _verb_of_document(tool: Tool) -> str | None:
    """The verb by which an operation says that a call changes something, whatever is sent."""
    binding = tool.binding
    if not isinstance(binding, HttpBinding):
        return _verb_of_title(skeleton(tool.operation))
    return (
        verb_of_name(skeleton(tool.operation))
        or explicit_verb(words_of(skeleton(tool.category)))
        or verb_of_written_url(binding)
        or verb_in_foreign_name(tool.operation)
        or verb_in_foreign_name(TEMPLATE.sub("/", whole_path_of(binding)))
        or verb_of_text(tool.description)
        or verb_of_url_query(binding.path.partition("#")[0].partition("?")[2])
        or _unread(tool, binding)
        or _verb_of_answer(tool)
        or _verb_of_parameters(tool)
        or verb_of_whole(tool, binding)
    )


def _unread(tool: Tool, binding: HttpBinding) -> str | None:
    """The verb of its name or its path's end that is not known to read."""
    path = whole_path_of(binding)
    return unread_verb(skeleton(tool.operation), path, declared=bool(tool.external_id))


def _verb_of_answer(tool: Tool) -> str | None:
    """What the answer of a tool that is not called by a verb of reading says was done."""
    asked = READING.isdisjoint(bare(words_of(tool.operation))[:1])
    return verb_of_answer(skeleton(tool.response.description)) if asked else None


def _verb_of_title(title: str) -> str | None:
    """The drastic verb of a title, but of one that tells of a text: "Remove profanity"."""
    verb = verb_of_name(title)
    of_text = verb == "remove" and ALL_THINGS.isdisjoint(words_of(title))
    return verb if verb in DRASTIC and not of_text else None


def _verb_of_parameters(tool: Tool) -> str | None:
    """The verb that a parameter's description says of the call: "what this call deletes"."""
    said = (verb_of_call(skeleton(each.description)) for each in tool.parameters)
    return next(filter(None, said), None)


def effect_of(tool: Tool) -> Effect:
    """What an operation does as far as its document says: by its method, else by its name.

    Where the name of an MCP tool says nothing, its server's hint does.
    """
    if method_of(tool) is not None:
        return "changes" if may_change(tool) else "reads"
    if verb_of_name(skeleton(tool.operation)) or verb_in_foreign_name(tool.operation):
        return "changes"
    first = next(iter(words_of(tool.operation)), "")
    hinted = isinstance(tool.binding, McpBinding) and tool.binding.read_only
    return "reads" if hinted or first in READING else "unknown"


def reads_for_its_toolkit(tool: Tool) -> bool:
    """Whether a name says "read" behind that of its toolkit: `slack_list_users` of `slack`.

    Looked at where `effect_of` knows nothing; its weights are fitted without.
    """
    own = set(words_of(tool.toolkit)) - READING
    return next(dropwhile(own.__contains__, words_of(tool.operation)), "") in READING
