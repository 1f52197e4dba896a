"""What a sentence tells that a call does, whoever does it: "The account is closed".

As in `unread.py`, any verb counts that is none of reading and none by which documents speak of
themselves ("The country is omitted"). "Items that are deleted" tells of the items.
"""

import re
from collections.abc import Callable

from gretel.catalog.effects.english import (
    base_forms,
    is_verb_before_noun,
    may_be_verb,
    tells_of_answers,
)
from gretel.catalog.effects.verb_forms import THIRDS
from gretel.catalog.effects.verb_lists import APART, NOUNS_TOO, VERB_OBJECTS, VERBS
from gretel.text.words import word_set

_THEN = (
    r"(?:(?:afterwards?|then|after that|as a (?:side[- ]effect|result|consequence)|also|thereby"
    r"|finally|in addition|(?:once|when) (?:it (?:is|was) )?\w+|on each call|each time|subsequently"
    r"|immediately)\s*,?\s+)?"
)
_ADVERBS = r"(?:(?:\w+ly|then|also|now|thereby|hereby|in turn)\s+)*"
_PASSIVE = re.compile(
    rf"{_THEN}(?P<thing>(?:the|this|all|an?|any|your|each|every|its|their|other)\s+"
    r"(?:(?!that\b|which\b|who\b|whose\b|when\b|where\b|if\b)[\w'-]+\s+){1,7}?)"
    rf"(?:is|are|gets?|will\s+be|becomes?)\s+{_ADVERBS}(?P<done>\w+)\b"
    r"(?!.*\b(?:after \d|daily|each|every|hourly|if|monthly|nightly|unless|weekly|yearly)\b)"
    r"(?:\s+(?P<particle>\w+))?",
    re.I,
)
_ACTIVE = re.compile(
    r"(?:(?:each|every|any|the|a)\s+(?:access|call|fetch|get|hit|lookup|query|read|request|view"
    rf"|visit)|\w{{2,}}ing\s+(?:it|this|them|the\s+\w+)(?:\s+(?:out|up))?)\s+(?:will\s+)?{_ADVERBS}"
    r"(?P<does>\w+)\s+(?:an?|all|any|every|her|his|it|its|one|the|their|them|this|your)\b",
    re.I,
)
_THEREBY = re.compile(
    r"(?:(?:afterwards?|then|after that|as a (?:side[- ]effect|result|consequence)|finally"
    r"|in addition|subsequently|immediately)\s*,?\s+(?:it|they)\s+(?:is|are|gets?|will\s+be)"
    rf"|it\s+is\s+(?:also|then|thereby))\s+{_ADVERBS}(?P<done>\w+)\b",
    re.I,
)
"""What is done to the thing that was spoken of: "As a side effect it is closed"."""
_CALLED = re.compile(
    r"(?:each|every)\s+(?:access|call|lookup|query|read|request|view|visit)\s+(?:is|gets|will\s+be)\s+"
    rf"{_ADVERBS}(?P<done>\w+)\b(?!.*\b(?:by|if|unless)\b)",
    re.I,
)
_DONE = re.compile(
    r"(?:(?:the|your|an?|all)\s+)?(?:[\w-]+\s+){1,3}?"
    r"(?:(?:was|were|ha(?:s|ve)\s+been|is|are|will\s+be)\s+(?:successfully\s+)?(?P<done>\w+)\s*"
    r"(?:successfully\s*)?(?:$|[.,!]|(?:by|for|from|on|to)\b)"
    r"|(?:successfully\s+)?(?P<short>\w+)\s*(?:successfully\s*)?[.!]?$)",
    re.I,
)
"""What an answer says was done: "The user was deleted", "Message sent"."""
_ENDS = re.compile(
    r"^your\s+[\w-]+\s+(?:becomes|changes\s+to|is\s+set\s+to)\b|"
    r"\b(?:stops?|ceases?) (?:working|to work|being valid)\b|\b(?:is|are|becomes?|will be)"
    r" (?:no longer (?:valid|usable|active|available|accessible)|invalid|void)\s+"
    r"(?:after|as soon|from|immed|once|there)",
    re.I,
)
"""What ends by a call: "The former key stops working"."""
_ON_DEVICE = re.compile(
    r"(?:prints?|displays?|shows?|says?|speaks?|announces?|plays?|sounds?|casts?|projects?|reads?|streams?)"
    r"\b[^.]{1,80}\b(?:at|in|on|over|through|to)\s+(?:all|an?|any|every|our|the|their|this|your)\s+"
    r"(?:[\w-]+\s+)?(?:printer|screen|speakers?|tv|television|monitor|lamp|intercom|wall|billboard|hall"
    r"|room|loudspeakers?|headset|dashboard|sign|led|projector)\b",
    re.I,
)
"""What is shown to people who are somewhere else."""
_ON_THINGS = word_set("bill book buy cancel charge delete pay place purge remove wipe")
"""What is done to no part of a document: "A market order is placed"."""
_BY_CALL = re.compile(
    r"\b(?:is|are|gets?|will\s+be)\s+(?P<done>\w+)\s(?:[^.]{0,80}\s)?(?:by|on|with|upon)\s+(?:this|each|every)\s+"
    r"(?:access|call|endpoint|fetch|lookup|operation|query|read|request|visit)\b",
    re.I,
)
_AFTER = re.compile(r"\b(?:after|and|before|by|then|while)\s+(\w{3,}ing)\s+(?:it|them)\b", re.I)
"""What happens to it as well: "Returns the value after raising it by one"."""
_THUS = re.compile(
    r",\s+(?:(?:also|hence|thereby|thus)\s+)?(\w{3,}ing)\s+(?:all|any|every|it|its|the|their|them"
    r"|this|your)\b",
    re.I,
)
"""What a call does besides: "Returns a new token, invalidating the old one"."""
_ALSO = re.compile(
    r"\b(?:and|then|but)\s+(?:then\s+|also\s+)?(\w+s)\s+(?:an?|all|any|every|her|his|its?|one|their|them|this|your)\b",
    re.I,
)
"""A second verb: "Returns the newest and prunes all older ones"."""
_SELF = re.compile(
    r"\b(?:api|approach|code|endpoint|error|field|format|list|message|method|object|operation"
    r"|order|output|parameter|payload|query|request|resource|response|results?|route|url"
    r"|values?|version|view)\s*$",
    re.I,
)
"""Things of a document's own, of which it tells what form they have."""
SPOKEN = word_set(
    """
    affect apply associate attach base bind cache call cap compose concern configure consider
    consist dedicate depend deprecate design devote disallow distribute divide document embed
    exclude expose fix follow forbid ignore inherit intend interest involve limit link mean
    mount nest omit order own pass permit populate position prefer prefix presume prohibit rate
    report reserve restrict round scope separate set specialize store structure subscribe
    suppose tie transmit truncate type understand update
    """
)
"""Verbs by which documents tell what things are like."""
_IRREGULAR = word_set(
    """
    begun:begin bought:buy broken:break built:build burnt:burn cut:cut drawn:draw frozen:freeze
    given:give hidden:hide made:make overwritten:overwrite paid:pay put:put rebuilt:rebuild
    reset:reset rewritten:rewrite sent:send shut:shut sold:sell taken:take thrown:throw undone:undo
    withdrawn:withdraw woken:wake written:write
    """
)
_BASES = {form: verb for form, _, verb in (pair.partition(":") for pair in _IRREGULAR)}
_BEHIND = re.compile(r"\s(?:about|at|by|for|from|in|of|on|to|with|without)\s", re.I)
"""What ends the head of a thing: "an SMS with a code"."""
_ANSWER = 200
"""Characters of an answer's description that are read."""
_ABOUT_VALUE = 1_000
"""Characters of a parameter's description that are read."""
_THE_CALL = re.compile(
    r"\b(?:this|the)\s+(?:api\s+)?(?:call|endpoint|method|operation|request|route)\s+(?P<will>will\s+)?"
    r"(?:\w+ly\s+)?(?P<does>\w+)\b",
    re.I,
)
_LISTED = VERBS | NOUNS_TOO | VERB_OBJECTS.keys()


