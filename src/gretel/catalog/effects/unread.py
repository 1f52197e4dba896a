"""Verbs that are not known to read, where names, paths and descriptions have their verb.

What changes something has more verbs than a list can hold, what reads or computes has few. So a
word counts that is an English verb before it is anything else (`english.py`), stands where a verb
does, and is none of reading: `hidePost`, `/posts/{id}/hide`, "Hide post".
"""

import re
from collections.abc import Sequence

from gretel.catalog.effects.english import (
    base_forms,
    is_only_verb,
    is_order,
    is_verb,
    is_verb_before_noun,
    may_be_verb,
    only_reads,
    tells_of_answers,
)
from gretel.catalog.effects.paths import TEMPLATE, segments_of, segments_to_end, with_places
from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.verb_lists import APART, COMPOUNDS, NOUNS_TOO, OBJECT, VERB_OBJECTS
from gretel.catalog.effects.verbs import ALL_THINGS, NOUNS_AT_END, bare, names_deed, words_of
from gretel.text.words import STOP_WORDS, word_set

_PARTICLES = APART | word_set("in on over")
"""Words with which a word that is a noun as well is a verb: `top-up`, "Top up an account"."""
THINGS_BEHIND = word_set(
    """
    address alert amount artifact at by code config configuration count data date detail details
    estimate event events exchange file files for frequency from group groups hash history id
    ids in info interval item items key keys limit limits link links list location log logs
    message metadata mode name names node number numbers of offset option options order page
    path plan point policies policy port price queue rate rates reason reasons record records
    report request requests result results route rule rules schedule score service set settings
    size source speed state stats status summary table tag tags target text time times title to
    token tool type types url urls value values version versions with
    """
)
"""Words behind a verb that is a noun as well, with which it names a thing: `syncStatus`."""
RESOURCES = word_set(
    "call cast commit contribute cover feed live manifest mention offer podcast report sign swagger"
    " vote"
)
"""Verbs that a part of a thing is often called by: `/users/{id}/feed`."""
_DONE = (NOUNS_TOO | VERB_OBJECTS.keys() | word_set("arm heat mint reverse scrap")) - (
    THINGS_BEHIND | ALL_THINGS | RESOURCES | word_set("archive import open run store track")
)
"""Nouns that are verbs as well, and that no part of a thing is called by: `/users/{id}/mute`."""
_ADVERBS = word_set("also always auto can just never now only please pre self then to")
"""Words between a thing and its verb, or before one that says how something is: `auto_connect`."""
_DONE_TO_THINGS = NOUNS_AT_END | word_set(
    """
    accept clear close confirm decline deploy disconnect empty flush follow increment invoke move
    mute notify pause promote put quarantine register reindex restore retry revert start stop sync
    trash
    """
)
"""Verbs that end a name right behind a thing: `user_update`, `job-start`, but not `trip_start`."""
_DEEDS = word_set("build call charge change import record report run track trade transfer vote")
"""Verbs that are nouns of what was done to a thing, behind it: `job_run`, `token_transfer`."""
_NEWS = word_set(
    """
    covid crypto daily feed firmware flight game info last latest live market match monthly new
    news next price prices progress real recent score scores software sport sports state stats
    status stock system time traffic version weather weekly
    """
)
"""Words that make a piece of news of an update."""
_LOOKED_AT = 6
"""Words behind "and" that say whether a verb stands there."""
_NO_THINGS = word_set("api rest service services v version")
"""What stands before a number that is a version: `/api/1/open`."""
_FUNCTION = (STOP_WORDS | word_set("das den der des die el la las le les los un une")) - word_set(
    "a all an and any it new on the them this your"
)
_HEAD = re.compile(r"([a-z]{2,30})(?:[ /]([a-z]{1,30}))?(?:\s+([a-z]+))?", re.I)
_OBJECT = OBJECT | word_set("every its my their them these those")


def unread_verb(operation: str, path: str, *, declared: bool) -> str | None:
    """The verb of an operation's name, or of its path's end, that is not known to read.

    The path is that of its server and its own, with its templates and without a query; `declared`
    says whether the document gives the name.
    """
    name = bare(words_of(operation))
    segments = segments_to_end(with_places(path))
    last = bare(words_of(segments[-1]))
    return (
        unread_in_name(name, segments_of(TEMPLATE.sub("", path)))
        or _behind_and(name)
        or _at_end(segments, name if declared else ())
        or unread_of_owner(segments, last, name)
    )


def unread_path(path: str, name: Sequence[str] = ()) -> str | None:
    """The verb that a path ends with, as it is sent: `/posts/7/hide/`.

    Nothing stands in a place whose value is not looked at. `name` are the words of the operation's
    name, where the document wrote the path's end itself.
    """
    return _at_end(segments_to_end(path), name)


def _at_end(segments: Sequence[str], name: Sequence[str]) -> str | None:
    """The verb of the last segment, with or without what a semicolon adds: `hide;v=1`, or behind
    the thing before a colon: `posts:hide`.
    """
    last = segments[-1]
    parts = (last, last.partition(";")[0], last.rpartition(":")[2])
    words = (bare(words_of(said)) for said in parts)
    return next(filter(None, (unread_in_path(segments, each, name) for each in words)), None)


