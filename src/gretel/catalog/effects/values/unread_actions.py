"""Actions whose verb is not known to read: `hidePost`, `posts.hide`, `fork repo`, `posts/hide`."""

import re

from gretel.catalog.effects.english import is_order, may_be_verb, tells_of_answers
from gretel.catalog.effects.paths import segments_to_end
from gretel.catalog.effects.unread import THINGS_BEHIND, unread_in_name
from gretel.catalog.effects.verb_lists import VERB_OBJECTS
from gretel.catalog.effects.verbs import ALL_THINGS, bare, words_of

_PART = re.compile(r"[.:#]")
_THINGS = ALL_THINGS.union(*VERB_OBJECTS.values()) - THINGS_BEHIND
"""What something is done to: before these a word is a verb that is a noun elsewhere."""
_PAIR = 2


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
        return None if order or not bare_word else unread_in_name(words)
    if order and _is_order(words) or _is_done_to(parts[-2:-1], words):
        return words[0]
    return unread_in_name(words)


def _is_done_to(before: list[str], words: list[str]) -> bool:
    """Whether a word is what is done to the thing before it: `account.close`."""
    things = words_of(before[0])[-1:] if before else []
    return len(words) == 1 and bool(things) and things[0] in VERB_OBJECTS.get(words[0], ())


def _is_order(words: list[str]) -> bool:
    if len(words) == 1:
        return is_order(words[0])
    done = len(words) == _PAIR and words[1] in _THINGS
    return done and may_be_verb(words[0]) and not tells_of_answers(words[0])
