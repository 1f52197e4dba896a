"""Mentions of cities, countries, airports, currencies and languages, by name or code."""

import re
from collections.abc import Iterator

from gretel.nodes.plan.mentions.currencies import currency_named
from gretel.nodes.plan.mentions.document import Document, Token
from gretel.nodes.plan.mentions.gazetteer import gazetteer
from gretel.nodes.plan.mentions.literals import CJK
from gretel.nodes.plan.mentions.mention import Mention, MentionKind, MentionValue
from gretel.text.words import REQUEST_VERBS, STOP_WORDS, word_set

_ORDINARY = word_set(
    """nice reading mobile bath of most same man split van along bar ban male can march may june
    august april sunday monday tuesday wednesday thursday friday saturday media best beauty data
    young orange university english french spanish date police home page street central north south
    east west project deal power much why nancy victoria san mission temple hotel airport station
    blue enterprise bay normal sandy"""
)
_HALVES = frozenset({"AM", "PM"})
"""Halves of the day, though Armenia and Saint Pierre have these codes."""
_LEADS = word_set("from to in at near via into → between and around towards -> out leaving")
_LOCALE = re.compile(r"([a-z]{2})([-_][A-Z]{2}|[-_][a-z]{2})?")
_TONGUES = word_set("language lang locale hl")
_KNOWN_SIZE = 200_000
"""Inhabitants from which a lower-case name behind a preposition is taken for the city."""


def place_mentions(document: Document) -> list[Mention]:
    """Names and codes of places, currencies and languages; longer names hide those inside."""
    found: list[Mention] = []
    tokens, taken = document.tokens, 0
    for start in range(len(tokens)):
        for length in (4, 3, 2, 1):
            end = start + length
            if end > len(tokens) or tokens[end - 1].segment != tokens[start].segment:
                continue
            text = document.text(start, end)
            mentions = list(_read(document, text, start, end))
            if mentions and end > taken:
                found += mentions
                taken = end
                break
    return found + [city for token in tokens for city in _unspaced_cities(token)]


def _unspaced_cities(token: Token) -> Iterator[Mention]:
    """Cities in a run of a script that sets no blanks: the longest name at each place."""
    if re.fullmatch(rf"[{CJK}]+", token.text) is None:
        return
    cities, place = gazetteer().cities, 0
    while place < len(token.text):
        names = (token.text[place : place + length] for length in (5, 4, 3, 2))
        name = next((name for name in names if name in cities), "")
        if name:
            start = token.start + place
            value = cities[name][0]
            yield Mention("city", name, value, token.segment, start, start + len(name))
        place += len(name) or 1


def _read(document: Document, text: str, start: int, end: int) -> Iterator[Mention]:
    first, last = document.tokens[start], document.tokens[end - 1]
    tables, key = gazetteer(), text.casefold()

    def mention(kind: MentionKind, value: MentionValue) -> Mention:
        return Mention(kind, text, value, first.segment, first.start, last.end)

    currency = currency_named(text)
    if currency and (first.is_word or start + 1 == end):
        yield mention("currency", currency)
    if not first.is_word or not last.is_word:
        return
    city = tables.cities.get(key)
    if city and _is_name(document.tokens, start, end, city[1]):
        yield mention("city", city[0])
    code = len(text) <= 3 and text.isascii()
    named = key in tables.countries and text not in _HALVES
    if named and (text.isupper() if code else text[0].isupper()):
        yield mention("country", tables.countries[key])
    if (text in tables.airports and len(text) == 3) or (
        key in tables.airports and len(text) > 3 and text[0].isupper()
    ):
        yield mention("airport", tables.airports[text if len(text) == 3 else key])
    if text[0].isupper() and key in tables.languages and len(text) > 2:
        yield mention("language", tables.languages[key])
    if end == start + 1 and _is_locale(document.tokens, start):
        yield mention("language", text)


def _is_locale(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a code of a language is meant: `en-AU`, or a bare `en` behind the word for it."""
    parts = _LOCALE.fullmatch(tokens[place].text)
    if parts is None or parts[1] not in gazetteer().languages.values():
        return False
    before = [token.lower for token in tokens[max(0, place - 2) : place]]
    return bool(parts[2]) or not _TONGUES.isdisjoint(before) or before[-1:] == ["("]


def _is_name(tokens: tuple[Token, ...], start: int, end: int, population: int) -> bool:
    """Whether a city's name is meant: written as a name, or a large city behind a preposition."""
    first = tokens[start]
    lower = first.lower
    if end - start == 1 and lower in _ORDINARY | STOP_WORDS | REQUEST_VERBS:
        return False
    if first.text[0].isupper() or not first.text.isascii():
        return len(first.text) > 3 or end - start > 1 or first.text.isupper() or population > 10**5
    behind = start > 0 and tokens[start - 1].lower in _LEADS
    return behind and population >= _KNOWN_SIZE
