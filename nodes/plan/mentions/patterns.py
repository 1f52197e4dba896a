"""Mentions that a pattern recognises: addresses, codes, numbers, money, quoted strings."""

import ipaddress
import re
from collections.abc import Iterator

from gretel.nodes.plan.mentions.currencies import SIGNS, WEIGHTS, WORDS
from gretel.nodes.plan.mentions.literals import CJK, literal_mentions
from gretel.nodes.plan.mentions.mention import Amount, Mention, MentionKind, MentionValue
from gretel.text.words import word_list

_CODES = "USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|KRW|MXN|BRL|RUB|SEK|NOK|DKK|PLN|TRY|ZAR|SGD|HKD"
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "billion": 1e9, "bn": 1e9}
_WORD_NUMBERS = {
    word: number
    for number, word in enumerate(
        word_list(
            """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty"""
        )
    )
}
_WORD_NUMBERS |= {
    "half a dozen": 6,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "hundred": 100,
    "dozen": 12,
}
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORD_NUMBERS |= {"seventy": 70, "eighty": 80, "ninety": 90, "couple": 2, "single": 1}

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,40}://[^\s\"'<>]+|\bwww\.[^\s\"'<>,]+"
    r"|(?<![\w.-])[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|edu|gov|co|info|dev|app|ai)"
    r"(?:\.[a-z]{2})?(?:/[^\s\"'<>]*)?\b",
    re.IGNORECASE,
)
_IP = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?\b|\b(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{1,4}\b"
)
"""With the length of its prefix, where it is that of a network."""
_VERSION = re.compile(
    r"(?<![\w.])(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b)"
    r"\d{1,6}(?:\.\d{1,6}){2,3}(?:[-+]\d{1,6})?(?![-+.]?\w)"
)
"""`2.1.0`; no day, as in "3.10.2026". With letters, as `v1.4.0-rc.1`, it is any other code."""
_PHONE = re.compile(
    r"(?<![\w-])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,4}\)[\s.-]?|\d{2,4}[\s.-])\d{3}[\s.-]?\d{3,4}(?![\w-])"
    r"|(?<!\w)\+\d{7,15}(?!\w)|(?<![\w.,/:-])0\d{2,4}[ /-]\d{5,9}(?![\w-]|[.,]\d)"
    r"|(?<![\w.,/:#-])\d{10,13}(?![\w/-]|[.,:]\d)"
)
_QUOTED = re.compile(
    r"(?<!\w[(\[])\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|„([^“”\n]{1,400})[“”]|«([^»\n]{1,400})»"
    r"|[「『《]([^」』》\n]{1,400})[」』》]|`([^`\n]{1,200})`"
    r"|(?<![\w])(?<!\w[(\[])['‘]([^'’\n]{1,200}(?:['’][a-z]{1,2}\b[^'’\n]{0,200})?)['’](?!\w)"
)
_SPACED_PATH = re.compile(r"(?:~|\.{1,2})?/[^\s/]|[A-Za-z]:\\")
"""How a quoted path begins: its quotes hold together what blanks would part."""
_HASHTAG = re.compile(r"(?<!\w)#(\w+)")
_COLOUR = re.compile(r"(?<!\w)#(?=[a-f\d]*\d)(?=[a-f\d]*[a-f])(?:[a-f\d]{3}){1,2}(?!\w)", re.I)
_HANDLE = re.compile(r"(?<![\w.])@(\w{2,})")
_COORDINATES = re.compile(
    r"(-?\d{1,3}\.\d+)(?:\s*+°)?(?:\s*+([NS]))?"
    r"(?:\s++(?:(?:for|of|degrees)\s*+)?(?:latitude|north))?(?:\s*+,)?\s++"
    r"(?:and\s++)?(?:long(?:itude)?\s*+(?:(?:of|is|:)\s*+)?)?"
    r"(-?\d{1,3}\.\d+)(?:\s*+°)?(?:\s*+([EW]))?"
    r"|(-?\d{1,2}\.\d+),\s?(-?\d{1,3}\.\d+)"
)
_POINTED = re.compile(
    r"(\d{1,3}(?:\.\d+)?)(?:\s*+(?:°|degrees))?\s*+(N|S|E|W|north|south|east|west)\b"
    r"(?:\s*+(?:,|and|by))?\s*+"
    r"(\d{1,3}(?:\.\d+)?)(?:\s*+(?:°|degrees))?\s*+(N|S|E|W|north|south|east|west)\b",
    re.IGNORECASE,
)
"""Two numbers with their points of the compass, in either order."""
_AMOUNT = re.compile(
    rf"(?P<sign>US\$|A\$|C\$|[$€£¥₹₩])?\s?(?P<minus>(?<!\d)(?<!\w)-)?(?<![^\W{CJK}])(?<!\.)"
    rf"(?P<number>{_NUMBER})(?!\.?\d)"
    r"(?P<scale>(?:k|m|bn)\b(?!\w)|\s(?:thousand|million|billion)\b)?"
    r"(?:\s?(?P<percent>%|percent\b|per cent\b)"
    rf"|\s?(?P<code>(?:{_CODES})\b)"
    r"|[\s-]?(?P<unit>°[CF]?|[A-Za-zµ][A-Za-zµ]*(?:/[a-z]+)?))?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?<![\w.-])[$€£]?\d[\d,:.]{0,20}\s?(?:°?[CF]|%|[ap]m)?\s?(?:-|–|to)\s?[$€£]?\d[\d,:.]{0,20}\d?"
    r"\s?(?:°[CF]|%|[ap]m|°)?(?![\w-])"
)
_ONE = re.compile(
    r"\b(?:past|last|next|coming|previous|per|each|every)\s(day|week|month|year|hour)\b",
    re.IGNORECASE,
)
_ONLY_ONE = "day|week|month|year|hour|minute|person|bed|bedroom|star|night"
_WORDS = re.compile(
    rf"\b(?!(?:one|zero)-(?!(?:{_ONLY_ONE})\b))(?<![\w]-)"
    r"(?!(?:(?<=\bevery )|(?<=\beach )|(?<=\bany )|(?<=\bnot a )|(?<=\bthe ))(?:single|one)\b)"
    rf"(?:(?P<times>two|three|four|five|six)\s(?P<each>dozen|hundred)\b"
    rf"|(?P<tens>{_TENS})[\s-](?P<ones>one|two|three|four|five|six|seven|eight|nine)\b"
    rf"|(?P<word>{'|'.join(_WORD_NUMBERS)})\b(?!\s(?:of|the)\b))",
    re.IGNORECASE,
)


