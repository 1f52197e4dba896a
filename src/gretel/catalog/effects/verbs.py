"""Verbs that say of a call that it changes something, read off names.

`getDeletedItems`, `list_updates` and `last_update` change nothing; `verb_lists.py` has the words.
"""

import re

from gretel.catalog.effects.english import inflected, nouns_verbs
from gretel.catalog.effects.foreign_verbs import FOREIGN_VERBS
from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.verb_lists import (
    COMPOUNDS,
    DEEDS,
    DRASTIC,
    NOUNS_TOO,
    OBJECT,
    THINGS,
    VERB_OBJECTS,
    VERBS,
)
from gretel.text.words import word_set

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_BEFORE = word_set("api auto batch bulk do endpoint force mass my perform please rest tool v web")
"""Words in front of a name's verb that say nothing of what it does: `apiDeleteUser`."""
ALL_THINGS = THINGS | {f"{thing}s" for thing in THINGS}
_ABOUT = word_set(
    "events history info jobs logs markers options policies policy protection queue reason reasons "
    "requests status"
)
"""Words that make a thing of a drastic verb: the `delete-requests` of a user, `purge_status`."""
_ITSELF = word_set("events history logs queue")
"""Those that are what is deleted, behind a drastic verb that begins the name: `deleteLogs`."""
_SQUASHED = {
    f"{verb}{thing}": verb
    for verb, things in (*((verb, ALL_THINGS) for verb in VERBS), *VERB_OBJECTS.items())
    for thing in things
} | {f"{thing}{verb}": verb for verb in DRASTIC for thing in ALL_THINGS}
"""Verb and object in one word of small letters: `deleteuser`, `placeorder`, `userdelete`."""
NOUNS_AT_END = word_set("buy pay sell update write")
"""Verbs that are nouns at the end of a name, `weather_update`, but not behind a thing."""
_AT_END = VERBS - NOUNS_AT_END
"""Verbs that end a name behind what they are done to: `door_unlock`, `account_roles_create`."""
_SHORT = word_set("del mk rm upd")
"""Verbs beside a thing alone: `user_del`, `rmOrder`, but not `casaDelSol`."""
_CUT = word_set("chg crt deact rmv snd upd")
"""Verbs that are written short, at either end of a name: `usrUpd`, `msgSnd`."""
_KNOWN = VERBS | VERB_OBJECTS.keys() | _SHORT
_PART = re.compile(r"[./:#]|_(?=[A-Z][a-z]+[A-Z])")
"""What parts a name from that of its resource: `users.remove`, `Registry_UpdateApi`."""
_SHORTENED = re.compile(r"[b-df-hj-np-tv-xz]{2,6}|acct|addr|cust|doc|ord|proj|repo|usrs?")
"""A thing that is written short: `delUsr`, `rm_msg`."""
_RUN_ON = re.compile(
    r"(delete|destroy|erase|expunge|obliterate|purge|remove)(?!d|r?s?$|ables?$)[a-z]{3,}"
)
"""A drastic verb and whatever it is done to, in one word: `removewidgets`, but not `removables`."""
_LONGEST = 80
"""Characters of a name that may be a verb in disguise."""


def verb_of_name(name: str) -> str | None:
    """The verb of the name of an operation, of a path's last segment or of an action.

    `deleteUser`, `get_and_delete`, `user-delete`; not `getDeletedItems`, `updates`, `setlist`. In a
    name of several parts the last one counts, too: `messages.send`, `items:delete`, `users/remove`,
    `Registry_UpdateApi`.
    """
    last = _PART.split(name)[-1]
    return _verb_of_words(words_of(name)) or _verb_of_words(words_of(last))


def _verb_of_words(words: list[str]) -> str | None:
    words = bare(words)
    if not words:
        return None
    first, rest = words[0], words[1:]
    if first in VERBS and (not rest or rest[0] not in COMPOUNDS.get(first, ())):
        return first
    if first in NOUNS_TOO and rest and rest[0] in OBJECT:
        return first
    pairs = zip(rest, rest[1:], strict=False)
    joined = [after for word, after in pairs if word in ("and", "or", "then")]
    return next((word for word in joined if word in VERBS), None) or explicit_verb(words)


