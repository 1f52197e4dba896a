"""Arguments that turn a call into one that changes something: `action=delete`, `_method=DELETE`.

An object is sent as pairs of its own (`x[_method]=DELETE`, or `_method=DELETE` alone), so that its
inner names count as well as its outer one.
"""

import re
from collections.abc import Iterator

from gretel.catalog.effects.verb_lists import VERBS
from gretel.catalog.effects.verbs import explicit_verb, verb_of_name, words_of
from gretel.contracts.record import JsonValue
from gretel.text.confusables import skeleton
from gretel.text.words import word_set

_ACTION_NAMES = word_set(
    "act action call cmd command do exec fn func function method mode op operation procedure rpc "
    "task verb"
)
_SHORT = frozenset({"del", "drop", "rm"})
"""Values of an action that are no verbs elsewhere."""

_OVERRIDES = word_set(
    "httpmethod httpmethodoverride httprequestmethod methodoverride originalmethod overridemethod "
    "rewritemethod xhttpmethod xhttpmethodoverride xmethod xmethodoverride xoriginalmethod "
    "xrewritemethod"
)
"""Parameters by which frameworks let a GET stand for another method, written in one word."""
_METHODS = word_set("copy delete merge mkcol move patch post proppatch purge put")
"""What `method` and `verb`, which have other meanings too, override GET with."""
_ALL_METHODS = _METHODS | word_set(
    "acl ban baseline-control bind checkin checkout connect label link lock mkactivity mkcalendar "
    "mkredirectref mkworkspace notify orderpatch rebind remove subscribe trace unbind uncheckout "
    "unlink unlock unsubscribe update updateredirectref version-control"
)
"""What the others do: the methods of the IANA registry that are not safe, and some of caches."""

_ON = frozenset({"1", "all", "enabled", "on", "t", "true", "y", "yes"})
_OFF = frozenset({"0", "disabled", "f", "false", "n", "never", "no", "none", "null", "off"})
_SWITCHES = word_set("delete destroy erase purge wipe")
"""Names that switch on whatever they are given: `delete=7`, `?delete`."""
_LEADS = word_set("and confirm confirmed should then")
_NEGATED = word_set(
    "allow can disable dont exclude filter has hide ignore include is no not only prevent skip "
    "with without"
)
"""Words that begin the name of a filter or of a brake: `include_delete`, `no_delete`."""

_STATEMENT = re.compile(
    r"\bmutation\b[^{}]{0,500}\{"
    r"|(?:^|;)\s*(?:(?:delete\s+from|insert\s+into|truncate\s+table|update\s+\S{1,80}\s+set)\b"
    r"|(?:alter|create|drop)\s+(?:database|index|schema|table|user|view)\b)",
    re.I,
)
"""A GraphQL mutation, or a statement of SQL that writes."""
_TEXT = 20_000
"""Characters of a value that are looked at: no longer one fits into a URL."""
_NAMES = 8
"""Names around a value that count; no honest object nests deeper."""


def verb_of_value(name: str, value: JsonValue) -> str | None:
    """The verb by which the argument `name` says that the call changes something."""
    pairs = _pairs(name, value)
    return next(
        filter(None, (_verb_of_pair(around, skeleton(text)) for around, text in pairs)), None
    )


def _verb_of_pair(name: str, text: str) -> str | None:
    """The verb of a name and value that name an action, switch one on, or override GET."""
    words, said = words_of(name), text.strip().lower()
    plain = "".join(words)
    if _overrides(plain, name) and said in _ALL_METHODS:
        return said
    if plain in ("method", "requestmethod", "verb") and said in _METHODS:
        return said
    if words and words[-1] in _ACTION_NAMES:
        verb = said if said in _SHORT else verb_of_name(text)
        if verb:
            return verb
    statement = _STATEMENT.search(text)
    return _switched(words, said) or (
        statement[0].strip(" ;\n\t").split()[0] if statement else None
    )


def _overrides(plain: str, name: str) -> bool:
    """Whether a name is one of those that stand for the method and for nothing else."""
    return plain in _OVERRIDES or (plain == "method" and name[:1] in "_$@")


def _switched(words: list[str], said: str) -> str | None:
    """The verb that a switch turns on: `delete=all`, `confirm_delete=true`, `deleteAll=1`."""
    plain = "".join(words)
    if plain in VERBS and (said in _ON or (plain in _SWITCHES and said not in _OFF)):
        return plain
    while len(words) > 1 and words[0] in _LEADS:
        words = words[1:]
    if said not in _ON or words[:1] == [] or words[0] in _NEGATED:
        return None
    verb = explicit_verb(words)
    return verb if verb in _SWITCHES or verb == "cancel" else None


def _pairs(name: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    """Each plain value in `value`, under every name that stands around it."""
    stack = [(_names(name), value)]
    while stack:
        names, each = stack.pop()
        if isinstance(each, dict):
            stack += [((*names, *_names(key))[-_NAMES:], item) for key, item in each.items()]
        elif isinstance(each, list):
            stack += [(names, item) for item in each]
        elif each is not None:
            text = _text(each)
            yield from ((around, text) for around in names)


def _names(name: str) -> tuple[str, ...]:
    """The names in `x[_method][0]`, inside out."""
    seen = skeleton(name)
    return (seen, *filter(None, re.split(r"[\[\].]+", seen))) if "[" in seen else (seen,)


def _text(value: str | bool | int | float) -> str:
    """A plain value as text; of a number only whether it is zero, for it may have any length."""
    if isinstance(value, str):
        return value[:_TEXT]
    return ("true" if value else "false") if isinstance(value, bool) else str(int(value != 0))
