"""From a mention to the value that a slot's schema wants."""

import datetime as dt
import re

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.matching.moments import to_moment, to_time
from gretel.nodes.plan.mentions.gazetteer import gazetteer
from gretel.nodes.plan.mentions.mention import Amount, Mention, Moment, Place
from gretel.nodes.plan.slots.slot import Slot
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _table in {
    "length": "mm millimeter 0.001 cm centimeter 0.01 m meter metre 1 km kilometer kilometre 1000 "
    "in inch 0.0254 ft foot feet 0.3048 yd yard 0.9144 mile 1609.344",
    "mass": "mg milligram 0.001 g gram 1 kg kilogram 1000 lb pound 453.592 oz ounce 28.3495 "
    "ton tonne 1000000",
    "time": "second sec 1 min minute 60 hour hr 3600 day 86400 week 604800 month 2592000 "
    "year 31536000",
}.items():
    _names: list[str] = []
    for _word in _table.split():
        if _word[0].isdigit():
            _UNITS |= {name: (_dimension, float(_word)) for name in _names}
            _names = []
        else:
            _names.append(_word)


def _unit_of(text: str) -> tuple[str, float] | None:
    word = text.lower()
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s")) or _UNITS.get(word[:-2])


def same_dimension(left: str, right: str) -> bool:
    """Whether one unit can be turned into the other."""
    a, b = _unit_of(left), _unit_of(right)
    return a is not None and b is not None and a[0] == b[0]


def slot_unit(slot: Slot) -> str:
    """The unit that the slot's description or name speaks of; empty where none."""
    for word in re.findall(r"[A-Za-z]+", f"{slot.description} {' '.join(slot.words)}"):
        if len(word) > 3 and _unit_of(word):
            return str(word.lower())
    return ""


def _number(slot: Slot, amount: Amount) -> JsonValue:
    number = amount.number
    source, target = _unit_of(amount.unit), _unit_of(slot_unit(slot))
    if source and target and source[0] == target[0] and source != target:
        number = round(number * source[1] / target[1], 6)
    return _as_number(slot, number)


def _as_number(slot: Slot, number: float) -> JsonValue:
    """A whole number as an integer; None where the slot takes no other."""
    if number == int(number):
        return int(number)
    return None if slot.type == "integer" else number


def _place(slot: Slot, place: Place, text: str) -> JsonValue:
    if slot.kind == "zone":
        return place.timezone or None
    if slot.kind == "airport":
        if slot.enum:
            return next((c for c in (place.metro, place.airport) if c in slot.enum), None)
        said = f"{slot.description} {' '.join(slot.examples)}".lower()
        wants_area = "metropolitan" in said or "city code" in said or "nyc" in said
        return (place.metro if wants_area else "") or place.airport or None
    return _country(slot, place, text) if slot.kind == "country" else text


def _country(slot: Slot, place: Place, text: str) -> JsonValue:
    samples = [sample for sample in (*slot.examples, *map(str, slot.enum)) if sample.isupper()]
    said = slot.description.lower()
    if any(len(sample) == 3 for sample in samples) or "alpha-3" in said or "{3}" in slot.pattern:
        return gazetteer().alpha_3.get(place.country)
    wants_code = "code" in slot.words or re.search(r"\bcodes?\b|iso|alpha-2|two.letter", said)
    if wants_code or any(len(s) == 2 for s in samples) or "{2}" in slot.pattern:
        codes = [sample for sample in slot.examples if len(sample) == 2]  # others are remarks
        lower = bool(codes) and all(code.islower() for code in codes)
        return place.country.lower() if lower else place.country
    return text


def _language(slot: Slot, mention: Mention) -> JsonValue:
    short = [
        sample for sample in slot.examples if re.fullmatch(r"[a-z]{2}(?:[-_][A-Z]{2})?", sample)
    ]
    said = slot.description.lower()
    short = short or [str(member) for member in slot.enum if len(str(member)) == 2]
    coded = "code" in slot.words or re.search(r"\bcodes?\b|iso|bcp.?47", said)
    if short or coded or "{2}" in slot.pattern:
        return str(mention.value)
    return mention.text


