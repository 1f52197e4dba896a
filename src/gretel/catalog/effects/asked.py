"""Whether a request asks to change something, read off its English verbs.

A verb counts where somebody is told or wishes to do it: "Cancel the order", "please add", "I want
to rename", "can you help me with deleting"; not in "when was it updated?" or "the last update".
"""

import re
from typing import Literal, TypeAlias

from gretel.catalog.effects.verb_forms import GERUNDS, THIRDS
from gretel.catalog.effects.verb_lists import NOUNS_TOO, OBJECT, VERBS
from gretel.text.language import foreign_language
from gretel.text.words import word_set

_MORE = word_set(
    "change correct enter fix increase manage mark process register reopen replace resolve rewrite "
    "setup switch turn unmute"
)
"""Verbs of requests that no operation is named by."""
_PLAIN = VERBS | _MORE
_OWN = OBJECT | word_set("her his my off on our out some that their these those up down")
"""Words that begin what a noun-like verb is done to: "book my flight"."""
_WISHED = re.compile(
    r"(?:^|[.!?:;,\n]\s{0,9}|\b(?:please|kindly|to|and|then|also|just|now|must|should|you|i|we|let'?s"
    r"|help|me)\s+)(?=([a-z]+)\b(?:\s+([a-z]+))?)",
    re.I,
)
"""A place where a wish or an order may stand, with the word there and the one behind it."""
_HELPED = re.compile(r"\b(?:in|with|by|of|on|for)\s+([a-z]+ing)\s+([a-z]+)", re.I)
"""What one is to help with: "assistance in creating a …"."""
_TOLD = re.compile(r"\b(?:did|before|after|when|if|until|once|while)\s+(?:i|we|you)\s+$", re.I)
"""What stands before a verb that is told of, or is a condition: "before I delete it"."""
_NEAR = 20
"""Characters that it takes, at most."""
_IDIOM = re.compile(
    r"\bget(?:ting)? rid of\b|\bthrow(?:ing)?\s(?:[^.!?\n]{0,80}\s)?away\b"
    r"|\b(?:tick|cross|strike)(?:ing)? (?:\S+ )?off\b"
    r"|\bmak(?:e|ing) (?:an?|the|my|our) (?:\w+ ){0,2}(?:payment|transfer|deposit|donation|booking"
    r"|reservation|order|purchase)\b",
    re.I,
)
"""Ways to say "delete", "complete", "pay" and "book" whose verbs alone say nothing."""

_QUESTION = re.compile(
    r"\?(?:\s|$)|(?:^|[.!:;,\n]\s{0,9}|\b(?:please|and|then|you|to)\s+)(?:what|which|who|whose|whom|where"
    r"|when|why|how|is|are|was|were|do|does|did|has|have|show|list|tell|find|look|search|read|give"
    r"|see|know|need to know)\b",
    re.I,
)
"""Where something is asked, or a word that one is told to look with."""

Wish: TypeAlias = Literal["change", "read", "unsaid", "unread"]
"""What is wished: to change something; to read; neither in so many words; or the language is not
read."""


def wish_of(text: str) -> Wish:
    """What `text` wishes, as far as its English words say."""
    asked = asks_change(text)
    if asked is None:
        return "unread"
    if asked:
        return "change"
    return "read" if _QUESTION.search(text) else "unsaid"


def asks_change(text: str) -> bool | None:
    """Whether `text` asks to change something; None where it is in a language but English."""
    if any(map(_is_wish, _WISHED.finditer(text))) or any(map(_is_help, _HELPED.finditer(text))):
        return True
    if _IDIOM.search(text):
        return True
    return None if foreign_language(text) else False


def _is_wish(found: re.Match[str]) -> bool:
    if _TOLD.search(found.string[max(0, found.end() - _NEAR) : found.end()]):
        return False
    verb, behind = found[1].lower(), (found[2] or "").lower()
    verb = THIRDS.get(verb, verb)  # "Creates a user, then …" describes what is wanted
    ordered = found.start() == 0 and found.string[:1].isalpha()
    return verb in _PLAIN or (verb in NOUNS_TOO and (ordered or behind in _OWN))


def _is_help(found: re.Match[str]) -> bool:
    verb = GERUNDS.get(found[1].lower())
    return verb in VERBS or (verb is not None and found[2].lower() in _OWN)
