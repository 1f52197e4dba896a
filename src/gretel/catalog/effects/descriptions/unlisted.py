"""Verbs that are in no list, at the head of a sentence: "Prints the label"."""

import re

from gretel.catalog.effects.descriptions.told import SPOKEN
from gretel.catalog.effects.english import base_forms, is_verb, may_be_verb, tells_of_answers
from gretel.catalog.effects.unread import unread_in_text
from gretel.catalog.effects.verb_lists import OBJECT
from gretel.text.words import STOP_WORDS, word_set

OBJECTIVE = rf"(?:{'|'.join(sorted(OBJECT))})\b"
TAKES = word_set("accept follow")
"""Verbs that tell of a call's arguments: "Accepts a list of ids"."""
_DONE_TO = re.compile(
    rf"([a-z]{{3,20}})\s+(?!a\s){OBJECTIVE}"
    r"|([a-z]{3,20})\s+a\s[^.]{0,100}\b(?:by|for|from|its|of|the|this|to|with|your)\b",
    re.I,
)
"""A verb and an object; `a` is an article where the words behind it are English, too."""
_ARE = re.compile(
    r"(?:are|at|between|by|can|for|from|have|in|may|must|near|of|that|were|where|which|who|will)\b"
)
_ASKED = re.compile(r"[^.]*\b(?:argument|filter|ids?|list|param\w*|returns?|screenshot|values?)\b")
"""What a call takes to answer."""
ASIDE = SPOKEN | TAKES | word_set("convey fail mirror note raise replicate skip")
"""Verbs of sentences that go on about a document or an answer: "Raises an error if …"."""
_AN = re.compile(r"\w+\s+an\s")
"""An article that is a preposition in German: "Abfahrten an einer Haltestelle"."""
_NO_VERB = re.compile(
    r"\w+(?:ed|ing|ly|ss)|across|against|along|amid|among|behind|beside|besides|beyond|despite|given"
    r"|inside|instead|near|once|outside|per|plus|recent|regardless|since|throughout|towards?"
    r"|unless|unlike|upon|via|whether|within|without",
    re.I,
)
"""Words before an article that are no verbs."""


def unlisted_verb(led: str) -> str | None:
    """The verb that a sentence begins with, behind which stands what it is done to, where it is
    none of reading or computing: "Prints the label".
    """
    done = _DONE_TO.match(led)
    word = (done[1] or done[2]).lower() if done else ""
    forms = (word, *base_forms(word))
    known = word in STOP_WORDS or _NO_VERB.fullmatch(word) or any(map(tells_of_answers, forms))
    if not word or known or (_AN.match(led) and not any(map(may_be_verb, forms))):
        return unread_in_text(led)
    return word


def unlisted_later(led: str) -> str | None:
    """The third person of a verb of no list, with its object: "Printer. Prints the file"."""
    word, _, behind = led.partition(" ")
    forms = base_forms(word.lower())
    if not word.istitle() or _ARE.match(behind):  # a line that goes on, or a plural
        return None
    taken = "take" if word == "Takes" and not _ASKED.match(behind) else None
    known = may_be_verb if _DONE_TO.match(led) or behind.startswith("a ") else is_verb
    told = any(map(tells_of_answers, forms)) or ASIDE.intersection(forms)
    return taken or (None if told else next(filter(known, forms), None))
