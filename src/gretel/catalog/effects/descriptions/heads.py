"""The verb of one sentence, behind words that only lead to it: "This endpoint deletes …"."""

import re

from gretel.catalog.effects.descriptions.listed import second_verb, verb_at
from gretel.catalog.effects.descriptions.unlisted import (
    OBJECTIVE,
    TAKES,
    unlisted_later,
    unlisted_verb,
)
from gretel.catalog.effects.verb_forms import GERUNDS, PLAIN, THIRDS
from gretel.catalog.effects.verb_lists import DRASTIC
from gretel.catalog.effects.verbs import names_deed

_WHO = r"(?:the\s+)?(?:users?|clients?)|you|us"
_NAME = (
    r"(?:(?:api|rest|http|get)\s+)*"
    r"(?:endpoint|method|operation|api|call|function|request|route|service)"
)
_HELPERS = (
    rf"(?:(?:that|which|will|can|may|is|be|used|lets|allows?|enables?|{_WHO}|to|for|also)\s+)*"
)
_ALLOWS = rf"(?:allows?|enables?|lets?|permits?)\s+(?:(?:{_WHO})\s+)?(?:to\s+)?"
_SUBJECT = re.compile(
    rf"^(?:note\s+that\s+)?(?:this|it)\s+(?:{_NAME}\s+)?(?:(?:will|also|then)\s+)*(?:{_ALLOWS})?"
    r"|^(?:by\s+)?(?:calling|invoking|requesting|using)\s+"
    rf"(?:(?:it|this)\s+(?:{_NAME}\s+)?|(?:the\s+)?{_NAME}\s+){_HELPERS}"
    r"|^will\s+",
    re.I,
)
"""What stands before the verb in "This will delete …", "Calling this endpoint deletes …"."""
_LEAD_IN = re.compile(
    rf"^(?:please\s+)?(?:use|call)\s+(?:(?:this|the)\s+)?(?:{_NAME}\s+)?(?:in\s+order\s+)?to\s+"
    rf"|^(?:(?:this|the|an?)\s+)?{_NAME}\s+{_HELPERS}"
    rf"|^used?\s+to\s+|^(?:allows?|lets?|permits?)\s+(?:(?:{_WHO})\s+)?(?:to\s+)?"
    rf"|^enables?\s+(?:{_WHO})\s+(?:to\s+)?",
    re.I,
)
"""What stands before the verb in "This endpoint allows you to delete …"."""
_WISH = re.compile(r"^(?:in\s+order\s+to|to|if\s+you\s+(?:want|wish|need)\s+to|you\s+can)\s+", re.I)
"""What stands before a verb that the reader wants, in "To delete a user, call this"."""
_ADVERB = re.compile(r"^(?:(?:\w+ly|force|soft|hard|bulk|batch|mass|then)\s+)*", re.I)
_ASKS = re.compile(
    r"^(?:execute|run|invoke)\b[^.]*\b(?:query|queries|search|view)\b"
    r"|^send\b[^.]*\bto (?:get|obtain|receive|retrieve)\b",
    re.I,
)
"""A sentence whose verb of change only says how to ask: "Send a name to receive …"."""
_NOUN = re.compile(r"^(?:\w+\s+){0,2}(\w+(?:al|ance|ing|ment|[st]ion|ure))(?:\s+of\b|\W*$)", re.I)
_GERUND_OF = re.compile(rf"\w+ing\s+{OBJECTIVE}", re.I)
_DRASTIC_OF = re.compile(rf"(?:{'|'.join(sorted(DRASTIC))})\s+{OBJECTIVE}", re.I)
_PASSIVE = re.compile(
    r"^(?:the|this|all|an?|your)\s+(?:\w+\s+){1,3}(?:is|are|gets?|will\s+be)\s+(?:\w+ly\s+)?"
    r"(cancel|delete|destroy|erase|purge|remove|wipe)l?e?d\b",
    re.I,
)
"""What is done to a thing: "The user will be removed"."""
_PHRASAL = re.compile(
    r"((?:check|clock|log|opt|sign)[ -](?:in|out|up))(?:\W*$|\s(?:at|for|from|of|to|your)\b)", re.I
)
"""What a person does at a door: "Check in to a flight"."""
_LETS = re.compile(r"enables?\s+(?:\w+\s+){1,3}to\b", re.I)
"""What a call is good for: "Enables admins to list …"."""


def first_verb(sentence: str) -> str | None:
    """The verb of the first sentence, which may be an imperative or a noun."""
    start = _ADVERB.sub("", sentence)
    led = _ADVERB.sub("", _SUBJECT.sub("", _LEAD_IN.sub("", start)))
    noun = _NOUN.match(led)
    if noun and names_deed(noun[1].lower()):
        return noun[1].lower()
    if _ASKS.match(led):
        return None
    said = _PASSIVE.match(start) or _PHRASAL.match(led)
    if said:
        return said[1].lower()
    forms = PLAIN | THIRDS
    named = led != start or _GERUND_OF.match(start)
    verb = verb_at(led, forms | GERUNDS if named else forms) or second_verb(led, forms)
    wished = verb_at(_ADVERB.sub("", _WISH.sub("", start)), PLAIN)
    return (
        verb or (wished if wished in DRASTIC else None) or unlisted_verb(led) or unlisted_later(led)
    )


def later_verb(sentence: str) -> str | None:
    """The verb of a sentence behind the first: in the third person, or a plain "Delete the …"."""
    start = _ADVERB.sub("", sentence)
    led = _ADVERB.sub("", _SUBJECT.sub("", start))
    if _ASKS.match(led):
        return None
    plain = led != start or _DRASTIC_OF.match(start)
    forms = THIRDS | PLAIN if plain else THIRDS
    verb = verb_at(led, forms) or second_verb(led, THIRDS) or unlisted_later(led)
    return None if verb in TAKES or _LETS.match(led) else verb
