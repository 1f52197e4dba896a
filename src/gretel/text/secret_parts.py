"""Secret parts: what of a credential its server may say again alone, decoded or without its name.

`Basic dXNlcjpwYXNz` is a user's name and a password to its server, `sid=abc; theme=dark` a session.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from urllib.parse import unquote

from gretel.text.secrecy.values import is_coded

MAX_PARTS = 64
"""Of one secret; whoever issues a token chooses what it is made of."""
_PARTS_FREE, _LONG_FREE = 8, 2
"""The first parts, which have room for so many that are as long as may be: a token behind its word
and what it says in base64. All others together are no longer than `_LONGEST`."""
_DEEP = 4
"""A header's name, a word, base64, a pair."""
_LONGEST = 8_192
"""Characters of a secret that is taken apart."""

_WORD = re.compile(r"[!#$%&'*+.^`|~\w-]+:? +(?=\S)")
"""A header's name, or the word before a token."""
_CODE = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_SETTING = re.compile(
    r"""(?:\b[\w.-]{1,100}(?:=|:[ \t]{1,9})|(["'])[\w.-]{1,100}\1\s*:\s*)"""
    r"""(?:"([^"]*)"|'([^']*)'(?=[\s;,&}\])]|$)|\{([^{}"':]+)\}|([^\s"=;,&][^\s";,&]*))"""
)
"""`sid=abc` in a cookie, `token="abc"` behind a word, `Pwd={a;b}`, a field of JSON or YAML."""
_CLOSING = ")]}"
"""What ends the record that a value without quotes stands in."""
_PAIR = re.compile(r"([^\s\"{}/:]*):(?![/ ])(.*)")
_IN_URL = re.compile(r"://([^/@\s]+)@")
_PLAIN = re.compile(r"[a-z]{1,12}|[A-Z][a-z]{0,11}|[A-Z]{1,12}")
"""One word: a user's name, a theme; masked, it would be missing in ordinary answers."""
_LEAST = 4
_TOKEN = re.compile(r"[\w.~+/=|-]{12,}")
_BEFORE_DRAWN = re.compile(r"[A-Za-z]{2,12}[_-]|[0-9]{1,20}\|")
_BEFORE_MOST = 3
"""What says whose a key is, or of which kind: `sk_live_`, `ghp_`, a number before a bar."""
_LEAST_DRAWN = 12
_READABLE = "eyJ"
"""JSON in base64: of a signed token what is said, which lets nobody in."""


def parts_of(secret: str) -> tuple[str, ...]:
    """`secret`, and what of it is secret alone."""
    found, latest = {secret: None}, [secret[:_LONGEST]]
    for _ in range(_DEEP):
        latest = [part for text in latest for part in _split(text) if part not in found]
        found |= dict.fromkeys(latest)
    found |= dict.fromkeys(piece for text in [*found] for piece in _pieces(text))
    return _bounded([*found])


def _bounded(parts: list[str]) -> tuple[str, ...]:
    """The first, and as many others as make neither a search dear nor getting ready for it."""
    kept, left = parts[:1], _LONG_FREE * _LONGEST
    for place, part in enumerate(parts[1:MAX_PARTS], 1):
        left = _LONGEST if place == _PARTS_FREE else left
        if len(part) <= left:
            kept.append(part)
            left -= len(part)
    return tuple(kept)


def _pieces(text: str) -> Iterator[str]:
    """What machines drew of a token: the secret behind an id and a dot, or behind a vendor's
    prefix; the signature of a signed one.
    """
    if not _TOKEN.fullmatch(text):
        return
    yield from filter(_is_drawn, text.split(".") if "." in text else ())
    for _ in range(_BEFORE_MOST):
        if not (before := _BEFORE_DRAWN.match(text)):
            return
        text = text[before.end() :]
        if _is_drawn(text):
            yield text


def _is_drawn(piece: str) -> bool:
    return len(piece) >= _LEAST_DRAWN and not piece.startswith(_READABLE) and is_coded(piece)


def _split(text: str) -> Iterator[str]:
    if word := _WORD.match(text):
        yield text[word.end() :].strip()
    if decoded := _decoded(text):
        yield decoded
    yield from _IN_URL.findall(text)
    yield from _halves(text)
    found = (next(filter(None, groups), "") for _, *groups in _SETTING.findall(text))
    yield from _telling([value.rstrip(_CLOSING) for value in found])
    yield from _telling(_leaves(text))
    if "%" in text:  # a cookie, or a form, whose value is JSON
        yield unquote(text)


def _halves(text: str) -> Iterator[str]:
    """The password behind a user's name; and that name, unless it is one plain word."""
    pair = _PAIR.fullmatch(text)
    user, password = (half.strip() for half in pair.groups()) if pair else ("", "")
    if password:
        yield password
    if user and (not _PLAIN.fullmatch(user) or len(password) < _LEAST):
        yield user


def _leaves(text: str) -> list[str]:
    """The texts and numbers of JSON, as a server reads them: without their escapes."""
    if not text.startswith(("{", "[")):
        return []
    try:
        pending, found = [json.loads(text, parse_int=str, parse_float=str)], list[str]()
    except (ValueError, RecursionError):
        return []
    while pending:
        item = pending.pop(0)
        if isinstance(item, dict | list):
            pending[:0] = item.values() if isinstance(item, dict) else item
        elif isinstance(item, str):
            found.append(item)
    return found


def _telling(values: list[str]) -> list[str]:
    """The values of settings that may be secret: all but plain words, where there are others."""
    return [each for each in values if not _PLAIN.fullmatch(each)] or [*filter(None, values)]


def _decoded(text: str) -> str | None:
    """What `text` says in base64, if that is a text: one of ASCII, or a pair."""
    if not _CODE.fullmatch(text):
        return None
    code = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
    except binascii.Error:
        return None
    try:
        decoded = raw.decode()
    except UnicodeDecodeError:
        decoded = raw.decode("latin-1")
    return decoded if decoded.isprintable() and (decoded.isascii() or ":" in decoded) else None
