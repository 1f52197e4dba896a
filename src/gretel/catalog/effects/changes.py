"""Whether a call may have side effects: by its method, and by what its document says.

GET promises to change nothing (RFC 9110, 9.2.1), and `GET /users/delete?id=7` breaks the promise.
What is read here is the operation's document: the verb of its name, of its path, of its
description's sentences, of an action in its query or arguments. It only ever narrows what is
tried. Of an operation that hides what it does it says nothing: there only the user's list helps.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import dropwhile
from typing import Literal, TypeAlias
from urllib.parse import parse_qsl

from gretel.catalog.effects.argument_verbs import verb_of_choice, verb_of_value
from gretel.catalog.effects.chosen import plain_texts, written_in
from gretel.catalog.effects.english import (
    base_forms,
    is_verb_before_noun,
    tells_of_answers,
)
from gretel.catalog.effects.paths import segments_of
from gretel.catalog.effects.sent import change_argument, defaults_of
from gretel.catalog.effects.sentences import verb_of_text
from gretel.catalog.effects.told import verb_of_answer
from gretel.catalog.effects.unread import unread_path, unread_verb
from gretel.catalog.effects.verb_lists import DRASTIC, READING, VERB_OBJECTS, VERBS
from gretel.catalog.effects.verbs import bare, explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, McpBinding, Tool, VirtualBinding
from gretel.text.confusables import skeleton
from gretel.text.words import word_set

Effect: TypeAlias = Literal["changes", "reads", "unknown"]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, 9.2.1), TRACE left out."""

_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_SERVER = re.compile(r"^[a-z][a-z0-9+.-]*://([^/?#]*)", re.I)
_SHORT = word_set("chmod chown clear cp del drop exec flush kill mkdir mv rm rmdir")
"""Segments that are verbs where they stand alone."""
_ORDERS = word_set(
    "bet bid call charge deposit dial donation email fax mail message notify order payment payout"
    " post sms trade transfer tweet withdrawal"
)
"""Nouns at the end of a path that are orders where a call says to whom, and what or how much."""
_WHOM = word_set("beneficiary destination payee phone receiver recipient recipients to")
_LISTED = READING - {"get"}
_OF = word_set("at by for from in of")
"""Words behind a noun at the head of a title: "Schedule of a team"."""
_FEW = 2
"""Words of a name that is a verb and what it is done to."""
_WHAT = word_set("amount body content message subject text")


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
    that the user trusts says of it, no other. Behind a relay the method alone counts: the names
    are titles there, and the server is the user's own.

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
    if not isinstance(tool.binding, HttpBinding):
        return None
    verb = _change_verb(tool, tool.binding, sent, said)
    if verb:
        return f"This {method} says of itself that it changes something ({verb!r})"
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
    verb = verb_of_name(name)
    if binding.read_only is None:
        verb = verb or verb_of_text(tool.description) or unread_verb(name, "", declared=True)
        verb = verb or _verb_of_answer(tool)
        if not verb and effect_of(tool) != "reads" and not reads_for_its_toolkit(tool):
            return "Neither a hint of its server nor its name says that a call only reads"
    if verb:
        return f"This tool says of itself that it changes something ({verb!r})"
    argument = change_argument(tool, sent, said)
    return f"With this {argument!r}, a call may change something" if argument else None


def _change_verb(
    tool: Tool, binding: HttpBinding, sent: JsonObject, said: Collection[str]
) -> str | None:
    """The verb by which the operation says that a call changes something."""
    return (
        verb_of_name(skeleton(tool.operation))
        or explicit_verb(words_of(skeleton(tool.category)))
        or _verb_of_url(tool, binding, sent, said)
        or verb_of_text(tool.description)
        or _verb_of_query(binding.path.partition("#")[0].partition("?")[2])
        or _order_of(tool, binding)
        or unread_verb(skeleton(tool.operation), _path(binding), declared=bool(tool.external_id))
        or _verb_of_answer(tool)
        or _only_verb(tool, binding)
    )


def _verb_of_answer(tool: Tool) -> str | None:
    """What the answer of a tool that is not called by a verb of reading says was done."""
    asked = READING.isdisjoint(bare(words_of(tool.operation))[:1])
    return verb_of_answer(skeleton(tool.response.description)) if asked else None


def _only_verb(tool: Tool, binding: HttpBinding) -> str | None:
    """The verb that name, path and title begin with alike: `/poke`, called "Poke"."""
    words = bare(words_of(skeleton(tool.operation)))
    *_, front, last = ("", "", *_path(binding).split("/"))
    place = front if last[:1] == "{" else last
    if len(words) > _FEW or bare(words_of(place)) not in ([], words[:1]):
        return None
    titles = [words_of(each) for each in tool.description.split(".")]
    heads = {form for title in titles for word in title[:1] for form in (word, *base_forms(word))}
    noun = any(_OF.intersection(title[1:2]) for title in (words, *titles))
    if noun or heads.isdisjoint(words[:1]) or any(map(tells_of_answers, heads)):
        return None
    return words[0] if is_verb_before_noun(words[0]) else None


def _path(binding: HttpBinding) -> str:
    """The path's template, without the query that the document wrote behind it."""
    return binding.path.partition("#")[0].partition("?")[0]


