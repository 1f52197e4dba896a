"""Verbs that say of a call that it changes something, read off descriptions.

What counts is the verb at the head of a sentence, or behind words that only lead to it: "This
endpoint deletes …". "List updates" and "Search by created date" change nothing. Behind the first
sentence only the third person counts: "Deletes the user" tells what the call does, "Create a user
first" tells the reader what to do.
"""

import re
from collections.abc import Iterator
from html import unescape

from gretel.catalog.effects.descriptions.consequences import consequence, moving_title
from gretel.catalog.effects.descriptions.drastic import drastic_words
from gretel.catalog.effects.descriptions.foreign_heads import verb_in_other_language
from gretel.catalog.effects.descriptions.foreign_told import told_in_other_language
from gretel.catalog.effects.descriptions.heads import first_verb, later_verb
from gretel.catalog.effects.descriptions.told import told_verb
from gretel.catalog.effects.foreign_verbs import (
    FOREIGN_THIRDS,
    FOREIGN_VERBS,
    verb_in_other_script,
)
from gretel.text.confusables import skeleton

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
_BREAK = re.compile(r"</?(?:br|div|h[1-6]|hr|li|ol|p|t[dhr]|ul)\b[^<>]{0,80}>", re.I)
"""Tags at which a line ends."""
_END = re.compile(r"(?<=[.!?:;])\s+|\n+|\s+[-\u2013\u2014]+\s+")
_TAG = re.compile(r"^[^\w\[(]*(?:[\[(][^\])\[(]{0,40}[\])]\s*)*(?:\d+[.)]\s*)?\W*")
_LABEL = re.compile(
    r"^(?:admin|attention|beta|caution|danger|deprecated|experimental|important|internal|legacy|note"
    r"|private|warning)\b(?:\s+only)?\W*",
    re.I,
)
"""What stands before a description without being its beginning: "DEPRECATED: Delete …"."""
_DATED = [["am"], ["im"], ["seit"], ["von"]]
"""Behind these a German third person is a participle: "Storniert am"."""
_SHORT_SENTENCE = 8
"""Words of one that is a title, as "Ein Konto löschen" is."""


def verb_of_text(text: str) -> str | None:
    """The verb of a description: "Deletes a user", "Get and remove the next one"."""
    text = _squeezed(unescape(text))
    if len(text) > _TEXT:
        return _UNREAD
    if verb := verb_in_other_script(text) or told_in_other_language(text):
        return verb
    for number, sentence in enumerate(_sentences(text)):
        if number == _SENTENCES:
            return _UNREAD
        verb = later_verb(sentence) if number else first_verb(sentence) or moving_title(sentence)
        told = verb or told_verb(sentence) or consequence(sentence)
        if verb := told or _foreign(sentence, ends=number == 0):
            return verb
    return drastic_words(skeleton(text))


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
    bare = _squeezed(_MARKUP.sub("", _BREAK.sub("\n", skeleton(text))))
    plain = re.sub(r"\b(un|e)-(?=\w)", r"\1", bare, flags=re.I)
    for part in _END.split(plain):
        sentence = _LABEL.sub("", _TAG.sub("", part[:_SENTENCE]))
        if sentence:
            yield sentence
