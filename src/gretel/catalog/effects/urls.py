"""Verbs of the URL that a call is sent to: of its server, its path and its query."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from urllib.parse import parse_qsl

from gretel.catalog.effects.chosen import plain_texts, written_in
from gretel.catalog.effects.english import is_verb, tells_of_answers
from gretel.catalog.effects.paths import TEMPLATE, segments_of, segments_to_end, with_places
from gretel.catalog.effects.unread import RESOURCES, unread_in_name, unread_path
from gretel.catalog.effects.values.argument_verbs import verb_of_choice, verb_of_value
from gretel.catalog.effects.values.joined import is_taken_apart
from gretel.catalog.effects.verb_lists import DRASTIC, VERB_OBJECTS, VERBS
from gretel.catalog.effects.verbs import bare, explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, Tool
from gretel.text.confusables import skeleton
from gretel.text.words import word_set

_SERVER = re.compile(r"^[a-z][a-z0-9+.-]*://([^/?#]*)", re.I)
_SHORT = word_set("chmod chown clear cp del drop exec flush kill mkdir mv rm rmdir")
"""Segments that are verbs where they stand alone."""
_LONGEST = 16_000
"""Characters of a filled path; no longer one is sent, and its template may repeat a place."""
_UNREAD = "unread"
_PIECES = 12
"""Segments that one verb may be split into."""
_LAST = (1, 2)
"""How many values at a path's end are looked at by themselves: its verb, a format behind it."""
_NOUNS_BEFORE = RESOURCES | word_set("build compose connect delay digest invite lead mount")
"""Verbs that a part of a path in front of a value is often called by: `/mount/{id}`."""
_ISSUING = word_set("authorize exchange grant issue")
_TOKENS = word_set("auth connect oauth oidc openid sso token tokens")
"""What a path is about that issues tokens, and its verbs: `/oauth/authorize`."""


def path_of(binding: HttpBinding) -> str:
    """The path's template, without the query that the document wrote behind it."""
    return binding.path.partition("#")[0].partition("?")[0]


def whole_path_of(binding: HttpBinding) -> str:
    """The path of the server and the operation, as one template: what is sent ends in either."""
    _, base = _host_and_base(binding)
    return _joined(base, path_of(binding))


def _host_and_base(binding: HttpBinding) -> tuple[str, str]:
    """The server's host, empty where it names none, and the path below which its operations are."""
    server = next(iter(binding.servers), "")
    named = _SERVER.match(server)
    return (named[1], server[named.end() :]) if named else ("", server)


def _joined(base: str, path: str) -> str:
    return f"{base.rstrip('/')}/{path.lstrip('/')}"


def verb_of_target(target: str) -> str | None:
    """The verb by which the path and query of a token's issuer say that more is changed there."""
    path, _, query = target.partition("?")
    verb = _verb_of_route(path)
    if verb in _ISSUING and any(_TOKENS.intersection(words_of(part)) for part in path.split("/")):
        verb = None
    return verb or verb_of_url_query(query)


def verb_of_url_query(query: str) -> str | None:
    """The verb of a query that the document wrote out."""
    fixed = parse_qsl(query, keep_blank_values=True)
    if ";" in query:  # parts pairs at some servers
        fixed += parse_qsl(query, keep_blank_values=True, separator=";")
    turned = ((name, value or "1") for name, value in fixed)  # `?logout`
    verbs = (verb_of_value(*pair) or verb_of_choice(*pair, forced=True) for pair in turned)
    routes = (_verb_of_route(name) for name, value in fixed if "/" in name and not value)
    ends = (unread_path(value) for _, value in fixed if "/" in value)  # `?r=posts/hide`
    return next(filter(None, (*verbs, *routes, *ends)), None)


def verb_of_written_url(binding: HttpBinding) -> str | None:
    """The verb of the server's name and path, and of the operation's path, as they are written."""
    host, _ = _host_and_base(binding)
    verb = _verb_of_path(_filled(whole_path_of(binding), {}))
    return verb or (_verb_of_host(host) if host else None)


