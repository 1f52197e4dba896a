"""Secrets in sentences: what stands behind the words that name one, with a verb or a colon."""

import re
from collections.abc import Sequence

from gretel.text.secrecy.forms import LONGEST
from gretel.text.secrecy.kinds import folded
from gretel.text.secrecy.lexicon import CODES, LINKS, NUMBERS, PINS
from gretel.text.secrecy.names import Secrecy, name_parts, secrecy_in_text, tells
from gretel.text.secrecy.values import is_mixed, is_number
from gretel.text.secret_shapes import MASK
from gretel.text.words import word_set

_REACH = 90
"""Characters before a value in which its name is looked for."""
_MOST = 7
"""Words of a name in a sentence."""
_BETWEEN = 3
"""Words that may stand between a name and its verb: "the token you sent is"."""

_STRONG = (
    r"[ \t]{0,3}(?:=>|->|:=|=|:(?!/)|(?:\u662f|\u4e3a|\u70ba)?\uff1a|\u2192"
    r"|\u662f|\u4e3a|\u70ba|\u306f|\u304c|\uc740|\ub294)"
)
_VERB = (
    r"\s{1,3}\(?(?:(?:(?:has|have)\sbeen\s|was\s)?(?:set|changed|reset|updated)\sto|is|was|are|were"
    r"|wurde\sauf|a\s\u00e9t\u00e9\s\w{3,12}\sen|cambi\u00f3\sa|foi\s\w{3,12}\spara|lautet|lauten|ist|war|sind|est|\u00e9tait|sont|es|era|son|\u00e8|\u00e9|e"
    r"|s\u00e3o|zijn|er|jest|je|on|\u00e4r|got|received|found|expected)"
    r"(?:\s(?:now|still|set\sto|jetzt|nun|maintenant|ahora|the|le|la|el|il))?\s?:?"
)
_SIGN = r"[^\s\"'`,;<>\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff0c\u3002\uff1b]"
_FOUND = re.compile(
    rf"(?:(?P<sure>{_STRONG}[ \t]{{0,3}}(?:(?:got|received|found)\s)?"
    rf"(?:(?:\\|[>|][-+]?)\r?\n\s{{0,8}})?|{_VERB}\s{{1,3}})|(?<=\S)\s(?:to\s)?)"
    r"(?P<open>[\"'`*\u201c\u201e\u00ab\u300c\u300e(\[]{0,3})"
    rf"(?P<value>\d{{2,4}}(?:[ -]\d{{2,4}}){{1,4}}(?![\w-])"
    rf"|(?={_SIGN}{{0,80}}[\d!#$%&*+@^~?]){_SIGN}{{3,{LONGEST}}})"
)
_OTHERS = re.compile(
    r"(?<=\[redacted\])(?:(?:, (?:(?:and|und|et|y|e|en|i) )?| (?:and|und|et|y|e|en|i) )"
    r"(?!\d{4}-\d\d-)"
    r"(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z-])[\w-]{4,40}(?!\S\S))+",
    re.I,
)
"""The other codes of a list behind the first."""
_FORMER = re.compile(
    r"(?<![\w./-])(?P<value>(?=[\w./+=~!@#$%^&*-]{0,200}\d)(?=[\w./+=~!@#$%^&*-]{0,200}[A-Za-z])"
    r"[\w./+=~!@#$%^&*-]{6,200}|\d{4,8}|\d{3}[ -]\d{3})"
    r"(?=[\"'`]?\s(?:is|as|ist|als|es|como|est|comme"
    r"|\u00e8|come|\u00e9)\s(?:still\s|now\s)?(?P<name>(?:[^\W\d_][\w-]{0,20}[ _]?){2,6}))"
)
"""A value before its name: "Use … as your password"."""
_WHOSE = word_set(
    "your the a my our new ihr ihre dein deine das der tu su la el tus votre ton le seu sua il tuo "
    "tua uw je mijn"
)
_YOURS = word_set("your ihr dein votre ton tu su seu teu tuo suo uw je \u0432\u0430\u0448")
_FOR = LINKS | word_set("at from in on")
_CARD = word_set("cvv cvc ccv cvn")
_SHORT = 3
_END = ".!?:)]}\u2026\u00bb\u201d*"
_NUMERIC = (
    CODES | PINS | NUMBERS | word_set("cvv cvc cvv2 cvc2 otp totp puk passcode tan passcodes")
)
_ABOUT = word_set(
    "algorithm algorithms count docs documentation endpoint error expiry file format id ids length "
    "level limit manager name page policy rules size status support type types uri url version"
)
"""Words behind a name that tell of something else."""
_STOPS = ".,;:!?\u3002\uff0c\uff1b("


