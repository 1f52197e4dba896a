"""Tools that a request names outright.

A name puts its tool before all others, and whoever writes a document chooses its names: `p.m`,
`norway.com`, `start_date` or `PayPal` may be a tool's. So only what a person types as a name
counts: an identifier that begins with what is done (`search_flights`, `getUser`), or a whole
`tool_id` that ends in an identifier, a verb or a longer word, but not as a person's or a town's
name does (`St.Gallen`); and neither as a part of an address, of a file's name or of a longer name
(`other/Sky.search_flights-x`). A `tool_id` of
plain words may be a site's name, or the end of a sentence without its blank (`Oslo.Find`): it is
meant at the beginning, behind a word that says so (`call Sky.search`) or a backquote.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from gretel.catalog.effects.verb_lists import VERBS
from gretel.contracts.tool import Tool
from gretel.text.identifiers import split_identifier
from gretel.text.words import singular, word_set

_WORD = re.compile(r"\w+")
_IDENTIFIER = re.compile(r"[^\W_]_+[^\W_]|[a-z][A-Z]")
_BEFORE = re.compile(r"(?:[/\\@~#$%&+]|::|\w[.-])$")
_BEHIND = re.compile(r"[/\\@~#$%&+]|::|[.?-]\w")
"""What stands around a part of an address, of a path, of a file's name or of a longer name."""
_ASKING = word_set(
    "describe download explain export fetch find get lookup read retrieve validate verify"
)
_READING = _ASKING | word_set("check count list load poll preview query search show test view")
"""Verbs; those beside `_ASKING` are nouns too, as in `search_term`: they count before a plural."""
_ALL = VERBS | _READING
_POINTED = re.compile(
    r"(?:^|[`:]|\b(?:call|invoke|operation|run|tool|try|use|using"
    r"|benutze|nutze|rufe|verwende|werkzeug|appelle|outil|utilise|herramienta|llama|usa|utiliza)\s+"
    r"|(?:用|工具|运行)\s*)$",
    re.I,
)
"""What stands before a name of plain words that is meant as one."""
_WORDY = 5
_DOMAINS = word_set(
    """
    academy agency amsterdam associates berlin business capital center church click cloud coffee
    community company computer consulting delivery design digital directory doctor download email
    energy estate events exchange expert express family fashion finance fitness flights florist
    football foundation gallery games garden global group guide health holiday hospital hotel house
    immobilien insure international kitchen limited local london marketing market media money museum
    network online party photo photos place press property rentals report restaurant reviews school
    science security service services social software solutions space sport store studio style
    supply support swift systems taxi tattoo theater tickets tienda today tokyo tools tours trade
    training travel vacations ventures video vision voyage watch weather website wedding world
    yachts youtube
    """
)
"""Ends of domains and files among words; what is shorter than `_WORDY` may be one that is not."""
_TITLED = 3
_SPOKEN = word_set("a an it me my our the this us you your")
"""Shorter names in capitals may be brands, and longer ones with such words: `GetYourGuide`."""
_LEAD = 20
"""Characters before a name in which such a word is looked for."""
_LONGEST = 12
"""Words of the longest name that is looked for."""


class _Name(NamedTuple):
    """A name from its first to its last word, as requests are cut, and the signs around these."""

    before: str
    words: str
    behind: str


_Rows: TypeAlias = dict[str, dict[int, _Name]]
"""By the words of a name in small letters the places of its tools, and how each writes it."""
_Span: TypeAlias = tuple[int, int]


