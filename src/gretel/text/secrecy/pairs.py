"""Names and values in JSON, YAML, forms, queries, settings, XML, HTML and rows: secrets masked.

Whatever the name is, it is judged by `names.py`, so that no list of names stands here.
"""

import re
from collections.abc import Iterator

from gretel.text.secrecy.forms import (
    CODED,
    INSIDE,
    IS,
    LONGEST,
    NAME,
    PLAIN,
    QUOTE,
    Masked,
    form,
    run,
)
from gretel.text.secrecy.lexicon import KEYS, TOKENS
from gretel.text.secrecy.names import Secrecy, is_phrase, name_parts, secrecy_in_text, tells
from gretel.text.secrecy.nested import nested
from gretel.text.secrecy.values import (
    is_given,
    is_mixed,
    is_number,
    is_random,
    says_nothing,
)
from gretel.text.secret_shapes import MASK
from gretel.text.words import word_set

_READS = word_set("check decode env fetch find get getenv has is load lookup read require validate")
_LONG = TOKENS | KEYS
"""Secrets that machines make: what is shorter than so many signs is a name, as of a coin."""
_LEAST_LONG = 6
_HOOKS = word_set(
    """
    activate confirm hook hooks incomingwebhook invitation invite magic reset verify webhook
    webhookb2 webhooks
    """
)
"""Parts of a path behind which stands what lets in whoever has it."""

_BARE_AHEAD = (
    r"(?=[\w ./$@\[\]-]{0,64}+\s{0,3}[:=\uff1a%])(?=[\w\s.:/$@\[\]=>\uff1a-]{0,72}+[\\\"'`%])"
)
"""Whether a sign and a quote may follow a name that begins here: where none do, none of the lengths
that the name may have need be tried."""


def _told(name: str, value: str, *, least: int = 3) -> bool:
    """Whether a value is a secret where signs mark it off."""
    known = secrecy_in_text(name)
    if known is Secrecy.SECRET:
        parts = name_parts(name)
        least = _LEAST_LONG if parts[-1] in _LONG else least
        # `token` alone may be one of those that are traded: a coin.
        plain = len(parts) == 1 and parts[0] in TOKENS
        return is_given(value, least=least, phrase=is_phrase(name), plain=plain)
    return bool(known) and tells(name, value)


def _loose(name: str, value: str) -> bool:
    """Whether a value is one where only a colon or a blank marks it off."""
    known = secrecy_in_text(name)
    if known is Secrecy.NONE or says_nothing(value):
        return False
    if known is not Secrecy.SECRET:
        return tells(name, value)
    return is_mixed(value) or is_number(value)


def _in_path(name: str, value: str) -> bool:
    """Whether a part of a URL's path is a secret, behind one that names it: `/invite/…`."""
    named = secrecy_in_text(name) or not _HOOKS.isdisjoint(name_parts(name))
    return bool(named) and is_random(value)


_NAMES = (
    r"(?:name|key|field|param(?:eter)?|header|variable|id)"
    rf"(?:{QUOTE})?{IS}(?:{QUOTE})?(?P<name>{NAME}?)"
)
_VALUES = (
    rf"(?:value|val|v|content)(?:{QUOTE})?{IS}(?:{QUOTE})?"
    rf"(?P<value>[^\"'\\,\n<>{{}}]{{3,{LONGEST}}})"
)
_LINE_END = r"(?:\r?\n|\\r\\n|\\n)"