def prose_masked(text: str) -> str:
    """`text` without the secrets in its sentences and lines of settings."""
    return _OTHERS.sub(f", {MASK}", _FOUND.sub(_instead, _FORMER.sub(_before_name, text)))


def _before_name(found: re.Match[str]) -> str:
    """A mask for a value whose name follows."""
    whose, *words = found["name"].split()
    if whose.lower() not in _WHOSE:
        return found[0]
    names = (" ".join(words[:length]) for length in range(1, len(words) + 1))
    sure = any(secrecy_in_text(name) is Secrecy.SECRET or name.lower() == "pin" for name in names)
    yours = is_number(found["value"]) and _is_yours(found["name"].split()[:2])
    return MASK if sure or yours else found[0]


def _instead(found: re.Match[str]) -> str:
    value = found["value"].rstrip(_END)
    words = _before(found.string[max(0, found.start() - _REACH) : found.start()])
    if not words or not _told(words, value, (found["sure"] or "").strip().lower()):
        return found[0]
    start = found.start("value") - found.start()
    return found[0][:start] + MASK + found[0][start + len(value) :]


def _before(text: str) -> list[str]:
    """The last words of a sentence, up to a sign that ends another."""
    kept: list[str] = []
    for word in reversed(text.rstrip("\"'`*)] \t").split()[-_MOST:]):
        if kept and word[-1] in _STOPS:
            break
        kept.append(word.strip("\"'`*([{|>-"))
    return kept[::-1]


def _told(words: Sequence[str], value: str, sure: str) -> bool:
    """Whether a value is a secret; `sure` is the verb or sign that leads from its name to it."""
    known = _known(words)
    if not sure and folded(words[-1]) in LINKS:
        return False
    if known <= Secrecy.BY_SHAPE:
        if known and sure and tells(" ".join(words), value):
            return True
        if sure and _is_yours(words):
            return is_number(value) and len(value) > _SHORT
        return bool(sure) and is_mixed(value) and len(value) >= 6 and _further(words)
    parts = name_parts(" ".join(words))
    numeric = not _NUMERIC.isdisjoint(parts)
    if known is Secrecy.BY_VALUE:
        return sure not in ("", "on") and _by_value(parts, value)
    if is_number(value):
        digits = sum(map(str.isdigit, value))
        near = 3 if sure or not _CARD.isdisjoint(parts[-1:]) else 4
        return digits >= (near if numeric else 6 if sure else 99)
    return is_mixed(value) and (bool(sure) or (len(value) >= 6 and value.isascii()))


def _known(words: Sequence[str]) -> Secrecy:
    """What a name in a sentence says, with or without what it is for: "the code on the back"."""
    known = secrecy_in_text(" ".join(words))
    places = [at for at, word in enumerate(words) if at and folded(word) in _FOR]
    if known <= Secrecy.BY_SHAPE and places:
        known = secrecy_in_text(" ".join(words[: places[0]]))
        return known if known is Secrecy.SECRET else Secrecy.NONE
    return known


def _is_yours(words: Sequence[str]) -> bool:
    """Whether a code is a person's, and of nothing else: "your code is 448812"."""
    *before, last = map(folded, words)
    return last in CODES and not _YOURS.isdisjoint(before[-1:])


def _by_value(parts: Sequence[str], value: str) -> bool:
    """Whether a value is a secret by its own looks and the last word of its name."""
    if value.isdigit():
        return len(value) in ({6} if parts[-1] == "tan" else {3, 4, 5} if parts[-1] in PINS else {})
    return tells(" ".join(parts), value)


def _further(words: Sequence[str]) -> bool:
    """Whether a name of a secret stands some words before."""
    for dropped in range(1, min(_BETWEEN, len(words) - 1) + 1):
        if folded(words[-dropped]) in _ABOUT or not words[-dropped].isalpha():
            return False
        if secrecy_in_text(" ".join(words[:-dropped])) is Secrecy.SECRET:
            return True
    return False
