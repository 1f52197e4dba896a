"""Verbs of the URL that a call is sent to: of its server, its path and its query."""

import re
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import parse_qsl

from gretel.catalog.effects.chosen import plain_texts, written_in
from gretel.catalog.effects.paths import segments_of
from gretel.catalog.effects.unread import unread_path
from gretel.catalog.effects.values.argument_verbs import verb_of_choice, verb_of_value
from gretel.catalog.effects.verb_lists import DRASTIC, VERB_OBJECTS, VERBS
from gretel.catalog.effects.verbs import explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Tool
from gretel.text.confusables import skeleton
from gretel.text.words import word_set

TEMPLATE = re.compile(r"\{([^{}]*)\}")
_SERVER = re.compile(r"^[a-z][a-z0-9+.-]*://([^/?#]*)", re.I)
_SHORT = word_set("chmod chown clear cp del drop exec flush kill mkdir mv rm rmdir")
"""Segments that are verbs where they stand alone."""
_LONGEST = 16_000
"""Characters of a filled path; no longer one is sent, and its template may repeat a place."""
_UNREAD = "unread"


def path_of(binding: HttpBinding) -> str:
    """The path's template, without the query that the document wrote behind it."""
    return binding.path.partition("#")[0].partition("?")[0]


def verb_of_target(target: str) -> str | None:
    """The verb by which a path with its query says that a request to it changes something."""
    path, _, query = target.partition("?")
    return _verb_of_path(path) or verb_of_url_query(query)


def verb_of_url_query(query: str) -> str | None:
    """The verb of a query that the document wrote out."""
    fixed = parse_qsl(query, keep_blank_values=True)
    if ";" in query:  # parts pairs at some servers
        fixed += parse_qsl(query, keep_blank_values=True, separator=";")
    turned = ((name, value or "1") for name, value in fixed)  # `?logout`
    verbs = (verb_of_value(*pair) or verb_of_choice(*pair, forced=True) for pair in turned)
    routes = (_verb_of_path(name) for name, value in fixed if "/" in name and not value)
    return next(filter(None, (*verbs, *routes)), None)


def verb_of_url(
    tool: Tool, binding: HttpBinding, sent: JsonObject, said: Collection[str]
) -> str | None:
    """The verb of the server's name and path, and of the operation's path as it is sent."""
    server = next(iter(binding.servers), "")
    named = _SERVER.match(server)
    base = server[named.end() :] if named else server
    template = path_of(binding)
    places = {each.wire_name: each for each in tool.parameters if each.location == "path"}
    values = {wire: sent[each.name] for wire, each in places.items() if each.name in sent}
    if _length(template, values) > _LONGEST:
        return _UNREAD
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


def _length(template: str, values: Mapping[str, JsonValue]) -> int:
    """Characters of all values in the places of a path."""
    lengths = {name: sum(map(len, plain_texts(value))) for name, value in values.items()}
    return sum(lengths.get(name, 0) for name in TEMPLATE.findall(template))


def _filled(template: str, values: Mapping[str, JsonValue]) -> str:
    """The path with these values in their places, and nothing in the others."""

    def fill(place: re.Match[str]) -> str:
        return ",".join(plain_texts(values[place[1]])) if place[1] in values else ""

    return TEMPLATE.sub(fill, template)


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
