"""Verbs that a value says in another form than an order: as a noun, or as a script's command."""

import re

from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.verb_lists import DRASTIC
from gretel.catalog.effects.verbs import ALL_THINGS
from gretel.text.words import word_set

_NOUNS = {
    "cancellation": "cancel",
    "deactivation": "deactivate",
    "deletion": "delete",
    "destruction": "destroy",
    "erasure": "erase",
    "removal": "remove",
    "revocation": "revoke",
    "termination": "terminate",
}
_CARRIED_OUT = word_set(
    "auto batch bulk do execute force handle hard initiate issue make mass perform process request"
    " run soft trigger"
)
"""Words that only say that what the noun behind them says is done: `performUserRemoval`."""
_CARRIES_OUT = word_set("action endpoint handler operation")
"""Words that say so behind it: `userDeletionHandler`."""
_DOING = {f"{verb.removesuffix('e')}ing": verb for verb in DRASTIC}
_COMMAND = re.compile(r"call\s?\(\s?['\"](\w{2,40})")
"""`redis.call('del', …)`."""
_COMMANDS = DRASTIC | word_set("del flushall flushdb hdel hset set unlink")


def verb_of_noun(words: list[str]) -> str | None:
    """The verb of a noun that names an action: `deletion`, `user-removal`, `removal_of_id`.

    Not of `deletion_policy`; a noun in -ing stands alone, or behind a thing.
    """
    ends = zip(words, [*words[1:], "of"], strict=False)
    noun = next((word for word, after in ends if word in _NOUNS and after == "of"), "")
    *before, last = words or [""]
    doing = _DOING.get(last) if ALL_THINGS.issuperset(before) else None
    return _NOUNS.get(noun) or doing


def verb_of_carried_out(words: list[str]) -> str | None:
    """The verb of a name that carries out what its noun says: `request_account_deletion`."""
    if _CARRIED_OUT.intersection(words[:1]):
        return verb_of_noun(words[1:])
    ends = READING.isdisjoint(words[:1]) and _CARRIES_OUT.intersection(words[-1:])
    return verb_of_noun(words[:-1]) if ends else None


def verb_of_script(text: str) -> str | None:
    """The command that a script in `text` calls, where it writes."""
    commands: list[str] = _COMMAND.findall(text)
    return next((each for each in commands if each.lower() in _COMMANDS), None)
