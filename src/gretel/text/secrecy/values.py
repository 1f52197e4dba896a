"""Whether what stands beside the name of a secret is one, or says something of it."""

import re

from gretel.text.secrecy.kinds import folded
from gretel.text.words import word_set

_SAID = word_set(
    folded(
        """
        absent active any apikey auto basic bad blank bearer changed code cookie default
        deleted disabled empty enabled exists expired false field forbidden forgotten found
        generated hidden http https incorrect invalid key locked malformed manual mandatory
        mismatch missing n/a nil no none null number object off ok on once optional pass
        password present pending redacted reset required revoked secret sent set short string
        strong token true type unauthorized undefined unknown unset unused used user valid
        wrong yes your erforderlich fehlt falsch ungültig vergessen abgelaufen leer
        obligatoire manquant incorrecto incorrecta inválido inválida invalida obligatorio
        obligatoria requis expiré vergeten ongeldig obrigatório obrigatória scaduto mancante
        неверный неверен ja nein oui non si sí não nee да нет 错误 必须 無効 必須
        """
    )
)
"""What is said of a secret, and is none."""
_YES_NO = word_set(
    "disabled enabled false n/a no none null off on required true undefined unset yes"
)
_YES_NO |= {""}
_SENTENCE = re.compile(
    r"\b(?:is|are|be|was|must|may|has|have|not|should|can(?:not)?|the|this|your|please|at least"
    r"|muss|darf|ist|nicht|doit|est|pas|debe|es|deve|moet)\b",
    re.I,
)
_FAULT = re.compile(r"\b(?:required|missing|invalid|incorrect|must|field|expired|wrong)\b", re.I)
_PLACEHOLDER = re.compile(
    r"\[?redacted|<[^<>]*>$|\{\{?[\w. -]*\}|\[[A-Z][\w ]*\]$|\$(?:[A-Z_]+$|[{(])|%(?:s$|\()"
    r"|[|>][+\d-]{0,2}$|[xX*._-]+$|your[_-]|(?:my|the|some|example)[_-][a-z_-]+$",
    re.I,
)
"""What documents write in the place of a value."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_STANDARD = re.compile(
    r"(?:rfc|sha|hs|rs|es|ps|aes|utf|base|oauth|pbkdf|md|iso|ed|x|v|http|argon|bcrypt|rsa)[-_/]?\d"
    r"[\d.v-]{0,4}",
    re.I,
)
_NO_CODE = re.compile(
    r"[A-Za-z_][\w.]{0,60}[(\[]|\S{0,200}?(?:://|\]\()|[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,60})+$"
)
"""A call, an item, an address, a link, a mailbox."""
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d_])\S{5,}")
_SIGNED = re.compile(r"(?=.*[!#$%&*+@^~=])(?=.*[A-Za-z])\S{6,}")
_CODED = re.compile(
    r"(?=\S*[0-9])(?=\S*[^\W\d_])\S{8,}|\d{4,}|(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+/]{20,}={0,2}"
)
_RANDOM = re.compile(
    r"(?!0x)(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+/=_-]{16,400}"
    r"|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}"
)
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=|-]{16,}")
_NUMBERED, _MIXED_PART = 3, 0.45
"""Places where a letter meets a digit in what a machine drew, and how often its signs change their
kind: in names that are put together of words both are rarer."""
_SLASHES = 3
"""Of a path."""
_WORD = re.compile(r"(?!.*[^aeiouy]{4})(?=.*[aeiouy])[a-z]{3,12}")
_DIGITS = re.compile(r"\d{3,12}|\d{3}[ -]\d{3}|\d{2}(?:[ -]\d{2}){2,3}|\d{4}(?:[ -]\d{2,4}){1,4}")


def says_nothing(value: str) -> bool:
    """Whether a text tells of a secret that it is there, missing or wrong: it is none."""
    bare = value.strip(" \t.!\"'")
    return not bare or bool(_PLACEHOLDER.match(bare)) or folded(bare) in _SAID


def is_sentence(value: str) -> bool:
    """Whether a text is words about a secret; a phrase to sign in with has words of its own."""
    return len(value.split()) > 2 and bool(_SENTENCE.search(value) or _FAULT.search(value))


def is_given(value: str, *, least: int = 3, phrase: bool = False, plain: bool = False) -> bool:
    """Whether what has a secret's place, marked off by signs, is one.

    Args:
        value: what stands there.
        least: characters below which it is none.
        phrase: whether secrets of that name are words.
        plain: whether one short word in small letters is none.
    """
    if plain and _WORD.fullmatch(value):
        return False
    said = _FAULT.search(value) is not None if phrase else is_sentence(value)
    return len(value.strip()) >= least and not says_nothing(value) and not said


def is_answer(value: str) -> bool:
    """Whether a text only says yes, no or nothing."""
    return folded(value.strip()) in _YES_NO


def is_coded(value: str) -> bool:
    """Whether a text has letters and digits as codes have, or four digits or more."""
    return _CODED.fullmatch(value) is not None and not _DATE.match(value)


def is_random(value: str) -> bool:
    """Whether a text is one that machines draw: of both cases and digits, or a digest's length."""
    return _RANDOM.fullmatch(value) is not None and value.count("/") < _SLASHES


def is_drawn(value: str) -> bool:
    """Whether a text is long, and so mixed of letters and digits that nobody says it who has not
    read it: whatever machine drew it.
    """
    if not _TOKEN.fullmatch(value):
        return False
    changes = [*map(_kinds, value, value[1:])]
    numbered = sum("d" in both for both in changes)
    mixed = sum(map(bool, changes)) >= len(value) * _MIXED_PART and numbered > 0
    return numbered >= _NUMBERED or mixed


def _kinds(char: str, following: str) -> str:
    """Of which kinds two signs are, where they are of two of these: letters, large and small, and
    digits; '' else.
    """
    kinds = "".join(
        "d" if each.isdigit() else "u" if each.isupper() else "l"
        for each in (char, following)
        if each.isalnum()
    )
    return kinds if len({*kinds}) > 1 else ""


def is_mixed(value: str) -> bool:
    """Whether a text among words is none of these: letters, with digits or signs."""
    if _DATE.match(value) or _STANDARD.fullmatch(value) or _NO_CODE.match(value):
        return False
    return not says_nothing(value) and bool(_MIXED.fullmatch(value) or _SIGNED.fullmatch(value))


def is_number(value: str) -> bool:
    """Whether a text is the digits of a code: of a card, of a lock, of a message to a phone."""
    return _DIGITS.fullmatch(value) is not None and not _DATE.match(value)
