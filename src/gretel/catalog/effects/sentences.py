"""Verbs that say of a call that it changes something, read off descriptions.

What counts is the verb at the head of a sentence, or behind words that only lead to it: "This
endpoint deletes …". "List updates" and "Search by created date" change nothing. Behind the first
sentence only the third person counts: "Deletes the user" tells what the call does, "Create a user
first" tells the reader what to do.
"""

import re
from collections.abc import Iterator

from gretel.catalog.effects.consequences import consequence, moving_title
from gretel.catalog.effects.english import (
    base_forms,
    is_verb,
    is_verb_before_noun,
    may_be_verb,
    tells_of_answers,
)
from gretel.catalog.effects.foreign_heads import verb_in_other_language
from gretel.catalog.effects.foreign_told import told_in_other_language
from gretel.catalog.effects.foreign_verbs import (
    FOREIGN_THIRDS,
    FOREIGN_VERBS,
    verb_in_other_script,
)
from gretel.catalog.effects.told import SPOKEN, told_verb
from gretel.catalog.effects.unread import unread_in_text
from gretel.catalog.effects.verb_forms import GERUNDS, NOUN_FORMS, PLAIN, THIRDS
from gretel.catalog.effects.verb_lists import (
    COMPOUNDS,
    DRASTIC,
    NOUNS_TOO,
    OBJECT,
    VERB_OBJECTS,
    VERBS,
)
from gretel.text.confusables import skeleton
from gretel.text.words import STOP_WORDS, word_set

_TEXT, _SENTENCES = 20_000, 400
"""Characters and sentences of a description in which verbs are looked for; no honest one of a call
that reads has more, and what is behind them nobody has read."""
_SENTENCE = 2_000
"""Characters of one sentence."""
_UNREAD = "unread"
_GAP = re.compile(r"\s+")
_MARKUP = re.compile(
    r"<[^<>]{0,80}>|[*_`#~]+|\[(?=[^\[\]]{1,80}\]\()|(?<=[^\W_])\]\([^()\s]{0,200}\)"
)
"""Tags, signs of emphasis, and what stands around the words of a link."""
_END = re.compile(r"(?<=[.!?:;])\s+|\n+|\s+[-\u2013\u2014]+\s+")
_TAG = re.compile(r"^[^\w\[(]*(?:[\[(][^\])\[(]{0,40}[\])]\s*)*(?:\d+[.)]\s*)?\W*")
_LABEL = re.compile(
    r"^(?:admin|attention|beta|caution|danger|deprecated|experimental|important|internal|legacy|note"
    r"|private|warning)\b(?:\s+only)?\W*",
    re.I,
)
"""What stands before a description without being its beginning: "DEPRECATED: Delete …"."""

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
_OBJECT = rf"(?:{'|'.join(sorted(OBJECT))})\b"
_JOINED = re.compile(r"^\w+\s*(?:,|/|&|and|or|and\s+then|then)\s*(?:then\s+)?(\w+)", re.I)
_AND_IT = re.compile(r"\band\s+(?:then\s+)?(\w+)\s+(?:it|them)\b", re.I)
_AS_WELL = re.compile(
    r"(?:fetch|get|list|obtain|poll|read|return|retrieve)(?:e?s)?\s+(?:[\w'-]+\s+){1,6}and\s+(?:then\s+)?"
    r"(?!(?:have|hold|receive)\b)(\w+)\s+(?:it|them)\b",
    re.I,
)
"""What is done to what was read: "Fetch mail and mark it as read"."""
_BEHIND = re.compile(
    rf"(?:[,;]|\band)\s+(?:and\s+)?then\s+(\w+)\s+(?:it|them|{_OBJECT})|\band\s+(\w+s)\s+{_OBJECT}",
    re.I,
)
"""A verb further on: "Read a note, then delete it", "Returns a token and revokes the old one"."""
_ASKS = re.compile(
    r"^(?:execute|run|invoke)\b[^.]*\b(?:query|queries|search|view)\b"
    r"|^send\b[^.]*\bto (?:get|obtain|receive|retrieve)\b",
    re.I,
)
"""A sentence whose verb of change only says how to ask: "Send a name to receive …"."""
_NOUN = re.compile(
    r"^(?:\w+\s+){0,2}(deletion|removal|cancellation|revocation)(?:\s+of\b|\W*$)", re.I
)
_TAKES = word_set("accept follow")
"""Verbs that tell of a call's arguments: "Accepts a list of ids"."""
_DONE_TO = re.compile(
    rf"([a-z]{{3,20}})\s+(?!a\s){_OBJECT}"
    r"|([a-z]{3,20})\s+a\s[^.]{0,100}\b(?:by|for|from|its|of|the|this|to|with|your)\b",
    re.I,
)
"""A verb and an object; `a` is an article where the words behind it are English, too."""
_ARE = re.compile(
    r"(?:are|at|between|by|can|for|from|have|in|may|must|near|of|that|were|where|which|who|will)\b"
)
_ASKED = re.compile(r"[^.]*\b(?:argument|filter|ids?|list|param\w*|returns?|screenshot|values?)\b")
"""What a call takes to answer."""
_ASIDE = SPOKEN | _TAKES | word_set("convey fail mirror note raise replicate skip")
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
_GERUND_OF = re.compile(rf"\w+ing\s+{_OBJECT}", re.I)
_DRASTIC_OF = re.compile(rf"(?:{'|'.join(sorted(DRASTIC))})\s+{_OBJECT}", re.I)
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
_CONNECTORS = word_set(
    "and are as at between by for from in is of or per that to when where which with"
)
"""Words behind which a verb's object does not stand any more."""
_NEAR = 4
_DATED = [["am"], ["im"], ["seit"], ["von"]]
"""Behind these a German third person is a participle: "Storniert am"."""
_SHORT_SENTENCE = 8
"""Words of one that is a title, as "Ein Konto löschen" is."""