def _quoted() -> Iterator[Masked]:
    # "name": "value", 'name' => 'value', ["name"] = "value", name="value", "name": 1234
    yield form(rf"(?P<q>{QUOTE})(?P<name>{NAME})(?P=q)\]?{IS}(?P<open>{QUOTE}){INSIDE}", _told)
    bare = rf"(?<![\w-]){_BARE_AHEAD}(?P<name>{NAME}){IS}"
    yield form(rf"{bare}(?P<open>{QUOTE}){INSIDE}", _told)
    yield form(rf"(?P<q>{QUOTE})(?P<name>{NAME})(?P=q){IS}(?P<value>\d[\d .-]{{1,24}}\d)", _told)
    # "name": "…", "value": "…" and the other way round, also in lines of YAML
    for first, second in ((_NAMES, _VALUES), (_VALUES, _NAMES)):
        yield form(
            rf"(?<![\w-]){first}(?:{QUOTE})?(?:\s{{0,3}},\s{{0,40}}|\s{{1,40}})"
            rf"(?:{QUOTE})?{second}(?=\\|[\"',\n}}]|$)",
            _told,
            re.I,
        )
    # setName("value"), ["name", "value"], {"name": …, "value": …} cut short
    yield form(rf"(?<![\w.])(?P<name>[a-zA-Z_]\w{{1,60}})\(\s?(?P<open>{QUOTE}){INSIDE}", _called)
    yield form(rf"(?P<q>{QUOTE})(?P<name>{NAME})(?P=q)\s?,\s?(?P<open>{QUOTE}){INSIDE}", _loose)


def _assignments() -> Iterator[Masked]:
    # name=value in queries, forms, settings and connection strings
    yield run(
        r"(?:(?<![^\s?&;,|(\"'`#])|(?<=%3[BFbf])|(?<=%26))(?P<name>[^\W\d_][\w.\[\]-]{0,60})"
        rf"(?:\s{{0,3}}=>?\s{{0,3}}(?!=)(?={PLAIN})|(?P<code>%3[Dd])(?={CODED}))",
        _assigned,
    )
    # --name value
    yield form(
        r"(?<!\S)--?(?P<name>[a-zA-Z][\w-]{1,40})(?:=|\s{1,3})[\"']?"
        r"(?P<value>(?![-<$\[({])[^\s\"'`,;<>]{4,})",
        _flagged,
    )


def _paths() -> Iterator[Masked]:
    # https://…/invite/value, https://…/webhooks/some/7/value, also as JSON and forms write them
    slash, value = r"(?:\\?/|%2[Ff])", r"(?P<value>[\w~-]{16,200})(?![\w~-]|\.\w)"
    yield form(rf"(?:(?<=/)|(?<=%2[Ff]))(?P<name>[A-Za-z][\w.-]{{2,40}}){slash}{value}", _in_path)
    yield form(
        r"(?:(?<=/)|(?<=%2f))(?P<name>(?:incoming)?(?:web)?hooks?(?:b2)?)"
        rf"{slash}(?:[\w@.-]{{1,80}}{slash}){{1,3}}?{value}",
        _in_path,
        re.I,
    )


def _rows() -> Iterator[Masked]:
    # parts of a form, and rows of two cells
    yield form(
        r"\bname=\\?\"(?P<name>[^\"\\\n]{1,60})\\?\""
        rf"(?:{_LINE_END}[\w-]{{1,40}}:[^\r\n\\]{{0,100}}){{0,3}}{_LINE_END}{_LINE_END}"
        r"(?P<value>(?:(?!\\r\\n|\\n)[^\r\n])"
        rf"{{3,{LONGEST}}})",
        _told,
    )
    yield form(
        rf"^\s{{0,8}}\|?[ \t*]{{0,4}}`?(?P<name>{NAME}?)`?[ \t*]{{0,4}}"
        rf"\|[ \t]{{0,20}}`?(?P<value>[^|\n]{{3,{LONGEST}}}?)`?[ \t]{{0,20}}\|?[ \t]*$",
        _loose_row,
        re.M,
    )


def _loose_row(name: str, value: str) -> bool:
    return " " not in value and _loose(name, value)


def _assigned(name: str, value: str) -> bool:
    """Whether a value behind a sign of equality is a secret; a short word may be an expression."""
    short = len(value) < 6 and not any(char.isdigit() for char in value)
    call = value.endswith("(") or "()" in value
    return not short and not call and _told(name, value)


