"""Which kind of value a leaf expects: read off type, format, name, description and examples."""

import re

from gretel.contracts.record import JsonObject, JsonValue
from gretel.nodes.plan.mentions.currencies import currency_codes
from gretel.nodes.plan.slots.slot import SlotKind, allowed_values, json_type, legend, name_words
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_ID_WORDS = word_set(
    """id ids pid identifier uuid guid sku isbn asin token code hash vin ssn ticker symbol serial
    reference plate iban bic barcode upc handle username login password pin key sha fingerprint
    checksum etag mac revision commit"""
)
_IDENTIFIES = word_set("id ids identifier uuid guid")
"""Behind the word for a thing: a language's id is no code of a language."""
_QUERY_WORDS = word_set("q query keyword keywords search term terms question prompt")
_PLACE_WORDS = word_set(
    """city town location place address region area venue origin destination departure arrival
    neighborhood neighbourhood district street state province from to locality"""
)
_FORMATS: dict[str, SlotKind] = {
    "date": "date", "date-time": "date", "time": "time", "email": "email", "idn-email": "email",
    "uri": "url", "url": "url", "ipv4": "ip", "ipv6": "ip", "uuid": "id", "phone": "phone",
}  # fmt: skip
_DATE_SHAPE = re.compile(
    r"(?<![a-z])(?:y{2,4}[-/.]?m{1,2}|d{1,2}[-/.]m{1,2}|m{1,2}[-/.]d{1,2})(?![a-ce-su-xz])"
    r"|%Y|\b\d{4}-\d\d-\d\d"
)
_CLOCK_SHAPE = re.compile(r"\bhh?:mm|%H:%M|\b\d\d:\d\d")
_ENDS = word_set("start end from to since until before after begin")
_WHEN = r"\b(?:date|datetime|timestamp|moment)\b"
_DONE = word_set(
    """created updated modified changed edited published deleted removed started ended finished
    completed closed opened resolved due sent received expired expires archived added joined signed
    paid issued ordered shipped delivered measured recorded observed booked registered synced"""
)
"""What stands before the "at" or "on" of a moment: `created_at`, `due_on`, `due_before`."""
_DAYS = word_set("at on before after since until by")
_SPAN_WORDS = word_set("period range duration frame timeframe span zone timezone interval")


def slot_kind(
    name: str, schema: JsonObject, description: str, examples: tuple[str, ...]
) -> SlotKind:
    """What kind of value a leaf expects, from type, format, name, description and examples."""
    kind = json_type(schema)
    if members := allowed_values(schema):
        return _coded(split_identifier(name), members) or "enum"
    if kind == "boolean":
        return "boolean"
    by_format = _FORMATS.get(str(schema.get("format", "")))
    if by_format and kind in ("string", ""):
        return by_format
    words = name_words(name)
    if kind in ("integer", "number"):
        return "enum" if legend(description) else _number_kind(words, description)
    about = description.split("e.g.")[0].lower()
    return (
        _machine_kind(words, about)
        or _address_kind(words, about)
        or _date_kind(words, description, examples)
        or _code_kind(words, schema, about, examples)
        or ("number" if kind == "string" and words[-1:] in _AMOUNTS and not examples else None)
        or _text_kind(words, about)
    )


def _coded(words: tuple[str, ...], members: list[JsonValue]) -> SlotKind | None:
    """An enum of codes is read as such: the words for them stand in requests, not the codes."""
    texts = [member for member in members if isinstance(member, str)]
    if len(texts) != len(members) or len(members) < 2:
        return None
    if all(re.fullmatch("[A-Z]{3}", text) for text in texts):
        if {"currency", "base", "symbol", "money"} & set(words) or currency_codes() >= set(texts):
            return "currency"
        return "airport" if set(words) & _PLACE_WORDS or "airport" in words else None
    if all(re.fullmatch("[A-Z]{2}", text) for text in texts) and "country" in words:
        return "country"
    if all(re.fullmatch("[a-z]{2}", text) for text in texts) and set(words) & _TONGUES:
        return "language"
    return None


_FLYING = re.compile(r"\b(?:airlines?|aircrafts?|carriers?|planes?)\b")
"""What IATA has codes of, too."""
_CODED = re.compile(r"\b(?:base64|encoded|uuid|hash)\b")
_MACHINES = word_set("programming query coding code script markup sign")
"""What other languages are for."""
_AMOUNTS = {(word,) for word in word_set("amount price quantity sum fee budget salary")}
_SIDES = word_set("base target from to source quote symbol symbols")
"""Names of currency parameters that only their description explains."""
_TONGUES = word_set("language lang locale")


def _number_kind(words: tuple[str, ...], description: str) -> SlotKind:
    if words[-1:] == ("year",) or words[:1] == ("year",):
        return "year"
    if words[-1:] in (("latitude",), ("lat",)):
        return "latitude"
    if words[-1:] in (("longitude",), ("lon",), ("lng",), ("long",)):
        return "longitude"
    if {"phone", "telephone", "mobile"} & set(words):
        return "phone"
    if "timestamp" in words or "timestamp" in description.lower():
        return "date"
    if "time" in words and re.search(r"24-hour|\bhhmm\b", description, re.IGNORECASE):
        return "time"
    return "id" if words[-1:] in (("id",), ("identifier",)) else "number"


