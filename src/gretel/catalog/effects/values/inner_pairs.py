"""Names and values within a value that a server reads as a text of its own.

A form (`id=7&action=create`), JSON however loosely it is written (`{action: 'create'}`), lines of
settings as YAML, TOML and INI have them, and markup, whose elements are names: XML-RPC, SOAP,
Solr's updates. Of a name that stands twice each value counts, for servers differ about which is
taken.
"""

import json
import re
import sys
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Any

from gretel.catalog.effects.chosen import UNREAD
from gretel.contracts.record import JsonValue

PAIRS = 200
"""Pairs of a text that are read."""
_BLANKS = " \t\r\n\x0b\x0c\x85\xa0\u2028\u2029\u3000\ufeff"
_FORM = re.compile(r"(?:^|[?&;#])[+\s]{0,9}([\w.$@%\[\]-]{1,80})=([^&;#]*)")
_LINK = re.compile(r"[\w.+-]{1,40}://")
"""What a link says is said to another server."""
_LINKS = re.compile(r"[\w.+-]{1,40}://\S*")
_HIDING = re.compile(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<[^<>]*/>"
    r"|<([\w.:-]{1,80}+)[^<>]*+></\2>",
    re.S,
)
"""A comment of markup and an instruction, which nothing reads, a text that is marked as one, and an
empty element, on both sides of which one text stands."""
_QUOTED = re.compile(r"\"[^\"<]*\"|'[^'<]*'")
_PART = re.compile(
    r"\bname=\"?([^\";\r\n]{1,80}+)[^\n]{0,400}+\n(?:[^\n]{2,400}\n){0,9}\r?\n([^\r\n]*)"
)
"""A part of a form that is sent in parts (`multipart/form-data`)."""
_REQUEST = re.compile(r"^([A-Z]{3,20}) \S{1,2000} HTTP/\d", re.M)
"""The first line of a request within a body: a batch of them, or what a server that leaves the
bodies of GETs unread takes for the next one."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|\r?\n)")
_REMARK = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\r\n\u2028\u2029]*", re.S)
"""What a script leaves out."""
_ENTITY = re.compile(r"<!ENTITY\b", re.I)
"""What lets a name stand for any text."""
_LOOSE = re.compile(
    r"(?<![\w.$@-])([\w.$@-]{1,80})[\"']?\s{0,9}(?::|=>?)\s{0,9}(?:\"([^\"]*)\"|'([^']*)'|([\w.$/@-]+))"
)
"""A pair of JSON with names or texts in other quotes or none, of Rison, of a list in a script."""
_ELEMENT = re.compile(r"<(?:[\w.-]{1,40}:)?([A-Za-z_][\w.-]{0,80})([^<>]*)>([^<]*)")
_ATTRIBUTE = re.compile(r"([\w.:-]{1,80})\s?=\s?[\"']([^\"'<>]*)")
_LINE = re.compile(
    r"[ \t]{0,400}(?:-[ \t]{1,9}){0,9}[\"']?([\w.$@-]{1,80})[\"']?[ \t]{0,9}(?::(?=\s)|=)([^\n]*)\n"
)
"""A setting: `action: create`, `- 'action': create`, `action = "create"`."""
_BESIDE = re.compile(r"(?:[ \t#;%\[.-][^\n]*)?\n")
"""What stands among settings: remarks, heads, what goes on in a line of its own."""
_VALUE = re.compile(r"[ \t]*(?:\"([^\"]*)|'([^']*)|([^#]*))")
_COVER = frozenset({"body", "envelope"})
"""Elements of SOAP around that which says what is to be done."""


def pairs_within(text: str) -> Iterator[tuple[str, JsonValue]]:
    """Names and values in a text that is a form, JSON or markup; of lists the values alone.

    And the method of each request that stands in it.
    """
    bare = text.strip(_BLANKS)
    for line in _first(_REQUEST, bare):
        yield ("_method", line[1]) if line else (UNREAD, "")
    if bare[:1] == "<":
        yield from _of_markup(bare)
        yield from _of_form(bare) if "&" in bare else ()
    elif bare[:2] == "--":
        yield from _of_parts(bare)
        yield from _of_lines(bare)
    elif bare[:1] in ("{", "[", "(", "!", '"') or bare[:2] in ("//", "/*"):
        yield from _of_json(bare)
    elif bare and not _LINK.match(bare):
        yield from _of_form(bare)
        yield from _of_lines(bare)


def _of_lines(text: str) -> Iterator[tuple[str, JsonValue]]:
    """The settings of a text of several lines, all of which are settings or stand among them."""
    lines = [f"{line}\n" for line in text.splitlines()]
    found = [_LINE.fullmatch(line) for line in lines]
    if len(lines) == 1 or not all(
        a or _BESIDE.fullmatch(b) for a, b in zip(found, lines, strict=True)
    ):
        return
    for setting in [*filter(None, found)][: PAIRS + 1]:
        said = _VALUE.match(setting[2])
        yield setting[1], next(filter(None, said.groups()), "").strip() if said else ""
    if sum(map(bool, found)) > PAIRS:
        yield UNREAD, ""


def _of_form(text: str) -> Iterator[tuple[str, JsonValue]]:
    """The pairs of a form; of a text with blanks only where it begins as one, or `&` parts it."""
    if len(text.split(None, 1)) > 1:
        text = _LINKS.sub("", text)
        if not _FORM.match(text) and "&" not in text:
            return
    for pair in _first(_FORM, text):
        yield (pair[1], pair[2].replace("+", " ")) if pair else (UNREAD, "")


def _first(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str] | None]:
    """The first matches; None behind them, where there are more."""
    for number, match in enumerate(islice(pattern.finditer(text), PAIRS + 1)):
        yield match if number < PAIRS else None


def _of_json(text: str) -> Iterator[tuple[str, JsonValue]]:
    try:
        value = json.loads(text, object_pairs_hook=_kept)
    except (ValueError, RecursionError):
        plain = _ESCAPE.sub(_unescaped, text)
        for each in dict.fromkeys(
            " ".join(t.split()) for t in (text, plain, _REMARK.sub("", plain))
        ):
            yield from _of_script(each)
        return
    if not isinstance(value, str) or value.lstrip(_BLANKS)[:1] in ("{", "[", '"'):
        yield "", value


def _of_script(text: str) -> Iterator[tuple[str, JsonValue]]:
    for pair in _first(_LOOSE, text):
        said = pair and next(filter(None, pair.groups()[1:]), "")
        yield (pair[1], said) if pair else (UNREAD, "")


def _unescaped(found: re.Match[str]) -> str:
    """The sign that an escape of a script stands for; nothing for the end of a line."""
    code = int(found[1] or found[2] or found[3] or "0", 16)
    return chr(code) if 0 < code <= sys.maxunicode else ""


def _of_parts(text: str) -> Iterator[tuple[str, JsonValue]]:
    """What each part of a form says."""
    for pair in _first(_PART, text):
        yield (pair[1], pair[2]) if pair else (UNREAD, "")


def _kept(pairs: list[tuple[str, Any]]) -> JsonValue:
    """An object; as a list of objects where a name stands twice in it."""
    made = dict(pairs)
    return made if len(made) == len(pairs) else [{name: value} for name, value in pairs]


def _of_markup(text: str) -> Iterator[tuple[str, JsonValue]]:
    """What each element and attribute says, as it stands and without what only hides it."""
    if _ENTITY.search(text):
        yield UNREAD, ""
    quoted = _QUOTED.sub(lambda found: found[0].replace(">", " "), text)
    for each in dict.fromkeys((text, _HIDING.sub(r"\1", text), quoted)):
        yield from _of_elements(each)


def _of_elements(text: str) -> Iterator[tuple[str, JsonValue]]:
    """What each element says; the outermost, or SOAP's, is what is to be done."""
    before = "body"
    for element in _first(_ELEMENT, text):
        if element is None:
            yield UNREAD, ""
            return
        name = element[1]
        if before.lower() in _COVER:
            yield "operation", name
        yield name, unescape(element[3]).strip()
        for attribute in _first(_ATTRIBUTE, " ".join(element[2].split())):
            yield (attribute[1], unescape(attribute[2])) if attribute else (UNREAD, "")
        before = name
