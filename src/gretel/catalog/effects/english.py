"""Verbs of English: which words are some, before all else or beside a noun.

The words, how often each is a verb, and the nouns of what verbs do are those of WordNet
(`verbs.json`, made by `training/lexicon/verbs.py`; licence in `WORDNET.txt`). Which of them only
read stands in `reading_verbs.py`.
"""

import json
from functools import cache
from pathlib import Path

from gretel.catalog.effects.reading_verbs import READ, TELLING
from gretel.catalog.effects.verb_lists import NOUNS_TOO, VERBS

WORDS = Path(__file__).with_name("verbs.json")
PREFIXES = ("un", "re", "de", "dis", "auto")
"""What makes a verb of a verb: `unpin`, `requeue`, `deregister`, where the whole is in no list."""
_STEM = 3
"""Letters of a verb before -ing, at least: `king` is none."""
KINDS = ("verbs alone", "verbs first", "verbs before nouns", "nouns first")
"""Words that are verbs: nothing else (`impersonate`), before all else (`hide`), at least before a
noun (`open`, `transfer`), or after one, in English or as the names of fields (`star`, `plan`)."""


def is_only_verb(word: str) -> bool:
    """Whether a word is a verb and nothing else."""
    words = _english()
    other = word in words["no verbs"] or any(word in words[kind] for kind in KINDS[1:])
    return word in words[KINDS[0]] or (not other and any(map(_is_sure, beneath(word))))


def is_verb(word: str) -> bool:
    """Whether a word is a verb before it is anything else."""
    return _is_sure(word) or is_only_verb(word)


def is_verb_before_noun(word: str) -> bool:
    """Whether a word is a verb more often than a noun."""
    return word in _english()[KINDS[2]] or is_verb(word)


def may_be_verb(word: str) -> bool:
    """Whether a word is a verb at all."""
    return word in _english()[KINDS[3]] or is_verb_before_noun(word)


def beneath(word: str) -> set[str]:
    """What a word would be made of, were it a verb with a prefix."""
    return {word[len(prefix) :] for prefix in PREFIXES if word.startswith(prefix)}


def _is_sure(word: str) -> bool:
    words = _english()
    return word in words[KINDS[0]] or word in words[KINDS[1]]


def only_reads(word: str) -> bool:
    """Whether a verb is known to read or to compute, whoever says it; `recount` is like `count`."""
    american = f"{word[:-3]}ize" if word.endswith("ise") else word
    again = american.removeprefix("re") if word not in VERBS else american  # `reload`, `relocate`
    return any(form in READ for form in (word, american, again))


def is_order(word: str) -> bool:
    """Whether a word that orders something to be done changes something: `action=hide`."""
    return word in NOUNS_TOO or (is_verb_before_noun(word) and not only_reads(word))


def tells_of_answers(word: str) -> bool:
    """Whether a description may begin with a verb and only tell of an answer: `contains`."""
    return only_reads(word) or word in TELLING


def base_forms(word: str) -> tuple[str, ...]:
    """The verbs whose third person a word can be."""
    if not word.endswith("s") or word.endswith("ss"):
        return ()
    bare = word[:-1]
    forms = [bare]
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("ies"):
        forms.append(f"{word[:-3]}y")
    return tuple(forms)


def inflected(word: str) -> tuple[str, ...]:
    """The verbs whose form a word can be, as `deletes` and `deleting`; itself first."""
    return (word, *base_forms(word), *_of_gerund(word))


def _of_gerund(word: str) -> tuple[str, ...]:
    """The verbs whose -ing form a word can be: `stopping`, `wiping`, `killing`."""
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < _STEM:
        return ()
    doubled = (stem[:-1],) if stem[-1] == stem[-2] else ()
    return (stem, f"{stem}e", *doubled)


def nouns_verbs(word: str) -> tuple[str, ...]:
    """The verbs of a noun of what is done: `deletion`, `unsubscription`."""
    deeds = _deeds()
    fronts = (front for front in ("", *PREFIXES) if word.startswith(front))
    return tuple(f"{front}{verb}" for front in fronts for verb in deeds.get(word[len(front) :], ()))


@cache
def _deeds() -> dict[str, tuple[str, ...]]:
    """Nouns of what verbs do, each with its verbs."""
    found: dict[str, tuple[str, ...]] = {}
    for pair in _lists()["deeds"].split():
        noun, _, verb = pair.partition(":")
        found[noun] = (*found.get(noun, ()), verb)
    return found


@cache
def _english() -> dict[str, frozenset[str]]:
    """The words of each kind, and `no verbs`, which only look like one with a prefix."""
    return {kind: frozenset(_lists()[kind].split()) for kind in (*KINDS, "no verbs")}


@cache
def _lists() -> dict[str, str]:
    """What the file holds, which is read once."""
    found: dict[str, str] = json.loads(WORDS.read_text(encoding="utf-8"))
    return found
