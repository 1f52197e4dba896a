"""The word before a token in the header Authorization, where what was set for a host has none.

A document says that a key stands in that header, or nothing at all; the server wants `Bearer abc`,
`Token abc` or `abc`. One that refuses names what it wants (RFC 9110, 11.6.1), or says nothing; then
a key that stood alone is taken for a bearer token. A refused call that changes nothing is sent once
more with that word, and what was taken is remembered. The token goes nowhere else by it.
"""

import re
from collections import Counter
from typing import TypeAlias

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
"""Calls to one server that another word did not help, after which none is tried."""

_Sent: TypeAlias = tuple[Owner, Origin, str]
"""Whose tool, a server, and the word that a token of it was sent with first."""


class Forms:
    """What words servers want before a token, as far as calls of a document have shown it."""

    def __init__(self) -> None:
        self._wanted: dict[_Sent, str] = {}
        self._futile: Counter[_Sent] = Counter()

    def known(self, attached: Attached, tool: Tool) -> Attached:
        """`attached`, with the word that its server took before."""
        word = self._wanted.get(_sent(attached, tool)) if attached.token else None
        return attached if word is None else attached.with_word(word)

    def other(self, attached: Attached, challenge: str, tool: Tool) -> Attached | None:
        """What to send in place of `attached`, which was refused; None: nothing else is promising.

        `challenge` is the header WWW-Authenticate of the refusal, '' where there was none. What the
        calls of one document show is for it alone.
        """
        if not attached.token or self._futile[_sent(attached, tool)] >= _FUTILE:
            return None
        words = challenged(challenge)
        if not words and not attached.word:
            words = ("bearer",)
        fitting = [word for word in words if word != "basic" or ":" in attached.token]
        if not fitting or attached.word in words:
            return None
        return attached.with_word(fitting[0])

    def learn(self, before: Attached, after: Attached, tool: Tool, *, taken: bool) -> None:
        """Keep whether the server took `after` where it had refused `before`."""
        if taken:
            self._wanted[_sent(before, tool)] = after.word
        else:
            self._futile[_sent(before, tool)] += 1


def challenged(challenge: str) -> tuple[str, ...]:
    """The words, in small letters, of the schemes that a challenge names and a token fits."""
    found = _WORD.findall(_QUOTED.sub('""', challenge[:_READ]))
    words = dict.fromkeys(word.lower() for word in found)
    return tuple(word for word in words if word not in _NO_TOKENS)


def _sent(attached: Attached, tool: Tool) -> _Sent:
    return owner_of(tool), attached.request.origin, attached.word
