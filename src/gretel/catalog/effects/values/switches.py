"""Names that switch something on: `factoryReset=true`, `logout=1`, `delete=7`, `purge_id=x`.

Of a switch that is on any verb counts that is not known to read, or to say how an answer looks.
"""

from itertools import pairwise

from gretel.catalog.effects.english import (
    inflected,
    is_only_verb,
    is_verb,
    is_verb_before_noun,
    may_be_verb,
    nouns_verbs,
    only_reads,
    tells_of_answers,
)
from gretel.catalog.effects.unread import THINGS_BEHIND
from gretel.catalog.effects.verb_lists import (
    COMPOUNDS,
    DEEDS,
    DRASTIC,
    EVENTS,
    THINGS,
    VERB_OBJECTS,
    VERBS,
)
from gretel.catalog.effects.verbs import ALL_THINGS, bare, explicit_verb, names_deed
from gretel.text.words import word_set

_ON = frozenset({"1", "all", "enabled", "on", "t", "true", "y", "yes"})
OFF = frozenset({"0", "disabled", "f", "false", "n", "never", "no", "none", "null", "off"})
SHORT = word_set("del drop rm")
"""Verbs that are none elsewhere, as the value of an action or the name of a switch."""
NEGATED = word_set(
    """
    allow can disable dont dry exclude filter has hide ignore include is need needs no not omit only
    prevent require requires skip support supports suppress use uses with without
    """
)
"""Words that begin the name of a filter or of a brake: `include_delete`, `no_delete`."""
_LEADS = word_set("and confirm confirmed should then")
_HOW = word_set(
    """
    accept add adjust allow apply auto begin break call collapse complete continue correct cross
    delay discard enable exact excel extend fail fill fit fix flatten float follow fuzzy hydrate
    indent inherit interlace lead limit live mean open opt override overlap pass peer play populate
    prefer refresh repeat rescale sell smooth spend strip wait warn zoom
    """
)
"""Verbs of switches that say how an answer is made or looks: `flatten=true`, `fix-typos=1`."""
_OF_TEXTS = word_set("buy drop merge remove replace")
"""Verbs of what is done to texts and lists in an answer, where no thing stands behind them:
`removeDuplicates=true`."""
_NOUNS_TOO = word_set(
    "apply commit confirm consume drain flush lock merge notify persist pop register rotate"
)
_ALONE = VERBS | SHORT | _NOUNS_TOO
"""Verbs that are all of a switch: `commit=true`."""
_IDS = word_set("id ids")
_SECRETS = word_set("code key secret token")
"""Ends of the names of what proves that a link was sent to someone: `reset_token`."""
_WHOLE = word_set("all everyone everything immediately in instantly now off out")
"""Words behind a word that is a noun as well with which it is an order: `muteAll=1`, `buyNow=1`."""
_NAMED = (
    (THINGS_BEHIND - ALL_THINGS)
    | _IDS
    | word_set("candidate candidates encoding key previews token")
)
"""Words behind a verb that make a name of a thing out of both: `mount_status`, `cast-token`."""
_DONE_TO = VERBS - _HOW - _OF_TEXTS
_DONE_WITH = DEEDS - _OF_TEXTS - word_set("impersonate")
"""Verbs of what is given; `Impersonate-User` says who asks."""
_OBJECTS = frozenset().union(*VERB_OBJECTS.values()) - word_set(
    "as back candidate candidates down in now off on out up with"
)
"""What any verb of a pair is done to: a server that is started can be restarted."""
_MORE = word_set("activate install provision publish send")
"""Verbs whose noun is a switch besides: `activation=true`."""


def switched_on(words: list[str], said: str) -> str | None:
    """The verb that a switch turns on, or that names what is to go.

    Args:
        words: those of its name.
        said: its value, in lower case.
    """
    if said in OFF:
        return None
    while len(words) > 1 and words[0] in _LEADS:
        words = words[1:]
    words = bare(words)
    if len(words) == 1 or "".join(words) in VERBS:
        return _alone("".join(words), said)
    if words[:1] == [] or words[0] in NEGATED:
        return None
    return _turned_on(words) if said in _ON else _targeted(words)


def _alone(word: str, said: str) -> str | None:
    """The verb that is a whole name, of some whatever stands behind it."""
    if said in _ON:
        sure = word in _ALONE or (is_verb_before_noun(word) and changes_something(word))
        return word if sure or _is_deed(word) else explicit_verb([word])
    unlisted = word not in VERBS and is_only_verb(word) and changes_something(word)
    return word if unlisted or word in SHORT | DEEDS else None


def _turned_on(words: list[str]) -> str | None:
    """The verb of a switch of several words."""
    if told := next((a for a, b in pairwise(words) if _has_object(a, b)), None):
        return told
    if only_reads(words[0]) and "and" not in words:
        return None
    if words[-1] in _NAMED:
        return next(filter((DRASTIC - _OF_TEXTS).__contains__, words), None)
    for at, (word, after) in enumerate(pairwise([*words, ""])):
        sure = is_verb(word) or (at == 0 and is_verb_before_noun(word))
        named = after in COMPOUNDS.get(word, ()) or (word in _OF_TEXTS and after not in ALL_THINGS)
        if sure and not named and changes_something(word):
            return word
    if words[-1] in _WHOLE and any(map(may_be_verb, inflected(words[0]))):
        return words[0] if changes_something(words[0]) else None
    verb = explicit_verb(words)
    noun = next(filter(_is_deed, words[-1:]), None)
    return noun or (verb if verb not in _HOW | _OF_TEXTS else None)


def _targeted(words: list[str]) -> str | None:
    """The verb of a name that says what is done to what is given: `purge_id=x`, `userDelete=7`."""
    first, second, *_ = words
    proof = words[-1] in _SECRETS
    named = first in _DONE_WITH and second.removesuffix("s") in THINGS | _IDS and not proof
    verb = None if words[-1] in _NAMED - _IDS else explicit_verb(words)
    return first if named else verb if verb in DRASTIC - _OF_TEXTS else None


def _has_object(verb: str, word: str) -> bool:
    """Whether a word is what a verb is done to: `factory_reset`, `unlock_door`."""
    return word in VERB_OBJECTS.get(verb, ()) or (verb in _DONE_TO and word in _OBJECTS)


def changes_something(verb: str) -> bool:
    """Whether a verb neither reads nor says how an answer is made."""
    return not tells_of_answers(verb) and verb not in _HOW | NEGATED


def _is_deed(word: str) -> bool:
    return word in EVENTS or names_deed(word) or not _MORE.isdisjoint(nouns_verbs(word))
