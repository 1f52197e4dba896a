"""Verbs that are in a list, at the head of a sentence and further on in it."""

import re

from gretel.catalog.effects.descriptions.unlisted import ASIDE, OBJECTIVE
from gretel.catalog.effects.english import is_verb_before_noun, tells_of_answers
from gretel.catalog.effects.verb_forms import NOUN_FORMS, PLAIN, THIRDS
from gretel.catalog.effects.verb_lists import COMPOUNDS, NOUNS_TOO, OBJECT, VERB_OBJECTS, VERBS
from gretel.text.words import word_set

_JOINED = re.compile(r"^\w+\s*(?:,|/|&|and|or|and\s+then|then)\s*(?:then\s+)?(\w+)", re.I)
_AND_IT = re.compile(r"\band\s+(?:then\s+)?(\w+)\s+(?:it|them)\b", re.I)
_AS_WELL = re.compile(
    r"(?:fetch|get|list|obtain|poll|read|return|retrieve)(?:e?s)?\s+(?:[\w'-]+\s+){1,6}and\s+(?:then\s+)?"
    r"(?!(?:have|hold|receive)\b)(\w+)\s+(?:it|them)\b",
    re.I,
)
"""What is done to what was read: "Fetch mail and mark it as read"."""
_BEHIND = re.compile(
    rf"(?:[,;]|\band)\s+(?:and\s+)?then\s+(\w+)\s+(?:it|them|{OBJECTIVE})|\band\s+(\w+s)\s+{OBJECTIVE}",
    re.I,
)
"""A verb further on: "Read a note, then delete it", "Returns a token and revokes the old one"."""
_CONNECTORS = word_set(
    "and are as at between by for from in is of or per that to when where which with"
)
"""Words behind which a verb's object does not stand any more."""
_NEAR = 4
_ONE_OR_MORE = re.compile(r"[A-Za-z]+\s+[\w'-]+\(e?s\)")
"""A word and its object, be it one or more: "Sets cookie(s)"."""


def second_verb(led: str, forms: dict[str, str]) -> str | None:
    """The second verb of a sentence: "Get and remove …", "Gets a job and removes it"."""
    joined = _JOINED.match(led)
    if joined and (verb := verb_at(led[joined.start(1) :], forms)):
        return verb
    and_it = _AND_IT.search(led)
    if and_it and forms.get(and_it[1].lower()) in VERBS:
        return forms[and_it[1].lower()]
    as_well = _AS_WELL.match(led)
    if as_well and is_verb_before_noun(done := as_well[1].lower()):
        return None if tells_of_answers(done) or done in ASIDE else done
    behind = _BEHIND.search(led)
    then, third = (word.lower() for word in behind.groups("")) if behind else ("", "")
    verb = PLAIN.get(then) or (None if third in NOUN_FORMS else THIRDS.get(third))
    return verb if verb in VERBS else None


def verb_at(start: str, forms: dict[str, str]) -> str | None:
    """The verb that begins `start`, in its plain form; None where it reads as a noun."""
    first, *rest = [word.lower() for word in re.findall(r"[A-Za-z]+", start[:200])] or [""]
    base = forms.get(first)
    if base is None or (first != base and rest[:1] == ["of"]):  # "Bans of a user"
        return None
    objected = bool(rest) and rest[0] in OBJECT
    objected |= first != base and bool(_ONE_OR_MORE.match(start))
    if base in VERBS and (objected or first not in NOUN_FORMS):
        return None if rest and rest[0] in COMPOUNDS.get(base, ()) else base
    if base in NOUNS_TOO and objected:
        return base
    near = VERB_OBJECTS.get(base, frozenset())
    for word in rest[:_NEAR]:
        if word in near:
            return base
        if word in _CONNECTORS:
            return None
    return None
