"""Arguments that turn a call into one that changes something: `action=delete`, `_method=DELETE`.

An object is sent as pairs of its own (`x[_method]=DELETE`, or `_method=DELETE` alone), so that its
inner names count as well as its outer one.
"""

import re
from itertools import dropwhile

from gretel.catalog.effects.chosen import UNREAD, plain_texts
from gretel.catalog.effects.english import is_order
from gretel.catalog.effects.reading_verbs import READING
from gretel.catalog.effects.unread import unread_path
from gretel.catalog.effects.values.inner_pairs import PAIRS
from gretel.catalog.effects.values.named_values import LONGEST, named_values
from gretel.catalog.effects.values.other_forms import verb_of_other_form, verb_of_script
from gretel.catalog.effects.values.statements import verb_of_command, verb_of_statement
from gretel.catalog.effects.values.switches import NEGATED, OFF, SHORT, switched_on
from gretel.catalog.effects.values.unread_actions import unread_action, unread_choice
from gretel.catalog.effects.verb_lists import DRASTIC, VERB_OBJECTS, VERBS
from gretel.catalog.effects.verbs import explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonValue
from gretel.text.confusables import skeleton
from gretel.text.words import word_set

_ACTION_NAMES = word_set(
    """
    act action btn button call cmd command directive do exec fn func function handler instruction
    intent method mode op operation perform procedure route rpc soapaction submit task todo trigger
    verb
    """
)
_CODES_OF = word_set("code id key kind name type value")
"""Words behind an action's that leave it one: `operationName`, `action_type`."""
_CODED = _ACTION_NAMES - word_set("fn func function handler intent mode route submit task")
_ORDERS = word_set("act action cmd command do exec op perform")
"""Names behind which a word that is a noun as well is an order: `action=stop`."""
_MANNERS = word_set("intent mode route")
"""Names of which a word alone says how something is done, or what it is about: `mode=drive`."""
_OVERRIDING = word_set(
    "http li method original overridden override request rest restli rewrite tunnel tunneled "
    "tunnelled verb x"
)
_OVERRIDERS = word_set("method override verb")
"""Words that parameters consist of by which frameworks let a GET stand for another method."""
_METHODS = word_set("copy delete merge mkcol move patch post proppatch purge put")
"""What `method` and `verb`, which have other meanings too, override GET with."""
_ALL_METHODS = _METHODS | word_set(
    "acl action batch_create batch_delete batch_partial_update batch_update create partial_update "
    "ban baseline-control bind checkin checkout connect label link lock mkactivity mkcalendar "
    "mkredirectref mkworkspace notify orderpatch rebind remove subscribe trace unbind uncheckout "
    "unlink unlock unsubscribe update updateredirectref version-control"
)
"""What the others do: the methods of the IANA registry that are not safe, and some of caches and of
Rest.li."""

_PARTICLES = word_set("back down in off on out up")
_ANY = _ALL_METHODS | word_set("get head options")
_FILTERS = word_set(
    """
    by category class classes column event field filter group key keyword kind label language level
    log name order permission prompt q query reason role scope search sort state status tag term
    text title topic type word
    """
)
"""Words that end the name of what chooses among things: `event_type=delete`, `sort=update`."""

_REHEARSALS = word_set("dryrun noop validateonly whatif")
"""Switches that only a call that changes something has."""
_BEFORE_SWITCH = word_set("amz is x")

_TOKEN = re.compile(r"\S+(?:\s+\S+)?")
"""A value that names something to do, as `Log out`; what has more words is a text."""
_ROUTE = re.compile(r"^[^\s:]*/[^\s:]*$")
"""A path; what a link says is said to another server."""
_NO_WORD = re.compile(r"[A-Za-z0-9]{41,}")
"""A part of a value that is no name: a key, a hash, data."""
_STEPS = re.compile(r"[;&|\n]+|\bsudo\b")
"""What stands between the commands of a shell: `cat x; rm x`."""


def verb_of_value(name: str, value: JsonValue) -> str | None:
    """The verb by which the argument `name` says that the call changes something."""
    if any(len(text) > LONGEST or text.count("&") > PAIRS for text in plain_texts(value)):
        return "unread"
    pairs = named_values(name, value)
    return next(
        filter(None, (_verb_of_pair(around, skeleton(text)) for around, text in pairs)), None
    )