def _simple(
    kind: MentionKind, pattern: re.Pattern[str], text: str, segment: int
) -> Iterator[Mention]:
    for match in pattern.finditer(text):
        found = match.group().rstrip(".,;:!?)'")
        yield Mention(kind, found, found, segment, match.start(), match.start() + len(found))


def _quoted(text: str, segment: int) -> Iterator[Mention]:
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        inner = match.group(group)
        value = inner.strip().rstrip(",;" if len(inner) > 3 else "")
        if value:
            start = match.start(group) + inner.index(value)
            yield Mention("quoted", value, value, segment, start, start + len(value))
            if _SPACED_PATH.match(value):
                yield Mention("path", value, value, segment, start, start + len(value))


def _tags(text: str, segment: int) -> Iterator[Mention]:
    for match in _HASHTAG.finditer(text):
        kind: MentionKind = "id" if match.group(1).isdigit() else "hashtag"
        if not _COLOUR.fullmatch(match.group()):
            yield Mention(kind, match[1], match[1], segment, match.start(1), match.end(1))
    yield from _simple("id", _COLOUR, text, segment)
    yield from _simple("id", _VERSION, text, segment)
    for match in _HANDLE.finditer(text):
        yield Mention("id", match.group(1), match.group(1), segment, match.start(1), match.end(1))


def _ips(text: str, segment: int) -> Iterator[Mention]:
    for mention in _simple("ip", _IP, text, segment):
        try:
            ipaddress.ip_interface(mention.text)
        except ValueError:
            continue
        yield mention


