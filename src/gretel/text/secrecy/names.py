"""Whether a name is that of a secret: judged by its last word and by what stands before it.

A list of whole names is never whole. `hmac_signature_key` and `zugangscode` are in none: a key of
signatures and a code of access are secrets by what they are made of, a key of sorting and a code of
a country are none.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from gretel.text.confusables import skeleton
from gretel.text.identifiers import split_identifier
from gretel.text.remembering import remembered
from gretel.text.secrecy.kinds import AUTH, CARRIER, CRYPT, PAY, RECOVER, folded, words
from gretel.text.secrecy.lexicon import (
    ALONE,
    CODES,
    COUNTED,
    DATA,
    EITHER,
    FILLERS,
    FIRST,
    HEADS,
    JOINED,
    KEYS,
    LINKS,
    PARTS,
    PASSWORDS,
    PHRASES,
    PLACES,
    PUBLIC,
    SESSIONS,
    SWITCHES,
    TOKENS,
    VENDORS,
    WEAK,
    WRAPPERS,
)
from gretel.text.secrecy.values import is_answer, is_coded, is_mixed, is_random


class Secrecy(IntEnum):
    """How much a name says of its value."""

    NONE = 0
    """Nothing."""
    BY_SHAPE = 1
    """A key of nobody known (`acme_key`): a value that machines drew at random is one."""
    BY_VALUE = 2
    """A secret, or something else: a value of letters and digits is one."""
    SECRET = 3
    """A secret, whatever it looks like."""


_KINDS = frozenset[str]().union(*HEADS.values(), SESSIONS)
_ENDS = tuple(sorted({*HEADS, *ALONE, *TOKENS, *EITHER}, key=len, reverse=True))
_KNOWN = _KINDS | {*_ENDS} | FILLERS | CARRIER | WRAPPERS | PUBLIC | WEAK | PLACES
_OF = _KINDS | CARRIER | PLACES | PUBLIC | {"user", "my"}
_BEFORE = sorted(_KINDS | PLACES | PUBLIC, key=len, reverse=True)
_OF_DATA = DATA | PLACES | PUBLIC
_LONG = 6
"""Letters of a word that others do not end with by chance."""
_LONG_KIND = 5
_OF_WORDS = PHRASES | {"passphrase", "passphrases", "mnemonic"}
_LONG_PASSWORDS = tuple(word for word in PASSWORDS if len(word) > _LONG)
_END = 200
"""Characters of a name that are read at either end of it."""
_NUMBER = re.compile(r"v?\d+")
_DIGITS = re.compile(r"(?<=[^\W\d_])\d{1,2}$")
_OFTEN_PUBLIC = {("ssh", "keys"), ("gpg", "keys"), ("pgp", "keys")}
"""Those that servers are given to know people by; a private one says so."""
_FIRST_PASSWORDS = PASSWORDS - words("password passwords passphrase passcode passwd pwd passkey")
"""Those that stand before what they are of: `senhaInternet`."""
_LONGEST_KEY = 100
"""Characters of a name of a key; what is found of so short ones is remembered."""
_CHOSEN = words("password passwords passphrase passcode pin otp code card cvv cvc cvc2 iban")
_ACCESS = {"acceso", "acesso", "accesso", "acces"}
_TOKEN_KINDS = AUTH | CRYPT | RECOVER | {"api", "bot", "refresh", "app", "service", "user"}


@remembered(16_384)
def secrecy(name: str) -> Secrecy:
    """What `name`, in whatever case, script or spelling, says of its value."""
    parts = name_parts(name)
    if parts[1:] and parts[0] in SWITCHES and " " not in name:
        return Secrecy.NONE
    rest, found = parts, Secrecy.NONE
    while rest and not found:
        found = _by_head(rest)
        if rest[-1] not in WRAPPERS and not _NUMBER.fullmatch(rest[-1]):
            break
        rest = rest[:-1]
    if found is Secrecy.BY_SHAPE and folded(split_identifier(name)[-1]) not in VENDORS:
        found = Secrecy.NONE  # `turkey` ends with the letters alone
    return max(found, _by_first(parts))


def is_secret(name: str, value: str) -> bool:
    """Whether a value of one's own is a secret by its name, as of a fact or a variable."""
    known = secrecy(name)
    if known is Secrecy.SECRET:
        return not is_answer(value)
    phrase = "mnemonic" in name_parts(name) and len(value.split()) > 2
    return bool(known) and (phrase or tells(name, value))


def tells(name: str, value: str) -> bool:
    """Whether a value is a secret where its name leaves that to it."""
    if secrecy(name) is Secrecy.BY_SHAPE:
        return is_random(value)
    code = name_parts(name)[-1:] == ("pass",) and len(value) > _LONG_KIND and is_mixed(value)
    return code or is_coded(value)


def is_service_key(name: str) -> bool:
    """Whether secrets of that name are what a service knows its caller by.

    None that users choose themselves, are told to type, or have on a card; and none that is longer
    than any key's, for a thousand of them are asked about with each call, on the event loop.
    """
    short = len(name) <= _LONGEST_KEY
    return short and secrecy(name) is Secrecy.SECRET and _CHOSEN.isdisjoint(split_identifier(name))


