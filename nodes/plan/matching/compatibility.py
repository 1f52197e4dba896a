"""Which kinds of mention can fill which kinds of slot, and how well."""

from functools import lru_cache

from gretel.nodes.plan.mentions.mention import KINDS, MentionKind
from gretel.nodes.plan.slots.slot import SlotKind

_FREE: dict[MentionKind, float] = {
    "quoted": 1.0, "proper": 0.9, "phrase": 0.7, "city": 0.7, "country": 0.7, "id": 0.6,
    "period": 0.7, "quantity": 0.5, "money": 0.5, "percent": 0.5, "range": 0.6, "number": 0.4,
    "language": 0.6, "year": 0.4, "date": 0.3, "time": 0.3, "hashtag": 0.6, "url": 0.4,
    "email": 0.3, "phone": 0.3, "ip": 0.3, "coordinates": 0.4, "path": 0.8, "zone": 0.5,
    "statement": 0.6,
}  # fmt: skip
_FIT: dict[SlotKind, dict[MentionKind, float]] = {
    "text": _FREE,
    "query": {k: fit for k, fit in _FREE.items() if k not in ("number", "quantity")},
    "name": {**_FREE, "number": 0.1, "date": 0.1, "time": 0.1},
    "id": {
        "id": 1.0, "quoted": 0.9, "number": 0.7, "phone": 0.5, "proper": 0.5, "email": 0.4,
        "hashtag": 0.5, "phrase": 0.3, "path": 0.6, "zone": 0.2, "year": 0.1,
    },
    "number": {"number": 1.0, "money": 0.9, "percent": 0.9, "quantity": 0.9, "year": 0.2},
    "year": {"year": 1.0, "date": 0.5, "number": 0.3},
    "date": {"date": 1.0},
    "time": {"time": 1.0, "date": 0.6},
    "place": {
        "city": 1.0, "quoted": 0.8, "airport": 0.6, "country": 0.8, "proper": 0.8, "phrase": 0.5,
        "coordinates": 0.4, "path": 0.6, "zone": 0.4, "id": 0.2, "phone": 0.3, "email": 0.3,
    },
    "airport": {"airport": 1.0, "city": 0.9, "id": 0.2},
    "country": {"country": 1.0, "quoted": 0.5, "proper": 0.3},
    "currency": {"currency": 1.0, "money": 0.8},
    "language": {"language": 1.0, "quoted": 0.4, "proper": 0.2},
    "latitude": {"coordinates": 1.0, "number": 0.5},
    "longitude": {"coordinates": 1.0, "number": 0.5},
    "coordinates": {"coordinates": 1.0, "city": 0.3, "quoted": 0.4},
    "email": {"email": 1.0},
    "url": {"url": 1.0, "path": 0.8, "quoted": 0.4, "proper": 0.2, "id": 0.2},
    "ip": {"ip": 1.0},
    "phone": {"phone": 1.0, "number": 0.4, "quoted": 0.6, "id": 0.4},
    "path": {"path": 1.0, "quoted": 0.6, "url": 0.3, "id": 0.3},
    "zone": {"zone": 1.0, "city": 0.7, "quoted": 0.5, "proper": 0.3, "id": 0.3},
    "statement": {"statement": 1.0, "quoted": 0.4},
    "enum": {},
    "boolean": {},
}  # fmt: skip
_GROUPS: dict[str, tuple[SlotKind, ...]] = {
    "text": ("text",),
    "query": ("query",),
    "name": ("name",),
    "id": ("id",),
    "number": ("number", "year", "latitude", "longitude", "coordinates"),
    "date": ("date", "time"),
    "place": ("place",),
    "code": ("airport", "country", "currency", "language", "email", "url", "ip", "phone")
    + ("path", "zone", "statement"),
    "closed": ("enum", "boolean"),
}
GROUP_OF = {kind: group for group, kinds in _GROUPS.items() for kind in kinds}
"""Kinds of slot that are scored with the same weights; `closed` ones choose among their own values
and are not scored."""

MEASURED = "number"
"""The group whose slots may ask for a unit."""


@lru_cache(maxsize=256)
def fit_row(kind: SlotKind, numeric: bool) -> tuple[float, ...]:
    """How well each kind of mention (in the order of `KINDS`) suits a slot, in [0, 1].

    0: it cannot be the slot's value. Where the schema asks for a number, only numbers can.
    """
    fits = _FIT[kind]
    if numeric and kind in ("id", "text", "name", "query", "place"):
        fits = {"number": 1.0, "year": 0.3}
    return tuple(fits.get(mention, 0.0) for mention in KINDS)
