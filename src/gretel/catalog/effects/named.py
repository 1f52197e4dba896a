"""Verbs of an operation's name, its path and its parameters, taken together."""

from gretel.catalog.effects.english import (
    base_forms,
    is_verb_before_noun,
    only_reads,
    tells_of_answers,
)
from gretel.catalog.effects.paths import TEMPLATE, segments_to_end
from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.unread import THINGS_BEHIND
from gretel.catalog.effects.urls import path_of, whole_path_of
from gretel.catalog.effects.values.other_forms import verb_of_other_form
from gretel.catalog.effects.verb_lists import DRASTIC, NOUNS_TOO, VERB_OBJECTS
from gretel.catalog.effects.verbs import bare, words_of
from gretel.contracts.tool import HttpBinding, Tool
from gretel.text.confusables import skeleton
from gretel.text.words import word_set

_OF = word_set("at by for from in of")
"""Words behind a noun at the head of a title: "Schedule of a team"."""
_FEW = 2
"""Words of a name that is a verb and what it is done to."""
_CARRIES_OUT = word_set("action endpoint handler operation")
"""Words behind a deed in a name that only say that it is done."""
_DEEDS = word_set(
    "award bin bounce change cycle flag flip give heat make set share stake swap switch use"
)
"""Verbs that are seldom part of a thing at the head of a name: `changeStatus`, `setRoles`."""
_LISTED_TOO = (_DEEDS | NOUNS_TOO | VERB_OBJECTS.keys()) - word_set("record text track")
_ORDERS = word_set(
    "bet bid call charge deposit dial donation email fax mail message notify order payment payout"
    " post sms trade transfer tweet withdrawal"
)
"""Nouns at the end of a path that are orders where a call says to whom, and what or how much."""
_WHOM = word_set("beneficiary destination payee phone receiver recipient recipients to")
_LISTED = READING - {"get"}
_WHAT = word_set("amount body content message subject text")


def verb_of_whole(tool: Tool, binding: HttpBinding) -> str | None:
    """The verb that neither name nor path says plainly by itself."""
    declared = bool(tool.external_id)
    return (
        _order_of(tool, binding)
        or _only_verb(tool, binding)
        or (_deed_of_name(tool) if declared else None)
        or (_verb_of_own_name(tool, binding) if declared else None)
    )


def _order_of(tool: Tool, binding: HttpBinding) -> str | None:
    """The noun of a path that is an order by its parameters: `/transfer?to=&amount=`."""
    path = TEMPLATE.sub("", whole_path_of(binding))
    *_, last = [[], *filter(None, map(words_of, segments_to_end(path)))]
    if len(last) != 1 or last[0] not in _ORDERS or _LISTED.intersection(words_of(tool.operation)):
        return None
    asked = {word for each in tool.parameters for word in words_of(each.name)}
    return last[0] if asked & _WHOM and asked & _WHAT else None


def _verb_of_own_name(tool: Tool, binding: HttpBinding) -> str | None:
    """The verb, perhaps a noun as well, that begins a name by which its path calls nothing.

    `switchUser`, `swapTokens`; hardly a name of a GET in real documents begins so otherwise.
    """
    first, *rest = bare(words_of(skeleton(tool.operation))) or [""]
    known = first in _LISTED_TOO or is_verb_before_noun(first)
    if not rest or not known or only_reads(first):
        return None
    if not READING.isdisjoint((first, *rest)):
        return None
    if first not in _DEEDS and (rest[-1] in THINGS_BEHIND or rest[-1].endswith("s")):
        return None
    called = words_of(TEMPLATE.sub("/", whole_path_of(binding)))
    return None if any(word.startswith(first) for word in called) else first


def _only_verb(tool: Tool, binding: HttpBinding) -> str | None:
    """The verb that name, path and title begin with alike: `/poke`, called "Poke"."""
    words = bare(words_of(skeleton(tool.operation)))
    *_, front, last = ("", "", *path_of(binding).split("/"))
    place = front if last[:1] == "{" else last
    if len(words) > _FEW or bare(words_of(place)) not in ([], words[:1]):
        return None
    titles = [words_of(each) for each in tool.description.split(".")]
    heads = {form for title in titles for word in title[:1] for form in (word, *base_forms(word))}
    noun = any(_OF.intersection(title[1:2]) for title in (words, *titles))
    if noun or heads.isdisjoint(words[:1]) or any(map(tells_of_answers, heads)):
        return None
    return words[0] if is_verb_before_noun(words[0]) else None


def _deed_of_name(tool: Tool) -> str | None:
    """The drastic verb of a name that is its noun: `deletion`, `userDeletionHandler`."""
    words = bare(words_of(skeleton(tool.operation)))
    while words[1:] and words[-1] in _CARRIES_OUT:
        words.pop()
    verb = verb_of_other_form(words) if READING.isdisjoint(words[:1]) else None
    return verb if verb in DRASTIC else None
