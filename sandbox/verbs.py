"""Verbs that say of a call that it changes something, read off names and sentences.

The lists are conservative: `getDeletedItems`, `list updates` and `search by created date` change
nothing, and `book` is a thing before it is a deed.
"""

import re


def listed(text: str) -> frozenset[str]:
    """The words of `text`, as a set."""
    return frozenset(text.split())


VERBS = listed(
    """
    activate add append approve assign ban buy cancel create deactivate delete deprovision
    deregister destroy disable edit enable enqueue erase execute insert install kill logout
    modify overwrite pay provision publish purge reboot reject remove rename replace resend reset
    restart revoke save sell send shutdown submit subscribe suspend terminate truncate
    unarchive unassign unban unblock undelete undeploy unfollow uninstall unlink unlock unpublish
    unregister unsubscribe update upload upsert wipe withdraw write
    """
)
"""Verbs that change something, and that stand at the head of few names as anything else."""

_DRASTIC = listed("cancel delete destroy erase purge remove wipe")
"""Those that are meant at the end of a name as well: `user_delete`, but not `last_update`."""

_NOUNS_TOO = listed(
    """
    accept archive block book charge checkout clear close confirm decline deploy deposit dial
    disconnect drop email flush follow import invite invoke issue join leave like lock mark merge
    move mute notify order patch pause pin post purchase put refund register release reserve
    restore resume run schedule set share start stop sync transfer trigger vote
    """
)
"""Verbs that are nouns or adjectives just as often: they count before an object alone."""

_OBJECT = listed("a all an another any existing it multiple new one the this your")
"""Words that begin an object: "Book a table", but not "Book by ISBN"."""

_COMPOUNDS = {
    "add": {"in", "ins", "on", "ons"},
    "buy": {"price", "prices", "box"},
    "cancel": {"reason", "reasons"},
    "edit": {"distance"},
    "execute": {"permission", "queries", "query", "search", "view"},
    "pay": listed("grade grades period periods rate rates scale scales slip slips stub stubs"),
    "sell": {"price", "prices"},
    "send": {"as", "info"},
    "subscribe": {"count", "rule", "rules"},
    "update": {"frequency", "interval", "notes"},
    "upload": {"limit", "limits", "status", "url", "urls"},
    "write": {"permission", "permissions"},
}
"""Words that make a name of a thing out of verb and word: `add-ons`, `pay rates`."""

_ASKS = re.compile(
    r"^(?:execute|run|invoke)\b[^.]*\b(?:query|queries|search|view)\b"
    r"|^send\b[^.]*\bto (?:get|obtain|receive|retrieve)\b",
    re.I,
)
"""A sentence whose verb of change only says how to ask: "Send a name to receive …"."""

_NOUN_FORMS = listed("adds buys edits pays saves sells sends updates uploads")
"""Third persons that are plurals too, or nearly so: they count before an object alone."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LEAD_IN = re.compile(
    r"^\W*(?:(?:this|the|an?)\s+)?(?:(?:api|rest|http|get)\s+)*"
    r"(?:endpoint|method|operation|api|call|function|request|route|service)\s+"
    r"(?:(?:that|which|will|can|may|is|be|used|lets|allows|enables|you|users?|clients?|us|to|for)\s+)*",
    re.I,
)
"""What stands before the verb in "This endpoint allows you to delete …"."""
_ADVERB = re.compile(
    r"^\W*(?:(?:\w+ly|force|soft|hard|bulk|batch|mass|api\s+to|used\s+to|allows\s+to)\s+)*", re.I
)
_JOINED = re.compile(r"^\w+\s*(?:,|/|&|and|or|and\s+then|then)\s*(?:then\s+)?(\w+)", re.I)
_SENTENCE = 300
"""Characters of a description in which the verb is looked for."""


def verb_of_name(words: list[str]) -> str | None:
    """The verb of an operation's name or of a path segment.

    `deleteUser`, `get_and_delete`, `user-delete`; not `getDeletedItems`, `updates`, `setlist`.
    """
    if not words:
        return None
    first, rest = words[0], words[1:]
    if first in VERBS and (not rest or rest[0] not in _COMPOUNDS.get(first, ())):
        return first
    if first in _NOUNS_TOO and rest and rest[0] in _OBJECT:
        return first
    joined = [after for word, after in zip(rest, rest[1:], strict=False) if word in ("and", "or")]
    if joined and joined[0] in VERBS:
        return joined[0]
    return words[-1] if words[-1] in _DRASTIC and first not in _READING else None


_READING = listed(
    """
    can check count describe download explain export fetch find get has head is list load lookup
    may poll preview query read retrieve search show test validate verify view why
    """
)
"""Verbs behind which another one is what is read: `can_delete`, `get-order-cancel`."""


def verb_of_text(text: str) -> str | None:
    """The verb of a description's beginning: "Deletes a user", "Get and remove the next one"."""
    start = _ADVERB.sub("", _LEAD_IN.sub("", _ADVERB.sub("", text[:_SENTENCE])))
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", start)[:3]]
    if not words or _ASKS.match(start):
        return None
    verb = _imperative(words)
    joined = _JOINED.match(start)
    if verb is None and joined:
        verb = _imperative([joined[1].lower()])
    return verb


def _imperative(words: list[str]) -> str | None:
    """The verb that begins a sentence, in its plain form; None where it reads as a noun."""
    first, *rest = words
    base = _base(first)
    if base is None:
        return None
    objected = bool(rest) and rest[0] in _OBJECT
    if base in _NOUNS_TOO or first in _NOUN_FORMS:
        return base if objected else None
    return None if rest and rest[0] in _COMPOUNDS.get(base, ()) else base


def _base(word: str) -> str | None:
    """The known verb that `word` is, in the imperative or the third person."""
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y")
    return next((form for form in forms if form in VERBS or form in _NOUNS_TOO), None)


def words_of(name: str) -> list[str]:
    """The words of a name in camel, snake or kebab case, in lower case; a lone verb is one word."""
    if name.lower() in VERBS:
        return [name.lower()]
    return [word.lower() for word in _WORDS.findall(name)]
