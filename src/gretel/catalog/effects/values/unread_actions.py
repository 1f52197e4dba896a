"""Actions whose verb is not known to read: `hidePost`, `posts.hide`, `fork repo`, `posts/hide`."""

import re
from itertools import pairwise

from gretel.catalog.effects.english import (
    beneath,
    inflected,
    is_order,
    is_verb,
    may_be_verb,
    nouns_verbs,
    only_reads,
    tells_of_answers,
)
from gretel.catalog.effects.paths import segments_to_end
from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.unread import THINGS_BEHIND, unread_in_name
from gretel.catalog.effects.values.switches import NEGATED, changes_something
from gretel.catalog.effects.verb_lists import APART, EVENTS, VERB_OBJECTS
from gretel.catalog.effects.verbs import ALL_THINGS, bare, words_of
from gretel.text.words import word_set

_PART = re.compile(r"[.:#]")
_THINGS = ALL_THINGS.union(*VERB_OBJECTS.values()) - THINGS_BEHIND
"""What something is done to: before these a word is a verb that is a noun elsewhere."""
_TOLD = (
    THINGS_BEHIND
    | ALL_THINGS
    | word_set(
        "balance feed forecast live market porting price quote rating schedule top trend weather"
    )
)
"""Words that are verbs as well, and as an order say what is asked for: `action=balance`."""
_PARTICLES = APART | {"in"}
_PAIR = 2
_SHORTEST = 3
"""Letters of a value that is a verb: one of two is a code."""


def unread_action(text: str, *, order: bool, bare_word: bool) -> str | None:
    """The verb that the last part of an action's name begins with.

    Args:
        text: the value.
        order: whether its name says that it is an order (`action`, `cmd`): then it may have
            blanks, and be a word that is a noun as well.
        bare_word: whether a word by itself counts; as a `mode` or an `intent` it says how
            something is done, or what about.
    """
    if not order and len(text.split(None, 1)) > 1:
        return None
    parts = segments_to_end(_PART.sub("/", text.strip()))
    words = bare(words_of(parts[-1]))
    if len(words) == 1 and not any(parts[:-1]):
        return _ordered(words) if order else unread_in_name(words) if bare_word else None
    if order and _is_order(words) or _is_done_to(parts[-2:-1], words):
        return words[0]
    return unread_in_name(words) or (_ordered(words) if order else None)


def unread_choice(text: str) -> str | None:
    """The verb that is all of a value that its document chose: `x=annihilate`, `x=evictUser`."""
    words = bare(words_of(text))
    if words[1:]:
        verb = unread_in_name(words)
        return verb if verb and changes_something(verb) else None
    sure = (word for word in words if len(word) >= _SHORTEST and is_verb(word))
    return next(filter(changes_something, sure), None)


def _is_done_to(before: list[str], words: list[str]) -> bool:
    """Whether a word is what is done to the thing before it: `account.close`."""
    things = words_of(before[0])[-1:] if before else []
    return len(words) == 1 and bool(things) and things[0] in VERB_OBJECTS.get(words[0], ())


def _ordered(words: list[str]) -> str | None:
    """The verb of an order, in whatever form and place: `user_evicts`, `eviction`, `doEvict`.

    All that may be a verb counts here, but for what reads and for things: `arm`, `lights-off`.
    """
    if not words or words[0] in READING or not NEGATED.isdisjoint(words):
        return None
    if words[1:] and words[-1] in _PARTICLES:
        return words[0]
    known = may_be_verb if words[1:] == [] else is_verb
    for word, after in pairwise([*words, "of"]):
        bases = inflected(word) if _TOLD.isdisjoint(inflected(word)) else ()
        forms = filter(known, bases)
        named = nouns_verbs(word) if after == "of" else ()
        verb = next((each for each in (*forms, *named) if not tells_of_answers(each)), None)
        if verb or word in EVENTS or _is_made_verb(word):
            return verb or word
    return words[0] if words[1:] == [] and is_order(words[0]) else None


def _is_made_verb(word: str) -> bool:
    """Whether a word that no dictionary has is made as verbs are: `unstake`, `zeroize`."""
    made = any(map(may_be_verb, beneath(word))) or word.endswith(("ise", "ize", "ify"))
    return made and not may_be_verb(word) and not only_reads(word)


def _is_order(words: list[str]) -> bool:
    done = len(words) == _PAIR and words[1] in _THINGS
    return done and may_be_verb(words[0]) and not tells_of_answers(words[0])