def verb_of_url(
    tool: Tool, binding: HttpBinding, sent: JsonObject, said: Collection[str]
) -> str | None:
    """The verb of the operation's path as it is sent, and of routes among its arguments."""
    template = path_of(binding)
    places = {each.wire_name: each for each in tool.parameters if each.location == "path"}
    values = {wire: sent[each.name] for wire, each in places.items() if each.name in sent}
    if _length(template, values) > _LONGEST:
        return _UNREAD
    whole = whole_path_of(binding)
    name = bare(words_of(skeleton(tool.operation))) if tool.external_id else ()
    verb = None
    texts = {wire: _in_path(places[wire], value) for wire, value in values.items()}
    if values and _verb_as_sent(whole, texts, name):
        by_document = {
            wire: texts[wire]
            for wire, value in values.items()
            if places[wire].name not in said or written_in(places[wire], value)
        }
        verb = _verb_as_sent(whole, by_document, name)
    return verb or next(filter(None, map(_verb_of_route, _routes(tool, sent))), None)


def _routes(tool: Tool, sent: JsonObject) -> Iterator[str]:
    """The names in a query that are routes, of arguments or within one: `?/users/delete=`."""
    for each in tool.parameters:
        if each.location == "query" and each.name in sent:
            value = sent[each.name]
            inner = value if isinstance(value, dict) and is_taken_apart(each) else ()
            yield from (name for name in (each.wire_name, *inner) if "/" in name)


def _in_path(parameter: Parameter, value: JsonValue) -> str:
    """The text of a value in a path. A style's sign before it (`.json`, `;x=1`) parts it from what
    stands there as a slash does.
    """
    sign = "/" if parameter.style in ("label", "matrix") else ""
    return sign + (sign or ",").join(plain_texts(value))


def _verb_as_sent(template: str, texts: Mapping[str, str], name: Sequence[str]) -> str | None:
    """The verb of a path with these texts in it, wherever near its end they stand.

    With all of them, and with the last ones alone: a word that is a noun as well is a verb behind
    a place where nothing is filled in.
    """
    filled = [place for place in TEMPLATE.findall(template) if place in texts]
    for given in (texts, *({each: texts[each] for each in filled[-some:]} for some in _LAST)):
        path = with_places(template, given)
        if verb := unread_path(path, name if _is_written_end(template, path) else ()):
            return verb
    return _verb_of_path(_filled(template, texts))


def _is_written_end(template: str, path: str) -> bool:
    """Whether a path ends in what its template ends in, whatever stands in the places."""
    written, segments = segments_to_end(with_places(template)), segments_to_end(path)
    while written and not written[-1]:
        written.pop()
    return len(written) == len(segments) and written[-1:] == segments[-1:]


def _verb_of_route(path: str) -> str | None:
    """The verb of a path that the document wrote out."""
    return _verb_of_path(path) or unread_path(path)


def _verb_of_path(path: str) -> str | None:
    """The verb of a path: of its last segment that is no parameter, or said plainly before it.

    A segment in front counts where it is a verb alone or names the object too: `/delete/{id}`,
    `/delete-user/{id}/confirm`, `/user.delete/{id}`, but not `/create-dates/{id}/list`.
    """
    named = [part for part in segments_to_end(path) if words_of(part)]
    said = (_alone(part) or explicit_verb(words_of(part)) for part in named)
    ends = (*map(verb_of_name, named[-1:]), _verb_behind(named))
    before = (_unread_before(*pair) for pair in pairwise(segments_of(path)))
    return next(filter(None, [*said, *ends, _verb_across(named), *before]), None)


def _verb_across(segments: Sequence[str]) -> str | None:
    """A drastic verb that the slashes of a path split: `/users/de/lete`."""
    for first in range(len(segments)):
        read = ""
        for part in segments[first : first + _PIECES]:
            read += part.lower()
            if read != part.lower() and read in DRASTIC:
                return read
    return None


def _unread_before(segment: str, after: str) -> str | None:
    """The verb that stands before a value: `/annihilate/{id}`, `/expelMember/{id}`."""
    words = [] if after else bare(words_of(segment))
    if _NOUNS_BEFORE.issuperset(words[:1]):
        return None
    if words[1:]:
        return None if words[-1].endswith("s") else unread_in_name(words)
    sure = (word for word in words if is_verb(word) and not tells_of_answers(word))
    return next(sure, None)


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


def _filled(template: str, texts: Mapping[str, str]) -> str:
    """The path with these texts in their places, and nothing in the others."""
    return TEMPLATE.sub(lambda place: texts.get(place[1], ""), template)


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