def explicit_verb(words: list[str]) -> str | None:
    """The verb of a name that says its object too, or whose last word is a drastic verb.

    `app_delete_user`, `users_delete_v2`, `placeMarketOrder`, `deleteuser`: so much is said that it
    counts within a path as well, as in `/delete-user/{id}/confirm`.
    """
    words = bare(words)
    if _begins_with_both(words):
        return words[0]
    if not words or words[0] in READING or _ABOUT.intersection(words):
        return None
    for first, second in zip(words, words[1:], strict=False):
        drastic = first in DRASTIC or first in _SHORT
        if second in VERB_OBJECTS.get(first, ()) or (drastic and _is_thing(second)):
            return first
        if first in ALL_THINGS and second in _SHORT:
            return second
    if words[2:] and words[2] in VERB_OBJECTS.get(words[0], ()):
        return words[0]
    foreign = next((word for word in words if word in FOREIGN_VERBS), None)
    if foreign:
        return foreign
    first, last = words[0], _before_by(words)[-1]
    if words[1:] and (first in DRASTIC or (first in VERBS and words[1] in ALL_THINGS)):
        return first
    if words[1:] and (deed := _deed(words)):
        return deed
    cut = next((each for each in (first, last) if words[1:] and each in _CUT), None)
    if cut:
        return cut
    shortened = last in _SHORT and "by" in words  # `usrDelById`
    if last in DRASTIC or shortened or (words[1:] and last in _AT_END):
        return last
    return next(filter(None, map(_squashed, words)), None)


def _begins_with_both(words: list[str]) -> bool:
    """Whether a name begins with a verb and with what is just its object: `deleteLogs/all`."""
    first, second, *_ = (*words, "", "")
    return second in VERB_OBJECTS.get(first, ()) or (first in DRASTIC and second in _ITSELF)


def _deed(words: list[str]) -> str | None:
    """The noun or -ing form of a verb that names what is done: `userDeletion`, `deletingUser`,
    `removal_of_user`.
    """
    first, last = words[0], _before_by(words)[-1]
    begins = first if words[1:2] == ["of"] or ALL_THINGS.intersection(words[1:2]) else ""
    for word in filter(None, (begins, last)):
        if names_deed(word):
            return word
    return None


def names_deed(word: str) -> bool:
    """Whether a word is the noun or another form of a verb that changes something: `removal`."""
    nouns, forms = DEEDS.intersection(nouns_verbs(word)), DRASTIC.intersection(inflected(word))
    return bool(nouns or forms)


def _is_thing(word: str) -> bool:
    return word in ALL_THINGS or _SHORTENED.fullmatch(word) is not None


def _squashed(word: str) -> str | None:
    """The verb of a word that is verb and object at once, whatever leads to it or follows it.

    `apideleteuser`, `userdeletebyid`, `removewidgets`.
    """
    whole = word.partition("by")[0]
    leads = ("", *(lead for lead in _BEFORE if word.startswith(lead)))
    for bared in (each.removeprefix(lead) for each in (word, whole) for lead in leads):
        run_on = _RUN_ON.fullmatch(bared)
        verb = _SQUASHED.get(bared) or (run_on[1] if run_on else None)
        if verb:
            return verb
    return None


def words_of(name: str) -> list[str]:
    """The words of a name in camel, snake or kebab case, in lower case.

    A verb is one word however it is written, alone or with its object: `de-lete`, `dElEtEuSeR`.
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    if name.lower() in VERBS:
        return [name.lower()]
    whole = "".join(words) if len(name) <= _LONGEST else ""
    seen = not _KNOWN.isdisjoint(words)
    return [whole] if whole in DRASTIC or (whole in _SQUASHED and not seen) else words


def bare(words: list[str]) -> list[str]:
    """The words without a neutral beginning and without a version at either end."""
    start, end = 0, len(words)
    while start < end - 1 and (words[start] in _BEFORE or words[start].isdigit()):
        start += 1
    while end - 1 > start and (words[end - 1] == "v" or words[end - 1].isdigit()):
        end -= 1
    return words[start:end]


def _before_by(words: list[str]) -> list[str]:
    """The words up to `by`: `user_delete_by_id`."""
    end = words.index("by") if "by" in words[1:] else len(words)
    return words[: max(end, 1)]
