"""Secrets among what a caller knows: told by name and by shape, and used as credentials alone."""

import re
import unicodedata

from gretel.contracts.record import JsonObject, JsonValue
from gretel.text.identifiers import split_identifier
from gretel.text.redact import is_key_like
from gretel.text.secret_places import WORDS_ELSEWHERE
from gretel.text.words import word_set

_ENDINGS = (
    "accesskey",
    "apikey",
    "authorization",
    "bearer",
    "connectionstring",
    "cookie",
    "credential",
    "credentials",
    "csrf",
    "cvv",
    "jwt",
    "mnemonic",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "pwd",
    "recoveryphrase",
    "secret",
    "secretkey",
    "secrets",
    "seedphrase",
    "token",
    *word_set(
        "contrasena contraseña kennwort lösenord motdepasse passcode passwort senha wachtwoord xsrf"
    ),
    *(word.replace(".", "").casefold() for word in WORDS_ELSEWHERE),
)
"""What the name of a secret ends with, its words written together."""
_SHORT = word_set("cred creds otp pw tok totp")
"""Last words of such a name that other words end with as well."""
_EITHER = word_set("auth pass pin refresh session sid")
"""Names of a secret or of something else: a text with digits and without blanks is one."""
_KEYS = word_set(
    "access account api app application auth client consumer deploy encryption license master "
    "private rapidapi secret service shared signing ssh storage subscription x"
)
"""Words that make a secret of a key: of an issue or a project it is none."""
_PLACES = word_set("continuation cursor next page sync")
"""Words that make the place of a list of a token."""
_SENT = re.compile(
    r"://[^/\s:@]+:[^/\s@]+@|^(?:basic|bearer|digest|token)\s+(?=\S*\d)[\w.~+/=-]{8,}$"
    r"|;\s*(?:password|pwd)=",
    re.I,
)
"""What signs in: a user's name in a URL, the value of `Authorization`, a connection's string."""
_KEY = re.compile(r"\S{8,}")
_CODE = re.compile(r"(?=\S*[0-9])(?=\S*[A-Za-z])\S{8,}|\d{4,}")
_APART = re.compile(r"[\W_]+")


def without_secrets(facts: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
    """`facts` without those that are secrets, and the names of these."""
    kept: JsonObject = {}
    dropped: list[str] = []
    for name, value in facts.items():
        if _is_secret(name, value):
            dropped.append(name)
        elif isinstance(value, dict):
            kept[name], inner = without_secrets(value)
            dropped += [f"{name}.{each}" for each in inner]
        else:
            kept[name] = value
    return kept, tuple(dropped)


def _is_secret(name: str, value: JsonValue) -> bool:
    """Whether a value is a secret by its name, or holds one by its shape."""
    if value is None or isinstance(value, bool):
        return False
    return _names_secret(name, value) or (not isinstance(value, dict) and _holds_secret(value))


def _names_secret(name: str, value: JsonValue) -> bool:
    *before, last = split_identifier(name) or ("",)
    if last == "key":
        alone = not before and isinstance(value, str) and bool(_KEY.fullmatch(value))
        return alone or (bool(before) and before[-1] in _KEYS)
    if last == "id" and before[-1:] == ["session"]:
        last = "session"
    if last in _SHORT or (last in _EITHER and isinstance(value, str) and _CODE.fullmatch(value)):
        return True
    whole = _APART.sub("", unicodedata.normalize("NFKC", name).casefold())
    return whole.endswith(_ENDINGS) and not _PLACES.intersection(before)


def _holds_secret(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(_is_secret(name, each) or _holds_secret(each) for name, each in value.items())
    if isinstance(value, list):
        return any(map(_holds_secret, value))
    return isinstance(value, str) and (is_key_like(value) or bool(_SENT.search(value)))
