"""Secrets among what a caller knows: told by name and by shape, and used as credentials alone."""

import json
import re
from hashlib import sha256
from threading import Lock

from gretel.contracts.record import JsonObject, JsonValue
from gretel.text.redact import is_key_like, names_a_secret
from gretel.text.secrecy.names import Secrecy, is_secret, name_parts, secrecy, secrecy_in_text
from gretel.text.secret_shapes import MASK

_SENT = re.compile(
    r"://[^/\s:@]*:[^/\s@]+@|^(?:basic|bearer|digest|token)\s+(?=\S*\d)[\w.~+/=-]{8,}$", re.I
)
"""What signs in: a user's name in a URL, the value of `Authorization`."""

_HOLDING = frozenset({"content", "data", "secret", "text", "val", "value"})
"""Fields that hold what another one of theirs names."""


_KNOWN = 16_384
_without: dict[bytes, None] = {}
"""Digests of facts among which no secret is: each node reads a run's facts anew, and to look
through long ones takes half a second."""
_lock = Lock()


def without_secrets(facts: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
    """`facts` without those that are secrets, and the names of these."""
    digest = sha256(json.dumps(facts, sort_keys=True).encode()).digest()
    if digest in _without:
        return facts, ()
    kept, dropped = _parted(facts)
    if dropped:
        kept, more = without_secrets(kept)
        return kept, (*dropped, *more)
    with _lock:
        _without[digest] = None
        if len(_without) > _KNOWN:
            del _without[next(iter(_without))]
    return kept, ()


def _parted(facts: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
    kept: JsonObject = {}
    dropped: list[str] = []
    for name, value in facts.items():
        if _is_secret(name, value):
            dropped.append(MASK if is_key_like(name) else name)
        elif isinstance(value, dict):
            kept[name], inner = _parted(value)
            dropped += [f"{name}.{each}" for each in inner]
        else:
            kept[name] = value
    return kept, tuple(dropped)


def _is_secret(name: str, value: JsonValue) -> bool:
    """Whether a value is a secret by its name, or holds one by its shape, or its name is one."""
    if is_key_like(name):
        return True
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, dict):
        return _names_secret(name, value) or _names_itself(value)
    return _names_secret(name, value) or _holds_secret(value)


def _names_itself(value: JsonObject) -> bool:
    """Whether one field names the secret that another holds: `{"name": "token", "value": …}`."""
    plain = {key: each for key, each in value.items() if isinstance(each, str)}
    named = [each for each in plain.values() if secrecy_in_text(each) is Secrecy.SECRET]
    held = [each for key, each in plain.items() if key.lower() in _HOLDING]
    if any(is_secret(name, each) for name in named for each in held if each is not name):
        return True
    return bool(named) and names_a_secret(json.dumps(plain, ensure_ascii=False))


def _names_secret(name: str, value: JsonValue) -> bool:
    pin = isinstance(value, int) and name_parts(name)[-1:] == ("pin",)
    if isinstance(value, str) or pin:
        return is_secret(name, str(value))
    return secrecy(name) is Secrecy.SECRET


def _holds_secret(value: JsonValue) -> bool:
    if isinstance(value, dict):
        inner = any(_is_secret(name, each) or _holds_secret(each) for name, each in value.items())
        return inner or _names_itself(value)
    if isinstance(value, list):
        return any(map(_holds_secret, value))
    if not isinstance(value, str):
        return False
    return is_key_like(value) or bool(_SENT.search(value)) or names_a_secret(value)