class NameIndex:
    """Finds `tool_id`s, documents' own ids and operation names that stand verbatim in a request.

    Case does not matter, but where one tool's name is written as it stands, others that are
    written otherwise are not meant. A `tool_id` is its tool's alone, and a name within another
    one names nothing; but a `tool_id` within a name of another kind does, and that name nothing.
    An id without a toolkit is a name as any operation's: it takes none from other tools.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._ids: _Rows = {}
        self._names: _Rows = {}
        taken = {_cut(tool.tool_id).words.casefold() for tool in tools if _is_whole(tool.tool_id)}
        for row, tool in enumerate(tools):
            for name in filter(is_typed, {tool.tool_id, tool.operation, tool.external_id or ""}):
                cut = _cut(name)
                key = cut.words.casefold()
                if name == tool.tool_id and _is_whole(name):
                    self._ids.setdefault(key, {})[row] = cut
                elif key not in taken:
                    self._names.setdefault(key, {})[row] = cut
        self._starts = {_WORD.findall(key)[0] for key in (*self._ids, *self._names)}

    def rows(self, text: str) -> frozenset[int]:
        """Places of the tools that `text` names."""
        spans = [match.span() for match in _WORD.finditer(text)]
        starts = [text[start:stop].casefold() in self._starts for start, stop in spans]
        found: set[int] = set()
        free = [True] * len(spans)
        for names in (self._ids, self._names):
            for first in range(len(spans)):
                if starts[first] and free[first]:
                    found |= self._taken(text, spans, free, first, names)
        return frozenset(found)

    def _taken(
        self, text: str, spans: Sequence[_Span], free: list[bool], first: int, names: _Rows
    ) -> set[int]:
        """Places of the tools of the longest name from the word `first` on.

        Its words are no longer `free` for another one.
        """
        stop = first + 1
        while stop < min(len(spans), first + _LONGEST) and free[stop]:
            stop += 1
        for end in range(stop, first, -1):
            named = _named(names, text, spans[first][0], spans[end - 1][1])
            if named:
                free[first:end] = [False] * (end - first)
                return named
        return set()


def _named(names: _Rows, text: str, start: int, end: int) -> set[int]:
    """Places of the tools that the words from `start` to `end` name."""
    written = text[start:end]
    fitting = {
        row: name
        for row, name in names.get(written.casefold(), {}).items()
        if _stands(name, text, start, end)
    }
    # the signs that the shortest does not have are the sentence's
    least = min((len(name.before + name.behind) for name in fitting.values()), default=0)
    rows = {row: name for row, name in fitting.items() if len(name.before + name.behind) == least}
    exactly = {row for row, name in rows.items() if name.words == written}
    if _IDENTIFIER.search(written):
        return exactly or set(rows)
    meant = any(_is_pointed_at(text, start - len(name.before)) for name in rows.values())
    return (exactly or (set(rows) if written.islower() else set())) if meant else set()


def _stands(name: _Name, text: str, start: int, end: int) -> bool:
    """Whether the signs of a name stand around its words, and it is no part of a longer name."""
    begin = start - len(name.before)
    around = begin >= 0 and text.startswith(name.before, begin)
    around = around and text.startswith(name.behind, end)
    return around and not _is_part(text, begin, end + len(name.behind))


def _is_pointed_at(text: str, start: int) -> bool:
    return bool(_POINTED.search(text, max(0, start - _LEAD), start))


def _is_whole(tool_id: str) -> bool:
    """Whether an id says its toolkit, too."""
    toolkit, _, operation = tool_id.partition(".")
    return bool(toolkit and operation)


def is_typed(name: str) -> bool:
    """Whether a person who writes `name` means one: nobody writes it by chance.

    What holds blanks may be words of a request around somebody else's name; only the form
    `document::GET /path` has some.
    """
    if "::" in _cut(name).words:
        return not _ALL.isdisjoint(split_identifier(name))
    stem, dotted, last = name.rpartition(".")
    identifier, words = bool(_IDENTIFIER.search(last)), split_identifier(last)
    if not words or len(name.split()) > 1 or ("/" in last and not identifier):
        return False
    if stem and dotted:
        plain = last.isalpha() and len(last) >= _WORDY and last.lower() not in _DOMAINS
        plain = plain and (last.islower() or bool(_IDENTIFIER.search(stem)))
        return identifier or words[0] in _ALL or plain
    short = len(words) < _TITLED or not _SPOKEN.isdisjoint(words)
    brand = short and name[0].isupper() and "_" not in name
    return identifier and not brand and _says_what_is_done(words)


def _says_what_is_done(words: Sequence[str]) -> bool:
    """Whether an identifier begins with a verb that is none of a field's: `start_date` does not."""
    several = words[0] in _READING and singular(words[-1]) != words[-1]
    return len(words) > 1 and (words[0] in VERBS | _ASKING or several)


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether what stands from `start` to `end` is a part of an address or of a longer name."""
    joined = _BEFORE.search(text, max(0, start - 2), start) or _BEHIND.match(text, end)
    return bool(joined) or "://" in text[text.rfind(" ", 0, start) + 1 : start]


def _cut(name: str) -> _Name:
    spans = [match.span() for match in _WORD.finditer(name)]
    start, end = (spans[0][0], spans[-1][1]) if spans else (0, 0)
    return _Name(name[:start], name[start:end], name[end:])