def _order_of(tool: Tool, binding: HttpBinding) -> str | None:
    """The noun of a path that is an order by its parameters: `/transfer?to=&amount=`."""
    path = _TEMPLATE.sub("", _path(binding))
    *_, last = [[], *filter(None, map(words_of, skeleton(path).split("/")))]
    if len(last) != 1 or last[0] not in _ORDERS or _LISTED.intersection(words_of(tool.operation)):
        return None
    asked = {word for each in tool.parameters for word in words_of(each.name)}
    return last[0] if asked & _WHOM and asked & _WHAT else None


def verb_of_target(target: str) -> str | None:
    """The verb by which a path with its query says that a request to it changes something."""
    path, _, query = target.partition("?")
    return _verb_of_path(path) or _verb_of_query(query)


def _verb_of_query(query: str) -> str | None:
    """The verb of a query that the document wrote out."""
    fixed = parse_qsl(query, keep_blank_values=True)
    if ";" in query:  # parts pairs at some servers
        fixed += parse_qsl(query, keep_blank_values=True, separator=";")
    turned = ((name, value or "1") for name, value in fixed)  # `?logout`
    verbs = (verb_of_value(*pair) or verb_of_choice(*pair, forced=True) for pair in turned)
    routes = (_verb_of_path(name) for name, value in fixed if "/" in name and not value)
    return next(filter(None, (*verbs, *routes)), None)


def _verb_of_url(
    tool: Tool, binding: HttpBinding, sent: JsonObject, said: Collection[str]
) -> str | None:
    """The verb of the server's name and path, and of the operation's path as it is sent."""
    server = next(iter(binding.servers), "")
    named = _SERVER.match(server)
    base = server[named.end() :] if named else server
    template = _path(binding)
    places = {each.wire_name: each for each in tool.parameters if each.location == "path"}
    values = {wire: sent[each.name] for wire, each in places.items() if each.name in sent}
    verb = _verb_of_path(f"{base}/{_filled(template, {})}")
    if not verb and values and _verb_as_sent(base, template, values):
        by_document = {
            wire: value
            for wire, value in values.items()
            if places[wire].name not in said or written_in(places[wire], value)
        }
        verb = _verb_as_sent(base, template, by_document)
    return verb or (_verb_of_host(named[1]) if named else None)


def _verb_as_sent(base: str, template: str, values: Mapping[str, JsonValue]) -> str | None:
    """The verb of a path with these values in it; of one that ends in a value any verb counts."""
    path = _filled(template, values)
    ending = unread_path(path) if template.endswith("}") else None
    return ending or _verb_of_path(f"{base}/{path}")


def _verb_of_path(path: str) -> str | None:
    """The verb of a path: of its last segment that is no parameter, or said plainly before it.

    A segment in front counts where it is a verb alone or names the object too: `/delete/{id}`,
    `/delete-user/{id}/confirm`, `/user.delete/{id}`, but not `/create-dates/{id}/list`.
    """
    named = [part for part in segments_of(path) if words_of(part)]
    said = (_alone(part) or explicit_verb(words_of(part)) for part in named)
    return next(filter(None, [*said, *map(verb_of_name, named[-1:]), _verb_behind(named)]), None)


def _verb_behind(segments: Sequence[str]) -> str | None:
    """The verb that a path ends with, alone behind what it is done to: `/users/{id}/block`."""
    *_, thing, last = ["", "", *(each for each in segments if not each.isdigit())]
    words = words_of(last)
    if words in (["on"], ["off"]) and thing:
        return words[0]
    objects = VERB_OBJECTS.get(words[0], frozenset()) if len(words) == 1 else frozenset()
    return words[0] if objects.intersection(words_of(thing)[-1:]) else None


def _filled(template: str, values: Mapping[str, JsonValue]) -> str:
    """The path with these values in their places, and nothing in the others."""

    def fill(place: re.Match[str]) -> str:
        return ",".join(plain_texts(values[place[1]])) if place[1] in values else ""

    return _TEMPLATE.sub(fill, template)


def _verb_of_host(host: str) -> str | None:
    """The verb of a server's name, in front of the domain that it belongs to: `delete.api.com`."""
    labels = [words_of(label) for label in skeleton(host.rpartition("@")[2]).split(".")[:-2]]
    verbs = (explicit_verb(words) for words in labels)
    return next(filter(None, verbs), None)


def _alone(segment: str) -> str | None:
    """The verb that a segment is, or that is a part of it by itself: `delete`, `user.delete`."""
    parts = re.split(r"[.:#;,|+=\s]", segment.lower().strip("_"))
    drastic = (part for part in parts if part in DRASTIC)
    alone = parts[-1] in VERBS or segment.lower().strip("_") in _SHORT
    return parts[-1] if alone else next(drastic, None)


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


def reads_for_its_toolkit(tool: Tool) -> bool:
    """Whether a name says "read" behind that of its toolkit: `slack_list_users` of `slack`.

    Looked at where `effect_of` knows nothing; its weights are fitted without.
    """
    own = set(words_of(tool.toolkit)) - READING
    return next(dropwhile(own.__contains__, words_of(tool.operation)), "") in READING