def verb_of_choice(name: str, value: JsonValue, *, forced: bool) -> str | None:
    """The verb that a value is which the document wrote itself, whatever its name: `x=delete`.

    `forced`: nobody but the document chose it; else a filter may be told what to look for, as
    `event_type` among creations and deletions. What it chose may be a route: `r=posts/hide`.
    """
    last = "".join(words_of(skeleton(name))[-1:])
    filters = not _FILTERS.isdisjoint((last, last.removesuffix("s")))
    if filters and not forced:
        return None
    read = _drastic if filters else _verb_of_action
    texts = [_NO_WORD.sub("", skeleton(text)).strip() for _, text in named_values("", value)]
    verbs = (read(text) if _TOKEN.fullmatch(text) else verb_of_command(text) for text in texts)
    own = texts if forced and not filters else ()
    routes = (unread_path(text) for text in own if _ROUTE.search(text))
    tokens = () if last in _MANNERS else filter(_TOKEN.fullmatch, own)
    return next(
        filter(None, (*verbs, *routes, *map(verb_of_script, texts), *map(unread_choice, tokens))),
        None,
    )


def is_rehearsal(name: str) -> bool:
    """Whether a switch that is on keeps a call from changing anything: `dry_run`, `X-Dry-Run`."""
    return "".join(dropwhile(_BEFORE_SWITCH.__contains__, words_of(name))) in _REHEARSALS


def is_off(value: JsonValue) -> bool:
    """Whether a switch that has this value, or none, is off."""
    return not value or str(value).strip().lower() in OFF


def _drastic(text: str) -> str | None:
    """The verb of a value that can hardly be one to look for."""
    verb = explicit_verb(words_of(text)) or text.lower()
    return verb if verb in DRASTIC else None


def _verb_of_pair(name: str, text: str) -> str | None:
    """The verb of a name and value that name an action, switch one on, or override GET."""
    if name == UNREAD:
        return "unread"
    if is_rehearsal(name) and is_off(text):
        return name
    words = [word for word in words_of(name) if not word.isdigit()]
    said = text.strip().lower()
    methods = _overridden(words, name)
    method = next((each for each in _methods(said) if each in methods), None)
    ordered = said if words[-1:] and words[-1] in _ORDERS and is_order(said) else None
    steps = (_verb_of_step(words, step) for step in _STEPS.split(text)) if _is_action(words) else ()
    verb = ordered or next(filter(None, steps), None)
    turned = words[0] if len(words) == 1 and said in _turned(words[0]) else None
    switched = switched_on(words[words[:1] == ["x"] :], said)
    return method or verb or turned or switched or verb_of_statement(text)


def _verb_of_step(name: list[str], text: str) -> str | None:
    """The verb of one command of the value of an action."""
    order, manner = name[-1] in _ORDERS, name[-1] in _MANNERS
    unread = unread_action(text, order=order, bare_word=not manner)
    return _verb_of_action(text) or unread


def _methods(said: str) -> list[str]:
    """The methods that a value consists of: `GET, DELETE`."""
    asked = re.split(r"[,;|\s]+", said.strip(" ,;"))
    return asked if _ANY.issuperset(asked) else []


def _turned(verb: str) -> frozenset[str]:
    """The particles with which a name is a verb: `power=off`, `log=out`."""
    return _PARTICLES & VERB_OBJECTS.get(verb, frozenset())


def _verb_of_action(text: str) -> str | None:
    """The verb of an action: `delete`, `user.delete`, `rm -rf /`, `then delete it`."""
    words = words_of(text)
    if words[:1] and words[0] in SHORT:
        return words[0]
    verb = verb_of_name(text) or verb_of_other_form(words)
    if verb or words[:1] == [] or words[0] in READING or not NEGATED.isdisjoint(words):
        return verb
    behind = (word for word in words[1:-1] if word in VERBS)
    return next((word for word in words if word in DRASTIC), None) or next(behind, None)


def _is_action(words: list[str]) -> bool:
    """Whether a name is that of an action: `cmd`, `soapAction`, `operationName`, `actions`."""
    if words[1:] and words[-1] in _CODES_OF and words[-2] in _CODED:
        return True
    if words[-2:] == ["amz", "target"]:
        return True
    return bool(words) and (words[-1] in _ACTION_NAMES or words[-1].removesuffix("s") in _CODED)


def _overridden(words: list[str], name: str) -> frozenset[str]:
    """The methods that a parameter of this name can let a GET stand for."""
    if not _OVERRIDERS.intersection(words) or not _OVERRIDING.issuperset(words):
        plain = "".join(words)
        return _ALL_METHODS if plain in _JOINED else frozenset()
    plainly = words in (["method"], ["verb"], ["request", "method"])
    return _METHODS if plainly and name[:1] not in "_$@" else _ALL_METHODS


_JOINED = word_set("httpmethod httpverb methodoverride xhttpmethod xhttpmethodoverride xmethod")
"""Some of these in one word of small letters."""
