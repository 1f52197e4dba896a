"""In which form a server wants what was set for its host: behind which word, in which place.

A document says that a key stands in the header Authorization, or nothing at all; the server wants
`Bearer abc`, `Token abc` or `abc`. One that refuses names what it wants (RFC 9110, 11.6.1), or says
nothing; then a key that stood alone is taken for a bearer token. Or the document has alternatives,
such as a token or a key in the query, and what was set is for the second. A refused call that
changes nothing is sent once more in that form, and what was taken is remembered. The secret goes to
no other server by it, and in no place that its document does not name.
"""

import re
from collections import Counter
from typing import NamedTuple

from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import Tool
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.secrets.attached import Attached
from gretel.text.words import word_set

_READ = 1_000
"""Characters of a challenge that are read."""
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r"(?:^|,)\s*([a-z][a-z0-9-]{0,39})\s*(?=$|,|\s[^=\s,])", re.I)
_NO_TOKENS = word_set(
    """
    concealed digest dpop gnap hoba mutual negotiate ntlm oauth privatetoken scram-sha-1
    scram-sha-256 vapid
    """
)
"""Schemes of IANA's registry that take no secret as it is."""
_FUTILE = 3
"""Calls to one server that another form did not help, after which it is not tried."""


class _Form(NamedTuple):
    """In which form a tool's call was sent."""

    owner: Owner
    origin: Origin
    schemes: tuple[str, ...]
    word: str


class Forms:
    """In which form servers want their secrets, as far as calls of a document have shown it."""

    def __init__(self) -> None:
        self._wanted: dict[_Form, _Form] = {}
        self._futile: Counter[tuple[_Form, _Form]] = Counter()

    def known(self, attached: Attached, tool: Tool) -> Attached:
        """`attached`, in the form that its server took before."""
        wanted = self._wanted.get(_form(attached, tool))
        if wanted is None:
            return attached
        elsewhere = (each for each in attached.others if _form(each, tool) == wanted)
        other = next(elsewhere, attached)
        return other.with_word(wanted.word) if other is attached and attached.token else other

    def other(self, attached: Attached, challenge: str, tool: Tool) -> Attached | None:
        """What to send in place of `attached`, which was refused; None: nothing else is promising.

        `challenge` is the header WWW-Authenticate of the refusal, '' where there was none. What the
        calls of one document show is for it alone.
        """
        first, worded = _form(attached, tool), _worded(attached, challenge)
        forms = (*([worded] if worded else []), *attached.others)
        return next((f for f in forms if self._futile[first, _form(f, tool)] < _FUTILE), None)

    def learn(self, before: Attached, after: Attached, tool: Tool, *, taken: bool) -> None:
        """Keep whether the server took `after` where it had refused `before`."""
        first, second = _form(before, tool), _form(after, tool)
        if taken:
            self._wanted[first] = second
        else:
            self._futile[first, second] += 1


def _worded(attached: Attached, challenge: str) -> Attached | None:
    """`attached` with the word before its token that its server asks for; None: there is none."""
    if not attached.token:
        return None
    words = challenged(challenge)
    if not words and not attached.word:
        words = ("bearer",)
    fitting = [word for word in words if word != "basic" or ":" in attached.token]
    if not fitting or attached.word in words:
        return None
    return attached.with_word(fitting[0])


def challenged(challenge: str) -> tuple[str, ...]:
    """The words, in small letters, of the schemes that a challenge names and a token fits."""
    found = _WORD.findall(_QUOTED.sub('""', challenge[:_READ]))
    words = dict.fromkeys(word.lower() for word in found)
    return tuple(word for word in words if word not in _NO_TOKENS)


def _form(attached: Attached, tool: Tool) -> _Form:
    return _Form(owner_of(tool), attached.request.origin, attached.schemes, attached.word)
