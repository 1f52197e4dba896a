"""Which candidate's response provides what another one lacks."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Self, TypeAlias

from gretel.catalog import Catalog
from gretel.catalog.field_names import name_words
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.contracts.trial import MissingField, PlanResult, Refusal, Trial
from gretel.text.foreign import one_line
from gretel.text.words import word_set

_IDENTIFYING = word_set(
    "id identifier uuid guid token key code slug handle sku hash reference ref symbol iata icao "
    "isbn number"
)
_PUBLIC = word_set("code symbol iata icao isbn sku")
"""Codes that mean the same at every provider; an id or a token is good only at its own."""
_EMPTY_WORDS = word_set(
    "get list search find by the of all for a an api v1 v2 retrieve fetch lookup look up detail "
    "info data show query"
)
_DEPTH, _MOST = 8, 2_000
"""How deep a response is read, and how many of its fields."""
_KEYWORDS = ("properties", "items", "anyOf", "oneOf", "allOf", "additionalProperties")
_FIELDS = 100
"""Missing fields of a refusal that are looked for."""
_NAMED = 5
"""Providers of a field that are named, and fields of which the detail of a refusal tells: names are
a document's, and may be long."""
_Path: TypeAlias = tuple[str, ...]


class _Offer(NamedTuple):
    """A tool, and what its response carries, its words read once: each may be of thousands."""

    tool: Tool
    owner: Owner
    subject: frozenset[str]
    """What it is about, by its operation's name."""
    needs: frozenset[_Path]
    """Words of what it asks for itself: that cannot come from it."""
    fields: frozenset[_Path]
    """Words of the fields."""
    around: Mapping[str, frozenset[frozenset[str]]]
    """Of fields of one word: the words of what they stand in, and the subject."""

    @classmethod
    def of(cls, tool: Tool) -> Self:
        """What `tool` offers."""
        subject = frozenset(_words(tool.operation)) - _EMPTY_WORDS
        found = [[*map(_words, path)] for path in islice(_offers(tool), _MOST)]
        around: dict[str, set[frozenset[str]]] = defaultdict(set)
        for *outer, own in found:
            if len(own) == 1:
                around[own[0]].add(subject.union(*outer))
        needs = frozenset(_words(each.name) for each in tool.parameters if each.required)
        kept = {word: frozenset(sets) for word, sets in around.items()}
        return cls(tool, owner_of(tool), subject, needs, frozenset(own for *_, own in found), kept)


def link_providers(trials: Sequence[Trial], catalog: Catalog) -> list[Trial]:
    """The trials in their order; a refusal learns which other tools provide its missing fields.

    A field that identifies something (an id, a token, a code) is provided by a tool whose response
    carries it under the same name, or as the plain `id` of the thing that the tool is about. Ids
    count within one toolkit of one owner only, public codes across toolkits. Where each missing
    field is provided, the refusal's reason becomes `needs_other_tool`. The order of `trials`
    changes nothing but the order of the answer.
    """
    tools = [catalog[trial.tool_id] for trial in trials]
    offers = [*map(_Offer.of, tools)]
    plans = [_linked(trial.plan, own, offers) for trial, own in zip(trials, offers, strict=True)]
    return [
        trial.model_copy(update={"plan": plan}) for trial, plan in zip(trials, plans, strict=True)
    ]


def _linked(plan: PlanResult, own: _Offer, offers: Sequence[_Offer]) -> PlanResult:
    if not isinstance(plan, Refusal) or plan.reason != "missing_required":
        return plan
    looked_for = (_with_providers(field, own, offers) for field in plan.missing[:_FIELDS])
    fields = (*looked_for, *plan.missing[_FIELDS:])
    if fields == plan.missing:
        return plan
    update: dict[str, object] = {"missing": fields}
    if all(field.provided_by for field in fields):
        told = (f"{f.name} comes from {', '.join(f.provided_by)}" for f in fields[:_NAMED])
        update |= {"reason": "needs_other_tool", "detail": one_line("; ".join(told))}
    return plan.model_copy(update=update)


def _with_providers(field: MissingField, own: _Offer, offers: Sequence[_Offer]) -> MissingField:
    words = _words(field.name.rsplit(".", 1)[-1])
    if not words or not _IDENTIFYING & set(words[-1:]):
        return field
    is_public = words[-1] in _PUBLIC and len(words) > 1
    found = sorted(
        (offer.owner != own.owner, offer.tool.tool_id)
        for offer in offers
        if offer.tool.tool_id != own.tool.tool_id
        and (is_public or offer.owner == own.owner)
        and words not in offer.needs
        and _provides(offer, words, own)
    )
    named = tuple(tool_id for _, tool_id in found[:_NAMED])
    return field.model_copy(update={"provided_by": named}) if found else field


def _words(name: str) -> _Path:
    """`userIds` → ("user", "id"): lower case, singular."""
    return tuple("id" if word == "ids" else word for word in name_words(name))


def _provides(offer: _Offer, words: _Path, own: _Offer) -> bool:
    if words in offer.fields and len(words) > 1:
        return True
    around = offer.around.get(words[-1], frozenset())
    if words[:-1]:
        return any(each.issuperset(words[:-1]) for each in around)
    return any(not each.isdisjoint(own.subject) for each in around)


def _offers(tool: Tool) -> Iterator[_Path]:
    """Paths of the fields that a tool's response carries, by its schema and its example."""
    yield from _schema_paths(tool.response.json_schema, (), 0)
    yield from _example_paths(tool.response.example, (), 0)


def _schema_paths(schema: JsonValue, path: _Path, depth: int) -> Iterator[_Path]:
    if depth > _DEPTH:
        return
    if isinstance(schema, list):
        for branch in schema:
            yield from _schema_paths(branch, path, depth + 1)
        return
    if not isinstance(schema, dict):
        return
    for keyword in _KEYWORDS:
        inner = schema.get(keyword)
        if keyword != "properties":
            yield from _schema_paths(inner, path, depth + 1)
        elif isinstance(inner, dict):
            for name, value in inner.items():
                yield (*path, name)
                yield from _schema_paths(value, (*path, name), depth + 1)


def _example_paths(example: JsonValue, path: _Path, depth: int) -> Iterator[_Path]:
    if depth > _DEPTH:
        return
    if isinstance(example, list):
        for item in example[:3]:
            yield from _example_paths(item, path, depth + 1)
    elif isinstance(example, dict):
        for name, value in example.items():
            yield (*path, name)
            yield from _example_paths(value, (*path, name), depth + 1)