def told_verb(sentence: str) -> str | None:
    """The verb of what is done to a thing, or of what a call does: "Each call decrements it"."""
    ends = _ENDS.search(sentence) or _ON_DEVICE.match(sentence)
    if ends:
        return ends[0].lower()
    passive = _PASSIVE.match(sentence)
    if passive:
        return _done_to(passive)
    thereby = _THEREBY.match(sentence) or _CALLED.match(sentence) or _BY_CALL.search(sentence)
    if thereby and (verb := _done(thereby["done"].lower(), "")):
        return verb
    active = _ACTIVE.match(sentence)
    if active:
        return _does(active["does"].lower(), may_be_verb)
    after = _AFTER.search(sentence)
    if after and (verb := next(filter(may_be_verb, _of_gerund(after[1].lower())), None)):
        return None if tells_of_answers(verb) or verb in SPOKEN else verb
    thus = _THUS.search(sentence)
    if thus and (verb := next(filter(VERBS.__contains__, _of_gerund(thus[1].lower())), None)):
        return None if verb in SPOKEN else verb
    also = _ALSO.search(sentence)
    return _does(also[1].lower(), is_verb_before_noun) if also else None


def _done_to(passive: re.Match[str]) -> str | None:
    """The verb of what is done to a thing; of few verbs also to one of a document's own."""
    verb = _done(passive["done"].lower(), (passive["particle"] or "").lower())
    own = _SELF.search(_BEHIND.split(passive["thing"], maxsplit=1)[0])
    return verb if verb in _ON_THINGS or not own else None