_SQL = re.compile(r"\bsql\b(?! (?:server|database|instance|pool)s?\b)")
"""A language; with such a word behind it, what is written in it lies there."""
_FILES = word_set("path paths filepath file files filename directory dir folder glob")


def _machine_kind(words: tuple[str, ...], about: str) -> SlotKind | None:
    if _SQL.search(about) and _IDENTIFIES.isdisjoint(words[-1:]) or "sql" in words:
        return "statement"
    if {"timezone", "tz"} & set(words) or words[-2:] == ("time", "zone") or "iana t" in about:
        return "zone"
    return "path" if set(words[-1:]) & _FILES or "glob" in about.split() else None


_CALLED = re.compile(r"(?:the |a )?(?:tele|mobile |cell )?phone number\b|mobile number\b|msisdn\b")
"""How a description of somebody's number begins."""
_FIRST_SAID = r"(?:[\w'’-]+ ){{0,5}}?{}(?:es)?\b(?!\W*(?:or|and)\b)"
_EMAIL = re.compile(_FIRST_SAID.format("e-?mail address"))
_IP = re.compile(_FIRST_SAID.format("ip address"))
"""What a description begins with, where its value is nothing else as well."""


def _address_kind(words: tuple[str, ...], about: str) -> SlotKind | None:
    last = words[-1] if words else ""
    if last in ("email", "mail") or _EMAIL.match(about):
        return "email"
    if last in ("url", "uri", "website", "link", "domain", "webpage", "homepage"):
        return "url"
    if last == "ip" or words[-2:] == ("ip", "address") or _IP.match(about):
        return "ip"
    if {"phone", "telephone", "mobile"} & set(words) or _CALLED.match(about):
        return "phone"
    if last in ("latitude", "lat"):
        return "latitude"
    if last in ("longitude", "lon", "lng") or last == "long" and "longitude" in about:
        return "longitude"
    if "coordinates" in words or ("latitude" in about and "longitude" in about):
        return "coordinates"
    return None


def _date_kind(
    words: tuple[str, ...], description: str, examples: tuple[str, ...]
) -> SlotKind | None:
    said = " ".join((description.lower(), *examples))
    known = set(words)
    if words[-1:] and words[-1] in _ENDS and re.search(_WHEN, description, re.IGNORECASE):
        return "date"
    if not description and _names_a_day(words):
        return "date"
    if known & _SPAN_WORDS and not _DATE_SHAPE.search(said):
        return None
    if words[-1:] == ("year",):
        return "year"
    shaped = bool(_DATE_SHAPE.search(said.lower()) or _DATE_SHAPE.search(description))
    if known & {"date", "datetime", "birthday", "dob", "deadline"} or (
        shaped and known & {"day", "time", "start", "end", "from", "to", "at", "timestamp", "when"}
    ):
        return "date"
    if (
        known & {"checkin", "checkout"}
        or shaped
        and not known & (_ID_WORDS | _QUERY_WORDS | {"name"})
    ):
        return "date"
    if words[-1:] == ("time",) and (_CLOCK_SHAPE.search(said) or "time" in description.lower()):
        return "time"
    return None


def _names_a_day(words: tuple[str, ...]) -> bool:
    """Whether a name alone says that a day is meant: `as_of`, `since`, `period_end`, `due_on`."""
    done = words[-1:] and words[-1] in _DAYS and words[-2:-1] and words[-2] in _DONE
    ends = words[:1] == ("period",) and words[1:] and words[1] in _ENDS
    return words[-2:] == ("as", "of") or words in (("since",), ("until",)) or bool(done or ends)


def _code_kind(
    words: tuple[str, ...], schema: JsonObject, about: str, examples: tuple[str, ...]
) -> SlotKind | None:
    last = words[-1] if words else ""
    if last in _IDENTIFIES:
        return None
    pattern = str(schema.get("pattern", ""))
    three_letters = "[A-Z]{3}" in pattern or any(re.fullmatch("[A-Z]{3}", e) for e in examples)
    if "crypto" not in about and (
        "currency" in words or "currency" in about and set(words) & _SIDES
    ):
        return "currency"
    travel = set(words) & _PLACE_WORDS or "airport" in words or "airport" in about
    if "iata" in words or "iata" in about and not _FLYING.search(about):
        return "airport"
    if travel and three_letters and "currency" not in about:
        return "airport"
    if "airport" in words and "code" in words:
        return "airport"
    if "language" in about and set(words) & _SIDES and not set(words) & _MACHINES:
        return "language"
    if ("language" in words or last in ("lang", "locale")) and not set(words) & _MACHINES:
        return "language"
    if "country" in words or last == "nation":
        return "country"
    return None


def _text_kind(words: tuple[str, ...], about: str) -> SlotKind:
    last = words[-1] if words else ""
    if (
        _CODED.search(about)
        or last in _ID_WORDS
        or last == "number"
        or about.startswith(("the id ", "id of", "unique id"))
    ):
        return "id"
    if set(words) & _QUERY_WORDS and "type" not in words:
        return "query"
    if last in _PLACE_WORDS or (len(words) > 1 and words[0] in _PLACE_WORDS and last == "name"):
        return "place"
    if last in ("name", "author", "artist", "title") or "name of" in about:
        return "name"
    return "text"