def verb_of_text(text: str) -> str | None:
    """The verb of a description: "Deletes a user", "Get and remove the next one"."""
    text = _squeezed(text)
    if len(text) > _TEXT:
        return _UNREAD
    if verb := verb_in_other_script(text) or told_in_other_language(text):
        return verb
    for number, sentence in enumerate(_sentences(text)):
        if number == _SENTENCES:
            return _UNREAD
        verb = _later(sentence) if number else _first(sentence) or moving_title(sentence)
        told = verb or told_verb(sentence) or consequence(sentence)
        if verb := told or _foreign(sentence, ends=number == 0):
            return verb
    return None


def _foreign(sentence: str, *, ends: bool) -> str | None:
    """The verb at the head of a sentence in another language, or at its end: "Konto löschen"."""
    found: list[str] = re.findall(r"[^\W\d_]+", sentence[:200])
    words = [word.lower() for word in found] or [""]
    if words[0] in FOREIGN_VERBS | FOREIGN_THIRDS and words[1:2] not in _DATED:
        return words[0]
    if ends and len(words) <= _SHORT_SENTENCE and words[-1] in FOREIGN_VERBS:
        return words[-1]
    return verb_in_other_language(sentence) if ends else None


def _squeezed(text: str) -> str:
    """The text with one blank or line's end for each run of them: no gap hides what follows."""
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", text)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a description, without markup, bullets, tags and labels before them."""
    bare = _squeezed(_MARKUP.sub("", skeleton(text)))
    plain = re.sub(r"\b(un|e)-(?=\w)", r"\1", bare, flags=re.I)
    for part in _END.split(plain):
        sentence = _LABEL.sub("", _TAG.sub("", part[:_SENTENCE]))
        if sentence:
            yield sentence


def _first(sentence: str) -> str | None:
    """The verb of the first sentence, which may be an imperative or a noun."""
    start = _ADVERB.sub("", sentence)
    led = _ADVERB.sub("", _SUBJECT.sub("", _LEAD_IN.sub("", start)))
    noun = _NOUN.match(led)
    if noun:
        return noun[1].lower()
    if _ASKS.match(led):
        return None
    said = _PASSIVE.match(start) or _PHRASAL.match(led)
    if said:
        return said[1].lower()
    forms = PLAIN | THIRDS
    named = led != start or _GERUND_OF.match(start)
    verb = _verb(led, forms | GERUNDS if named else forms) or _verb_of_others(led, forms)
    wished = _verb(_ADVERB.sub("", _WISH.sub("", start)), PLAIN)
    return verb or (wished if wished in DRASTIC else None) or _unread(led) or _unread_later(led)


def _unread(led: str) -> str | None:
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


def _verb_of_others(led: str, forms: dict[str, str]) -> str | None:
    """The second verb of a sentence: "Get and remove …", "Gets a job and removes it"."""
    joined = _JOINED.match(led)
    if joined and (verb := _verb(led[joined.start(1) :], forms)):
        return verb
    and_it = _AND_IT.search(led)
    if and_it and forms.get(and_it[1].lower()) in VERBS:
        return forms[and_it[1].lower()]
    as_well = _AS_WELL.match(led)
    if as_well and is_verb_before_noun(done := as_well[1].lower()):
        return None if tells_of_answers(done) or done in _ASIDE else done
    behind = _BEHIND.search(led)
    then, third = (word.lower() for word in behind.groups("")) if behind else ("", "")
    verb = PLAIN.get(then) or (None if third in NOUN_FORMS else THIRDS.get(third))
    return verb if verb in VERBS else None


def _later(sentence: str) -> str | None:
    """The verb of a sentence behind the first: in the third person, or a plain "Delete the …"."""
    start = _ADVERB.sub("", sentence)
    led = _ADVERB.sub("", _SUBJECT.sub("", start))
    if _ASKS.match(led):
        return None
    plain = led != start or _DRASTIC_OF.match(start)
    forms = THIRDS | PLAIN if plain else THIRDS
    verb = _verb(led, forms) or _verb_of_others(led, THIRDS) or _unread_later(led)
    return None if verb in _TAKES or _LETS.match(led) else verb


def _unread_later(led: str) -> str | None:
    """The third person of a verb of no list, with its object: "Printer. Prints the file"."""
    word, _, behind = led.partition(" ")
    forms = base_forms(word.lower())
    if not word.istitle() or _ARE.match(behind):  # a line that goes on, or a plural
        return None
    taken = "take" if word == "Takes" and not _ASKED.match(behind) else None
    known = may_be_verb if _DONE_TO.match(led) or behind.startswith("a ") else is_verb
    told = any(map(tells_of_answers, forms)) or _ASIDE.intersection(forms)
    return taken or (None if told else next(filter(known, forms), None))


def _verb(start: str, forms: dict[str, str]) -> str | None:
    """The verb that begins `start`, in its plain form; None where it reads as a noun."""
    first, *rest = [word.lower() for word in re.findall(r"[A-Za-z]+", start[:200])] or [""]
    base = forms.get(first)
    if base is None or (first != base and rest[:1] == ["of"]):  # "Bans of a user"
        return None
    objected = bool(rest) and rest[0] in OBJECT
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