def verb_of_answer(text: str) -> str | None:
    """The verb of what an answer says was done: "The user was deleted"."""
    done = _DONE.match(text[:_ANSWER].strip())
    participle = (done["done"] or done["short"]).lower() if done else ""
    return next(filter(VERBS.__contains__, _bases(participle)), None) or _done(participle, "")


def verb_of_call(text: str) -> str | None:
    """The verb that a text, whatever it is about, says of the call: "what this call deletes"."""
    for found in _THE_CALL.finditer(text[:_ABOUT_VALUE]):
        word = found["does"].lower()
        verb = THIRDS.get(word, word if found["will"] else "")
        if verb in VERBS:
            return verb
    by = _BY_CALL.search(text[:_ABOUT_VALUE])
    return _done(by["done"].lower(), "") if by else None


def _done(participle: str, particle: str) -> str | None:
    """The verb of a participle, with the word behind it, where it changes something."""
    for verb in _bases(participle):
        phrasal = particle in VERB_OBJECTS.get(verb, APART)
        if verb in _LISTED or may_be_verb(verb):
            told = verb in SPOKEN or (tells_of_answers(verb) and not phrasal)
            return None if told else verb
    return None


def _does(word: str, known: Callable[[str], bool]) -> str | None:
    """The verb of a third person, where it changes something."""
    forms = (word, *base_forms(word))
    verb = next((each for each in forms if each in _LISTED or known(each)), "")
    return None if not verb or tells_of_answers(verb) or verb in SPOKEN - VERBS else verb


def _of_gerund(word: str) -> tuple[str, ...]:
    """The verbs whose -ing form a word can be."""
    stem = word.removesuffix("ing")
    return (f"{stem}e", stem, stem[:-1])


def _bases(participle: str) -> tuple[str, ...]:
    """The verbs whose participle a word can be: `stopped`, `closed`, `sent`."""
    if participle in _BASES:
        return (_BASES[participle],)
    if not participle.endswith("ed"):
        return ()
    stem = participle[:-2]
    doubled = (stem[:-1],) if stem[-2:-1] == stem[-1:] else ()
    ending = (f"{stem[:-1]}y",) if stem.endswith("i") else ()
    return (participle[:-1], stem, *doubled, *ending)
