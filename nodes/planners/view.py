"""A conversation prepared for many tools: candidates and what can be said of them beforehand."""

import datetime as dt
import re
from dataclasses import dataclass

import numpy as np

from gretel.contracts.ranking import Request
from gretel.nodes.planners.arrays import Floats, Indices
from gretel.nodes.planners.candidates import Candidate, read_candidates
from gretel.nodes.planners.document import Document, Token, read_document
from gretel.nodes.planners.mention import KINDS
from gretel.nodes.planners.static import static_features
from gretel.nodes.planners.words import concept, word_set

_LINKING = word_set("of the is are was be : = a an named called titled as \" ' “ ‘ with to")


@dataclass(frozen=True, eq=False)
class View:
    """One conversation, ready to be matched with any tool's slots."""

    document: Document
    candidates: tuple[Candidate, ...]
    today: dt.date
    kinds: Indices
    """Kind of each candidate, as its place in `KINDS`."""
    static: Floats
    """Candidates × `STATIC`."""
    before: Floats
    """Tokens × candidates: nearness of a token that stands before the candidate, in (0, 1]."""
    after: Floats
    inside: Floats
    positions: dict[str, list[int]]
    """Concept → tokens."""
    sentence: Indices
    """Sentence of each candidate."""
    asked: Indices
    """First token of the turn before the candidate's, or -1: the question it may answer."""
    order: Indices
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


def _nearness(document: Document, first: Indices, last: Indices) -> tuple[Floats, Floats, Floats]:
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


def _order(candidates: list[Candidate]) -> Indices:
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
        static=static_features(document, candidates),
        before=before,
        after=after,
        inside=inside,
        positions=positions,
        sentence=np.asarray([document.sentences[c.first] for c in candidates], dtype=np.intp),
        asked=np.asarray(asked, dtype=np.intp),
        order=_order(candidates),
    )