def _called(name: str, value: str) -> bool:
    """Whether a value is a secret that is handed to a function; one that reads is given a name."""
    first = name_parts(name)[:1]
    return not _READS.issuperset(first) and _told(name, value, least=6)


def _headed(name: str, value: str) -> bool:
    """Whether the rest of a line is a secret: of several words one must be a code."""
    pieces = [] if is_phrase(name) else value.split()
    return _told(name, value) and (len(pieces) < 2 or any(map(is_mixed, pieces)))


def _flagged(name: str, value: str) -> bool:
    return secrecy_in_text(name) is Secrecy.SECRET and is_given(value, least=4)


_TAG = re.compile(rf"<[\w:.-]{{1,40}}\s[^<>]{{3,{LONGEST}}}>(?:[^<]{{1,{LONGEST}}}(?=</))?")
_ATTRIBUTE = re.compile(
    rf"([\w:.-]{{1,40}})\s{{0,3}}=\s{{0,3}}(\\?[\"'])([^\"'\\]{{0,{LONGEST}}})\2"
)
_NAMING = frozenset({"name", "key", "id", "type", "field", "property"})


def _tags() -> Masked:
    """What masks a value that a tag names in one attribute and holds in another, or behind it."""

    def instead(tag: re.Match[str]) -> str:
        found = [*_ATTRIBUTE.finditer(tag[0])]
        known = [each[3] for each in found if each[1].lower() in _NAMING]
        held = [each for each in found if each[1].lower() in ("value", "content", "data")]
        spans = [(*each.span(3), each[3]) for each in held]
        if not held and not tag[0].endswith(">"):
            start = tag[0].rindex(">") + 1
            spans = [(start, len(tag[0]), tag[0][start:])]
        text = tag[0]
        for start, end, value in spans:
            if any(_told(name, value) for name in known):
                text = text[:start] + MASK + text[end:]
        return text

    return lambda text: _TAG.sub(instead, text)


_LIST = re.compile(
    rf"(?P<q>{QUOTE})(?P<name>{NAME})(?P=q){IS}\[(?P<quoted>[^\[\]{{}}]{{3,{LONGEST}}})"
    r"|^(?P<head>[^\n:]{3,60}):?[ \t]{0,8}\r?\n"
    r"(?P<lines>(?:[ \t]{0,8}(?:[-*\u2022]|\d{1,2}[.)])[ \t]{1,4}"
    r"[\w-]{4,40}[ \t]{0,8}(?:\r?\n|$)){1,24})",
    re.M,
)
_ITEM = re.compile(rf"(?<=[\"'])(?=[^\"'\\]{{0,200}}\d)[^\"'\\\s]{{4,{LONGEST}}}(?=\\?[\"'])")
_LINE = re.compile(r"(?<=[ \t])(?=[\w-]{0,40}\d)[\w-]{4,40}(?=[ \t]{0,8}(?:\r?\n|$))")


def _lists() -> Masked:
    """What masks the codes of a list that is named once."""

    def instead(found: re.Match[str]) -> str:
        name, item = (found["name"], _ITEM) if found["name"] else (found["head"], _LINE)
        if secrecy_in_text(name) is not Secrecy.SECRET:
            return found[0]
        start = max(found.start("quoted"), found.start("lines")) - found.start()
        return found[0][:start] + item.sub(MASK, found[0][start:])

    return lambda text: _LIST.sub(instead, text)


FORMS = (
    *_quoted(),
    *_assignments(),
    *_paths(),
    *nested(_told, _loose),
    _tags(),
    _lists(),
    *_rows(),
)
"""What masks secrets in pairs of all forms, one after another."""
HEADER = form(r"^(?P<name>[A-Za-z][\w-]{0,60}):[ \t]{0,20}(?P<value>\S[^\r\n]*)$", _headed, re.M)
"""Name: value, on a line of its own; in a sentence that is what is wrong with an argument."""
