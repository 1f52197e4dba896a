"""Verbs that a value says in another form than an order: as a noun, or as a script's command."""

import re
from itertools import pairwise

from gretel.catalog.effects.english import inflected, nouns_verbs
from gretel.catalog.effects.verb_lists import DEEDS, DRASTIC
from gretel.catalog.effects.verbs import ALL_THINGS
from gretel.text.words import word_set

_COMMAND = re.compile(r"call\s?\(\s?['\"](\w{2,40})")
"""`redis.call('del', …)`."""
_COMMANDS = DRASTIC | word_set("del flushall flushdb hdel hset set unlink")


def verb_of_other_form(words: list[str]) -> str | None:
    """The verb of another form that names an action: `deletion`, `user-removal`, `removal_of_id`,
    `deleting_user`, `user_deletes`.

    Not of `deletion_policy`; an -ing form or a third person stands beside things alone.
    """
    for at, (word, after) in enumerate(pairwise([*words, "of"])):
        around = [*words[:at], *words[at + 1 :]]
        nouns = nouns_verbs(word) if after == "of" else ()
        forms = inflected(word) if ALL_THINGS.issuperset(around) else ()
        verb = next(filter(DEEDS.__contains__, (*nouns, *forms)), None)
        if verb:
            return verb
    return None


def verb_of_script(text: str) -> str | None:
    """The command that a script in `text` calls, where it writes."""
    commands: list[str] = _COMMAND.findall(text)
    return next((each for each in commands if each.lower() in _COMMANDS), None)
