"""`Mention`: something in the conversation that could be an argument's value."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

MentionKind: TypeAlias = Literal[
    "date", "time", "period", "year", "number", "quantity", "money", "percent", "range", "email",
    "url", "ip", "phone", "coordinates", "id", "hashtag", "quoted", "city", "country", "airport",
    "currency", "language", "proper", "phrase", "path", "zone", "statement",
]  # fmt: skip
"""What a mention looks like. `period`: a span of time that is no calendar date ("last month").
`range`: two numbers ("18-25"). `id`: a code of letters and digits. `proper`: a run of capitalised
words. `phrase`: any other run of words. `path`: a file, a folder or a pattern of files. `zone`: an
IANA time zone. `statement`: SQL."""

KINDS: tuple[MentionKind, ...] = get_args(MentionKind)


class Moment(NamedTuple):
    """A date, a time of day, or both."""

    date: dt.date | None = None
    time: dt.time | None = None


class Amount(NamedTuple):
    """A number with what it counts."""

    number: float
    unit: str = ""
    """As written, in lower case; empty for a bare number."""
    currency: str = ""
    """ISO 4217 code."""


class Place(NamedTuple):
    """A city, country or airport."""

    name: str
    country: str = ""
    """ISO 3166 alpha-2."""
    airport: str = ""
    """IATA code of the airport, or of the city's main one."""
    metro: str = ""
    """IATA metropolitan code, where the city has several airports."""
    latitude: float | None = None
    longitude: float | None = None
    timezone: str = ""
    """IANA name."""


MentionValue: TypeAlias = str | Moment | Amount | Place | tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that stands in the text, and where."""

    kind: MentionKind
    text: str
    """As written."""
    value: MentionValue
    segment: int
    start: int
    """First character in its segment."""
    end: int
    """One past the last character."""