def is_phrase(name: str) -> bool:
    """Whether secrets of that name are words: a passphrase, the words of a wallet."""
    return not _OF_WORDS.isdisjoint(name_parts(name))


def secrecy_in_text(name: str) -> Secrecy:
    """The same for words of others, in which a key alone may be of anything."""
    found = secrecy(name)
    if found is Secrecy.NONE and not name.isascii():
        found = secrecy(skeleton(name))
    bare = found is Secrecy.BY_VALUE and not KEYS.isdisjoint(name_parts(name)[-1:])
    return Secrecy.NONE if bare else found


@remembered(16_384)
def name_parts(name: str) -> tuple[str, ...]:
    """The words of a name, folded, those written together apart: `sessionid` is session, id."""
    if len(name) > 2 * _END:  # what lies between takes the square of its length
        name = f"{name[:_END]} {name[-_END:]}"
    return tuple(_joined([p for word in split_identifier(name) for p in _parts(folded(word))]))


def _by_head(words: Sequence[str]) -> Secrecy:
    """What the last word says, with what stands before it."""
    *before, head = words
    of = next((word for word in reversed(before) if not _says_nothing(word)), "")
    if (
        of in COUNTED
        or not PARTS.isdisjoint(before)
        or (head in KEYS and not PUBLIC.isdisjoint(before))
    ):
        return Secrecy.NONE
    if head in TOKENS:
        return Secrecy.NONE if of in PLACES else Secrecy.SECRET
    if head == "tokens":
        return Secrecy.SECRET if of in _TOKEN_KINDS else Secrecy.NONE
    if (of, head) in _OFTEN_PUBLIC:
        return Secrecy.NONE
    if head in ALONE or of in HEADS.get(head, ()):
        return Secrecy.SECRET
    if head in EITHER or (head == "id" and of in SESSIONS) or (head in CODES and of in PAY):
        return Secrecy.BY_VALUE
    if head in WEAK and not of:
        return Secrecy.BY_VALUE
    vendor = of and head in VENDORS and _OF_DATA.isdisjoint(before)
    return Secrecy.BY_SHAPE if vendor else Secrecy.NONE


def _says_nothing(word: str) -> bool:
    return word in FILLERS or bool(_NUMBER.fullmatch(word))


def _by_first(words: Sequence[str]) -> Secrecy:
    """What a word says that others follow: `codigo_de_seguridad`, `senha do cartão`."""
    for place, head in enumerate(words[:-1]):
        rest = words[place + 1 :]
        linked = rest[0] in LINKS
        if head in ALONE | TOKENS and linked and head not in ("secret", "secrets"):
            return Secrecy.NONE if rest[-1] in PLACES else Secrecy.SECRET
        if head in _FIRST_PASSWORDS and rest[0] in _OF:
            return Secrecy.SECRET
        if head not in FIRST or (head == "token" and not linked and rest[0] not in _ACCESS):
            continue
        kinds = _TOKEN_KINDS if head in TOKENS else HEADS[head]
        told = [word for word in rest if word in LINKS or word not in FILLERS]
        while told and told[0] in LINKS:
            told = told[1:]
        end = next((at for at, word in enumerate(told) if word in LINKS), len(told))
        if told and kinds.issuperset(told[:end]):
            return Secrecy.SECRET
    return Secrecy.NONE


def _joined(words: list[str]) -> list[str]:
    """`words`, those that make one written together: `WachtWoord`, "mot de passe"."""
    place = 0
    while place < len(words) - 1:
        for many in (3, 2):
            parts = tuple(words[place : place + many])
            whole = JOINED.get(parts, "".join(parts))
            if len(parts) == many and (parts in JOINED or whole in ALONE):
                words[place : place + many] = [whole]
                break
        place += 1
    return words


def _parts(word: str) -> Iterator[str]:
    """A word that is several written together in its parts: `sessionid`, `zugangscode`."""
    if word not in _KNOWN and (bare := _DIGITS.sub("", word)) != word:
        word = bare
    if word in _KNOWN or _NUMBER.fullmatch(word):
        yield word
        return
    for first in _LONG_PASSWORDS if word.startswith(_LONG_PASSWORDS) else ():
        if word.startswith(first) and word.removeprefix(first) in _OF:
            yield from (first, word.removeprefix(first))
            return
    for end in _ENDS if word.endswith(_ENDS) else ():
        if word.endswith(end) and (start := _start(word.removesuffix(end), end)):
            yield from (*start, end)
            return
    yield word


def _start(rest: str, end: str) -> tuple[str, ...]:
    """What stands before the last part of a word; () where that is a part by chance."""
    if rest in _OF:
        return (rest,)
    for kind in _BEFORE:
        if rest.endswith(kind) and (_sure(kind, _LONG_KIND) or rest.removesuffix(kind) in _OF):
            return (rest.removesuffix(kind), kind)
    sure = end in TOKENS | ALONE and _sure(end, _LONG_KIND if end in TOKENS else _LONG)
    return (rest,) if sure else ()


def _sure(part: str, least: int) -> bool:
    """Whether a word ends with `part` by no chance: it is long, or of a script without blanks."""
    return len(part) >= least or part[0] > "\u2e80"