def _coordinates(text: str, segment: int) -> Iterator[Mention]:
    for match in _COORDINATES.finditer(text):
        if match.group(1):
            latitude = float(match.group(1)) * (-1 if (match.group(2) or "").upper() == "S" else 1)
            longitude = float(match.group(3)) * (-1 if (match.group(4) or "").upper() == "W" else 1)
        else:
            latitude, longitude = float(match.group(5)), float(match.group(6))
        if abs(latitude) <= 90 and abs(longitude) <= 180:
            value = (latitude, longitude)
            yield Mention("coordinates", match.group(), value, segment, match.start(), match.end())


def _pointed(text: str, segment: int) -> Iterator[Mention]:
    for match in _POINTED.finditer(text):
        point, other = match[2][0].upper(), match[4][0].upper()
        first, second = float(match[1]), float(match[3])
        first, second = (-first if point in "SW" else first), (-second if other in "SW" else second)
        if (point in "NS") != (other in "NS"):
            value = (first, second) if point in "NS" else (second, first)
            yield Mention("coordinates", match.group(), value, segment, match.start(), match.end())


def _currency(match: re.Match[str]) -> str:
    if match["sign"]:
        return SIGNS.get(match["sign"].upper(), "")
    if match["code"]:
        return match["code"].upper()
    unit = (match["unit"] or "").lower()
    word = unit.removesuffix("s")
    return "" if word in WEIGHTS else WORDS.get(word, "")


def _amount(match: re.Match[str]) -> tuple[MentionKind, Amount]:
    number = float(match["number"].replace(",", ""))
    if match["scale"]:
        number *= _SCALES[match["scale"].strip().lower()]
    if match["minus"]:
        number = -number
    currency = _currency(match)
    if currency:
        return "money", Amount(number, currency=currency)
    if match["percent"]:
        return "percent", Amount(number, "%")
    unit = (match["unit"] or "").lower()
    return ("quantity" if unit else "number"), Amount(number, unit)


def _amounts(text: str, segment: int) -> Iterator[Mention]:
    """Numbers; one with a unit, a sign or a scale is given bare as well."""
    for match in _AMOUNT.finditer(text):
        kind, value = _amount(match)
        start = match.start() + (len(match.group()) - len(match.group().lstrip()))
        if kind != "number":
            yield Mention(kind, text[start : match.end()], value, segment, start, match.end())
        begin = match.start("minus") if match["minus"] else match.start("number")
        end = match.end("number")
        yield Mention("number", text[begin:end], value, segment, begin, end)


def _spelled(match: re.Match[str]) -> int:
    """The number that words say."""
    if match["times"]:
        return _WORD_NUMBERS[match["times"].lower()] * _WORD_NUMBERS[match["each"].lower()]
    words = [match["tens"], match["ones"]] if match["tens"] else [match["word"]]
    return sum(_WORD_NUMBERS[word.lower()] for word in words)


def _number_words(text: str, segment: int) -> Iterator[Mention]:
    for match in _WORDS.finditer(text):
        number = float(_spelled(match))
        following = re.match(r"[\s-]([A-Za-z]+)", text[match.end() :])
        unit = following.group(1).lower() if following else ""
        value: MentionValue = Amount(number, unit)
        yield Mention("number", match.group(), value, segment, match.start(), match.end())

    for match in _ONE.finditer(text):
        value = Amount(1.0, match.group(1).lower())
        yield Mention("quantity", match.group(), value, segment, match.start(), match.end())


def pattern_mentions(text: str, segment: int) -> list[Mention]:
    """Everything in `text` that has a shape of its own; spans may overlap."""
    return [
        *_quoted(text, segment),
        *_simple("email", _EMAIL, text, segment),
        *_simple("url", _URL, text, segment),
        *_ips(text, segment),
        *_simple("phone", _PHONE, text, segment),
        *_simple("range", _RANGE, text, segment),
        *_tags(text, segment),
        *literal_mentions(text, segment),
        *(_pointed(text, segment) if _POINTED.search(text) else _coordinates(text, segment)),
        *_amounts(text, segment),
        *_number_words(text, segment),
    ]
