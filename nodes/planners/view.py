"""A conversation prepared for many tools: candidates and what can be said of them beforehand."""

import datetime as dt
import re
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.contracts.ranking import Request
from gretel.nodes.planners.candidates import Candidate, read_candidates
from gretel.nodes.planners.document import Document, Token, read_document
from gretel.nodes.planners.mention import KINDS
from gretel.nodes.planners.phrases import runs
from gretel.nodes.planners.words import REQUEST_VERBS, STOP_WORDS, concept

Floats: TypeAlias = npt.NDArray[np.float32]

_BEFORE = (
    "of|for|in|at near around|on|from|to into|by|with|about regarding concerning"
    "|named called titled entitled name|is are was be as :|using via through|the a an|my his her our"
    "|and or , &"
).split("|")
_BEFORE_OF = {word: place for place, group in enumerate(_BEFORE) for word in group.split()}
_AFTER = "of|and or ,|. ? ! ;|in on at for from to by with|is are was".split("|")
_AFTER_OF = {word: place for place, group in enumerate(_AFTER) for word in group.split()}
_SHAPES = frozenset({"quoted", "email", "url", "date", "phone", "id", "ip", "coordinates", "money"})
_LINKING = frozenset(
    "of the is are was be : = a an named called titled as \" ' “ ‘ with to".split(" ")
)

STATIC = (
    *KINDS,
    *(f"before:{group.split()[0]}" for group in _BEFORE),
    "before:verb",
    "before:start",
    "before:other",
    *(f"after:{group.split()[0]}" for group in _AFTER),
    "after:end",
    "after:other",
    "run_start",
    "run_end",
    "whole_run",
    "words:1",
    "words:2",
    "words:3",
    "words:4+",
    "words:log",
    "capital",
    "stop_inside",
    "verb_first",
    "inside_shaped",
    "beside_date",
    "beside_place",
    "beside_number",
    "digits",
    "earlier_turn",
    "not_user",
    "ago",
)
"""Names of what is known of a candidate before any tool is looked at."""


@dataclass(frozen=True, eq=False)
class View:
    """One conversation, ready to be matched with any tool's slots."""

    document: Document
    candidates: tuple[Candidate, ...]
    today: dt.date
    kinds: npt.NDArray[np.intp]
    """Kind of each candidate, as its place in `KINDS`."""
    static: Floats
    """Candidates × `STATIC`."""
    before: Floats
    """Tokens × candidates: nearness of a token that stands before the candidate, in (0, 1]."""
    after: Floats
    inside: Floats
    positions: dict[str, list[int]]
    """Concept → tokens."""
    sentence: npt.NDArray[np.intp]
    """Sentence of each candidate."""
    asked: npt.NDArray[np.intp]
    """First token of the turn before the candidate's, or -1: the question it may answer."""
    order: npt.NDArray[np.intp]
    """Place of each candidate among those of its kind, by position."""


def _costs(document: Document) -> Floats:
    """Running distance along the text; link words are short, commas and full stops are long."""
    steps = []
    for index, token in enumerate(document.tokens):
        step = 0.3 if token.lower in _LINKING else 1.0
        if token.text in ",;" or token.lower in ("and", "or"):
            step = 2.0
        if index and document.sentences[index] != document.sentences[index - 1]:
            step += 8.0
        steps.append(step)
    return np.cumsum(np.asarray(steps, dtype=np.float32))


def _nearness(
    document: Document, first: npt.NDArray[np.intp], last: npt.NDArray[np.intp]
) -> tuple[Floats, Floats, Floats]:
    place = _costs(document)
    index = np.arange(len(place))[:, None]
    begin, end = place[first][None, :], place[last - 1][None, :]
    ahead = np.where(
        index < first[None, :], np.exp(np.minimum(place[:, None] - begin + 1.0, 0.0) / 3.0), 0.0
    )
    behind = np.where(
        index >= last[None, :], np.exp(np.minimum(end - place[:, None] + 1.0, 0.0) / 2.0), 0.0
    )
    within = (index >= first[None, :]) & (index < last[None, :])
    return ahead.astype(np.float32), behind.astype(np.float32), within.astype(np.float32)


def _context(document: Document, candidate: Candidate) -> dict[str, float]:
    tokens, sentences = document.tokens, document.sentences
    first, last = candidate.first, candidate.last
    found: dict[str, float] = {}
    before = first - 1
    while before >= 0 and tokens[before].text in "\"'“‘`(":
        before -= 1
    if before < 0 or sentences[before] != sentences[first]:
        found["before:start"] = 1
    elif (group := _BEFORE_OF.get(tokens[before].lower)) is not None:
        found[f"before:{_BEFORE[group].split()[0]}"] = 1
    elif tokens[before].lower in REQUEST_VERBS:
        found["before:verb"] = 1
    else:
        found["before:other"] = 1
    after = last
    while after < len(tokens) and tokens[after].text in "\"'”’`)":
        after += 1
    if after >= len(tokens) or tokens[after].segment != tokens[first].segment:
        found["after:end"] = 1
    elif (group := _AFTER_OF.get(tokens[after].lower)) is not None:
        found[f"after:{_AFTER[group].split()[0]}"] = 1
    else:
        found["after:other"] = 1
    return found