def _suits(slot: Slot, text: str) -> bool:
    """Whether a text can be the slot's value: not its own noun, and of the form it asks for."""
    said = slot.description.lower()
    if slot.kind != "query" and set(split_identifier(text)) <= set(split_identifier(slot.name)):
        return text.isnumeric() or not text.isascii()
    if slot.kind == "path":
        is_pattern = {"pattern", "patterns", "glob"} & set(slot.words) or "glob" in said
        return not (text.startswith(("/", "~")) if is_pattern else "*" in text)
    if slot.schema.get("format") == "uuid" and (text.isdecimal() or not _DIGIT.search(text)):
        return False  # services that say UUID may take codes as well (`TILL-1`)
    ticker = "ticker" in slot.words or "ticker" in said or "stock symbol" in said
    coded = bool(slot.examples) and all(map(_is_code, slot.examples))
    return slot.kind != "id" or not (coded or ticker) or _CAPITALS.fullmatch(text) is not None


_COUNTERS = {(word,) for word in word_set("limit count number n num results rows page offset")}
_DIGIT = re.compile(r"\d")
_CAPITALS = re.compile(r"(?=.*[A-Z])[A-Z0-9.:^=/_-]+|.*\d.*")
_LONGEST_CODE = 20
"""Characters of a sample that shows a form. A longer one was made by a machine, and names may do,
too: services that document "Tenant UUID" take `default_tenant`."""


def _is_code(sample: str) -> bool:
    return len(sample) <= _LONGEST_CODE and _CAPITALS.fullmatch(sample) is not None


def _scalar(slot: Slot, mention: Mention, today: dt.date) -> JsonValue:
    value = mention.value
    if not _suits(slot, mention.text) or not _counts_so(slot, mention):
        return None
    if isinstance(value, Moment) and slot.kind in ("date", "time"):
        is_time = slot.kind == "time"
        return to_time(slot, value) if is_time else to_moment(slot, value, mention.text, today)
    if isinstance(value, Moment) and slot.kind == "year":
        return value.date.year if value.date else None
    if isinstance(value, Amount) and slot.type in ("integer", "number"):
        exact = mention.text.isdecimal() and not value.unit  # a float holds 15 digits of an id
        return int(mention.text) if exact else _number(slot, value)
    if isinstance(value, Amount) and slot.kind == "currency":
        return value.currency or None
    if isinstance(value, Amount) and slot.kind == "number" and mention.kind == "money":
        return f"{value.number:g}"
    if isinstance(value, Place):
        return _place(slot, value, mention.text)
    if isinstance(value, tuple) and slot.kind in ("latitude", "longitude"):
        return value[slot.kind == "longitude"]  # type: ignore[return-value]
    if mention.kind == "language" and slot.kind == "language":
        return _language(slot, mention)
    if mention.kind == "currency":
        return str(value)
    if isinstance(value, Amount) and _is_spelled(mention):
        return _number(slot, value)
    return mention.text


def _is_spelled(mention: Mention) -> bool:
    """Whether a number is said in words: "two" may be for a count, but no code is spelled so."""
    return mention.kind == "number" and mention.text[0].isalpha()


def _counts_so(slot: Slot, mention: Mention) -> bool:
    """Whether a slot takes such a number: no id is spelled out, and a month is one of twelve.

    Nor are results counted in money: "up to 18 dollars".
    """
    if isinstance(mention.value, Amount) and mention.value.currency:
        return split_identifier(slot.name)[-1:] not in _COUNTERS
    if slot.name.lower() == "month" and isinstance(mention.value, Amount):
        return mention.text.isdigit() and 1 <= int(mention.text) <= 12
    return slot.kind != "id" or not _is_spelled(mention)


def to_value(slot: Slot, mention: Mention, today: dt.date) -> JsonValue:
    """The mention as the slot's schema wants it; None where it cannot be said so."""
    value = _scalar(slot, mention, today)
    if value is None or isinstance(value, bool):
        return value
    if slot.type == "string":
        return str(value)
    if slot.type in ("integer", "number") and isinstance(value, str):
        try:
            digits = re.sub(r"\D", "", value) if slot.kind == "phone" else value.replace(",", "")
            number = float(digits)
        except ValueError:
            return None
        return _as_number(slot, number)
    return value
