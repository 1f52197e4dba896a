"""Words that stand for a value beside those of a schema: "the latest snapshot", "as CSV"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gretel.nodes.plan.filling.filling import BEGINNING, Filling, Match, filling_of
from gretel.nodes.plan.matching.profile import Profile, SlotCues, Slots
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.text.identifiers import split_identifier
from gretel.text.words import STOP_WORDS, word_list, word_set

_FORMATS = {
    word: tuple(word_list(spellings))
    for words, spellings in {
        "excel xlsx xls spreadsheet": "xlsx excel xls",
        "markdown md": "markdown md",
        "yaml yml": "yaml yml",
        "jpeg jpg": "jpeg jpg",
        "word docx": "docx word",
        "plaintext txt": "txt text plain",
        **dict.fromkeys(word_list("csv tsv json pdf html xml png svg geojson parquet ods odt"), ""),
    }.items()
    for word in word_list(words)
}
"""How a format of files is called → how services spell it, the usual spelling first."""
_NAMES = word_set("format fmt filetype extension")
_NO_FILES = word_set("date time number phone currency price name response_type")
_SAID = re.compile(
    rf"\b(?:(?:as|als|en|in|im|into|to|format|formato|au format)\s+(?:an?\s+|eine?n?\s+|une?\s+)?"
    rf"(?P<a>{'|'.join(_FORMATS)})\b(?!\s*/)"
    rf"|(?P<b>{'|'.join(_FORMATS)})[\s-]?(?:files?|datei(?:en)?|exports?|format)\b"
    rf"|(?:fichiers?|archivos?|documentos?)\s+(?P<c>{'|'.join(_FORMATS)})\b)"
    rf"|(?:成|为|作为|以)\s*(?P<d>{'|'.join(_FORMATS)})(?![a-z])",
    re.IGNORECASE,
)
_OPEN = frozenset({"text", "id", "name"})
"""Groups of slots that take any word."""
_BY = word_set("by per each nach pro par por")
_SHORT = 2
"""Letters of a value that has to stand as it is documented."""
CONFIDENCE = 0.85


def keyword_values(view: View, slots: Slots) -> Iterator[tuple[int, Filling]]:
    """The keywords of slots that need a value, where the user says them; the last time counts."""
    tokens, segments = view.document.tokens, view.document.segments
    said = {
        token.lower: place
        for place, token in enumerate(tokens)
        if segments[token.segment].role == "user"
    }
    for index, cues in slots.items():
        places = {said[word.lower()]: word for word in cues.slot.keywords if word.lower() in said}
        if cues.slot.required and places:
            place = max(places)
            yield index, filling_of(view, places[place], Match(CONFIDENCE, place, place + 1))


def listed_values(view: View, profile: Profile, slots: Slots) -> Placed:
    """The optional texts one of whose documented values the latest turn says, and what it says.

    Of what a list is grouped or sorted by: behind "by". Words of the operation say nothing.
    """
    last, tokens = len(view.document.segments) - 1, view.document.tokens
    for index, cues in slots.items():
        if cues.slot.required or cues.slot.many or cues.group not in _OPEN:
            continue
        by = orders_by(cues)
        said = {
            place: sample
            for sample in cues.slot.examples
            for place, token in enumerate(tokens)
            if token.segment == last
            and token.lower == sample.lower()
            and (token.text == sample or len(sample) > _SHORT)
            and token.lower not in STOP_WORDS
            and (by or token.concept not in profile.operation)
            and (not by or place and tokens[place - 1].lower in _BY)
        }
        if len(said) == 1:
            place, sample = next(iter(said.items()))
            span = view.word_span(place)
            yield index, span._replace(mention=replace(span.mention, value=sample, text=sample))


def orders_by(cues: SlotCues) -> bool:
    """Whether a slot asks by what results are sorted or grouped: `group_by`."""
    return split_identifier(cues.slot.name)[-1:] == ("by",)


def file_formats(view: View, tool_said: str, slots: Slots) -> Placed:
    """The text for the format of a file, where the latest turn says one: "as an Excel file".

    It is spelled as the parameter or the tool (`tool_said`) documents it.
    """
    number = len(view.document.segments) - 1
    found = list(_SAID.finditer(view.document.segments[number].text[:BEGINNING]))
    own = [index for index, cues in slots.items() if _is_format(cues)]
    if len(own) != 1 or len({match[match.lastindex or 0].lower() for match in found}) != 1:
        return
    match = found[0]
    group = match.lastindex or 0
    said = match[group].lower()
    described = f"{slots[own[0]].slot.description} {tool_said}".lower()
    spellings = _FORMATS[said] or (said,)
    known = (word for word in spellings if re.search(rf"\b{word}\b", described))
    value = next(known, spellings[0])
    for place, token in enumerate(view.document.tokens):
        if token.segment == number and token.start <= match.start(group) < token.end:
            mention = Mention("id", match[group], value, number, *match.span(group))
            yield own[0], MentionSpan(mention, place, place + 1)
            return


def _is_format(cues: SlotCues) -> bool:
    words = split_identifier(cues.slot.name)
    plain = cues.slot.kind == "text" and cues.slot.type == "string" and not cues.slot.many
    named = not _NAMES.isdisjoint(words[-1:]) or words[-2:] == ("file", "type")
    return plain and named and _NO_FILES.isdisjoint(words)