def _form(
    document: Document, candidate: Candidate, borders: tuple[set[int], set[int]]
) -> dict[str, float]:
    tokens = document.tokens[candidate.first : candidate.last]
    words = [token for token in tokens if token.is_word]
    segment = document.segments[candidate.mention.segment]
    start, end = candidate.first in borders[0], candidate.last in borders[1]
    count = max(len(words), 1)
    return {
        candidate.mention.kind: 1,
        "run_start": start,
        "run_end": end,
        "whole_run": start and end,
        f"words:{count}" if count < 4 else "words:4+": 1,
        "words:log": float(np.log(count)),
        "capital": candidate.mention.text[0].isupper(),
        "stop_inside": any(token.lower in STOP_WORDS for token in words),
        "verb_first": bool(words) and words[0].lower in REQUEST_VERBS,
        "digits": any(letter.isdigit() for letter in candidate.mention.text),
        "earlier_turn": segment.origin == "message",
        "not_user": segment.role != "user",
        "ago": (len(document.segments) - 1 - candidate.mention.segment) ** 0.5,
    }


def _covered(candidates: list[Candidate]) -> list[bool]:
    """Whether each lies strictly inside a mention that has a shape of its own."""
    shaped = [c.mention for c in candidates if c.mention.kind in _SHAPES]
    return [
        any(
            other.segment == own.segment
            and other.start <= own.start
            and own.end <= other.end
            and other.end - other.start > own.end - own.start
            and not (other.kind in ("id", "money") and own.kind in ("number", "money"))
            for other in shaped
        )
        for own in (c.mention for c in candidates)
    ]


_OVERLAPS: dict[str, frozenset[str]] = {
    "beside_date": frozenset({"date", "time", "period"}),
    "beside_place": frozenset({"city", "country"}),
    "beside_number": frozenset({"number"}),
}


def _overlaps(candidates: list[Candidate], name: str) -> Floats:
    """Whether each phrase shares a token with a mention of a kind that says more."""
    kinds = _OVERLAPS[name]
    taken: set[int] = set()
    for candidate in candidates:
        if candidate.mention.kind in kinds:
            taken.update(range(candidate.first, candidate.last))
    return np.asarray(
        [
            c.mention.kind not in kinds and any(i in taken for i in range(c.first, c.last))
            for c in candidates
        ],
        dtype=np.float32,
    )


def _static(document: Document, candidates: list[Candidate]) -> Floats:
    column = {name: place for place, name in enumerate(STATIC)}
    matrix = np.zeros((len(candidates), len(STATIC)), dtype=np.float32)
    found = runs(document)
    borders = {start for start, _ in found}, {end for _, end in found}
    covered = _covered(candidates)
    for row, candidate in enumerate(candidates):
        said = _form(document, candidate, borders) | _context(document, candidate)
        for name, value in said.items():
            matrix[row, column[name]] = value
        matrix[row, column["inside_shaped"]] = covered[row]
    for name in _OVERLAPS:
        matrix[:, column[name]] = _overlaps(candidates, name)
    return matrix


def _order(candidates: list[Candidate]) -> npt.NDArray[np.intp]:
    seen: dict[str, int] = {}
    order = np.zeros(len(candidates), dtype=np.intp)
    for row in sorted(range(len(candidates)), key=lambda row: candidates[row].first):
        kind = candidates[row].mention.kind
        order[row] = seen.get(kind, 0)
        seen[kind] = seen.get(kind, 0) + 1
    return order


def _parts(token: Token) -> list[str]:
    """The concepts of a token: its own, and those of a compound's parts."""
    if not token.is_word:
        return []
    parts = [concept(part) for part in re.split(r"[-_/]", token.text) if part]
    return [token.concept, *parts] if len(parts) > 1 else [token.concept]


def read_view(request: Request) -> View:
    """Read a request once, for all tools that will be tried on it."""
    document = read_document(request)
    candidates = read_candidates(request, document)
    first = np.asarray([c.first for c in candidates], dtype=np.intp)
    last = np.asarray([c.last for c in candidates], dtype=np.intp)
    positions: dict[str, list[int]] = {}
    turn_start: dict[int, int] = {}
    for index, token in enumerate(document.tokens):
        turn_start.setdefault(token.segment, index)
        for part in _parts(token):
            positions.setdefault(part, []).append(index)
    before, after, inside = _nearness(document, first, last)
    asked = [turn_start.get(c.mention.segment - 1, -1) for c in candidates]
    return View(
        document=document,
        candidates=tuple(candidates),
        today=dt.date.fromisoformat(request.today),
        kinds=np.asarray([KINDS.index(c.mention.kind) for c in candidates], dtype=np.intp),
        static=_static(document, candidates),
        before=before,
        after=after,
        inside=inside,
        positions=positions,
        sentence=np.asarray([document.sentences[c.first] for c in candidates], dtype=np.intp),
        asked=np.asarray(asked, dtype=np.intp),
        order=_order(candidates),
    )