def _behind_and(words: Sequence[str]) -> str | None:
    """The verb that a name says besides another one: `getAndHidePost`, `listAndArchive`.

    Right behind a verb of reading and "and" stands a verb; elsewhere it must be one before all, and
    no part of a thing: `getPickupAndDropOff`.
    """
    for at, word in enumerate(words[:-1]):
        if word not in ("and", "then"):
            continue
        behind, *rest = words[at + 1 : at + 1 + _LOOKED_AT]
        first = at == 1 and words[0] in READING and is_order(behind)
        alone = is_verb(behind) and unread_in_name([behind, *rest])
        sure = first or (alone and _PARTICLES.isdisjoint(rest[:1]))
        if sure and not tells_of_answers(behind):
            return behind
    return None


def unread_in_name(words: Sequence[str], path: Sequence[str] = ()) -> str | None:
    """The verb that begins the name of an operation: `hidePost`, `force_logout`.

    The path's segments show where a thing is called by what could be a verb: `/builds/{id}`,
    `/StopPoint/{id}/lines`.
    """
    if not words or not is_verb(words[0]) or tells_of_answers(words[0]):
        return _behind_thing(words, named=bool(path))
    first, rest = words[0], words[1:]
    thing = rest and (rest[0] in COMPOUNDS.get(first, ()) or rest[-1] in THINGS_BEHIND)
    plural = not is_only_verb(first) and any(word.endswith("s") for word in rest)
    named = {f"{first}s", "".join(words[:2])} & {each.lower() for each in path[:-1]}
    return None if thing or plural or named or not READING.isdisjoint(rest) else first


def _behind_thing(words: Sequence[str], *, named: bool) -> str | None:
    """The verb that ends a name, behind what it is done to: `cluster_calibrate`, `nodes.drain`.

    A word that is a noun as well must be one that is done to that thing; "update" is a noun at the
    end of a path, which is not `named` by its document.
    """
    end = words.index("by") if "by" in words else len(words)
    *_, thing, last = ("", "", *words[:end])
    if not thing or not READING.isdisjoint(words) or tells_of_answers(last):
        return None
    done = (
        is_only_verb(last)
        or (
            is_verb_before_noun(last) and last not in _DEEDS and thing in VERB_OBJECTS.get(last, ())
        )
        or (last in _DONE_TO_THINGS and thing in ALL_THINGS)
        or (named and last == "update" and thing not in _NEWS)
    )
    return last if done and last not in RESOURCES and thing not in _ADVERBS else None


def unread_in_path(
    segments: Sequence[str], words: Sequence[str], name: Sequence[str] = ()
) -> str | None:
    """The verb that a path ends with: `/posts/{id}/hide`, `/users/{id}/make-owner`.

    `words` are those of the last segment. Where the document gives the operation a name, a word
    behind a verb of reading is a thing: `invite` of `getGroupInvite`.
    """
    if not words or not segments[-1] or RESOURCES.issuperset(words):
        return None
    behind = _behind_value(segments)
    looks = READING.issuperset(name[:1]) and name
    said = any(is_verb(word) or names_deed(word) for word in words)
    if looks and (not said or not set(words).isdisjoint(name)):
        return None
    if words[1:]:
        phrasal = len(words) == 2 and words[1] in _PARTICLES and may_be_verb(words[0])
        made = words[0] == "make" or (phrasal and not only_reads(words[0]))
        return words[0] if made else unread_in_name(words)
    ordered = is_verb_before_noun(words[0]) if behind else is_verb(words[0])
    ordered = ordered or (behind and (words[0] in _DONE or names_deed(words[0])))
    return words[0] if ordered and not only_reads(words[0]) else None


def _behind_value(segments: Sequence[str]) -> bool:
    """Whether a path's end stands behind a value, or behind the number of a thing."""
    *_, thing, owner, _ = ("", "", *segments)
    number = owner.isdigit() and not _NO_THINGS.issuperset(words_of(thing))
    return len(segments) > 2 and (not owner or number)


def unread_of_owner(
    segments: Sequence[str], words: Sequence[str], name: Sequence[str]
) -> str | None:
    """The verb before what a path has it behind: `forkRepo` of `/repos/{id}/fork`."""
    *_, owner, place, _ = ("", "", *segments)
    if place or len(words) != 1 or list(name[:-1]) != list(words):
        return None
    owner = owner.lower()
    single = name[-1] in base_forms(owner) or (name[-1] == owner and may_be_verb(words[0]))
    return words[0] if single and not only_reads(words[0]) else None


def unread_in_text(sentence: str) -> str | None:
    """The verb at the head of a sentence: "Reboot server", "Fork a repository"."""
    found = _HEAD.match(sentence)
    word, second, third = ((each or "").lower() for each in found.groups()) if found else ("",) * 3
    verb = next(filter(may_be_verb, (word, *base_forms(word))), "")
    if not verb or word in STOP_WORDS or any(map(tells_of_answers, (word, *base_forms(word)))):
        return None
    if word != verb and not is_verb(verb):  # the plural of a noun
        return None
    if second in APART:
        return verb if not third or third in _OBJECT else None
    named = second and second not in _FUNCTION | THINGS_BEHIND and is_only_verb(verb)
    return verb if second in _OBJECT or named else None
