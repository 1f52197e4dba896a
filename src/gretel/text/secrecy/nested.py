"""Pairs that more than a sign parts: sections, cells, inner objects, a line's end; or a colon."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from gretel.text.secrecy.forms import INSIDE, IS, LONGEST, NAME, QUOTE, Masked, form
from gretel.text.secrecy.values import is_coded

Judge: TypeAlias = Callable[[str, str], bool]
"""Whether a value is a secret by its name."""
_AMOUNT, _TOKEN = re.compile(r"[\d.,]+$"), re.compile(r"tokens?$", re.I)
_HOLDS = r"(?:content|current|data|plain|plain_?text|raw|secret|string|text|val|value)"
"""What holds a secret whose name stands around it."""


def nested(told: Judge, loose: Judge) -> Iterator[Masked]:
    """What masks them; `told` where signs mark a value off, `loose` where words may stand there."""
    # <name>value</name>, also in a section of its own, behind a remark, or in <name><value>
    yield form(
        r"<(?:\w{1,20}:)?(?P<name>[^\W\d_][\w.-]{0,60})(?:\s[^<>]{0,200})?>(?![\"'])"
        rf"(?:\s{{0,9}}<(?:!\[CDATA\[|!--[^<>]{{0,200}}-->|{_HOLDS}>)){{0,2}}"
        rf"(?P<value>[^<]{{3,{LONGEST}}})(?=<|$)",
        told,
    )
    # a cell, a term or a bold word that names what stands behind it
    yield form(
        r"(?i)<(?:b|dt|em|label|span|strong|td|th)(?:\s[^<>]{0,200})?>\s{0,9}"
        r"(?P<name>[^\W\d_][\w .-]{0,40}?)\s{0,3}:?\s{0,3}</\w{1,8}>\s{0,9}:?\s{0,9}"
        r"(?:<(?:b|code|dd|em|kbd|pre|span|strong|td)(?:\s[^<>]{0,200})?>\s{0,9}){0,2}"
        rf"(?P<value>[^<\s][^<]{{2,{LONGEST}}}?)(?=\s{{0,9}}<|$)",
        loose,
    )
    # "name": {"value": "value"}
    yield form(
        rf"(?P<q>{QUOTE})(?P<name>{NAME})(?P=q){IS}(?:\[\s{{0,40}})?\{{[^{{}}]{{0,400}}?"
        rf"(?P<h>{QUOTE}){_HOLDS}(?P=h){IS}(?P<open>{QUOTE}){INSIDE}",
        # so many tokens, as they are traded, have a value
        lambda name, value: told(name, value) and not (_AMOUNT.match(value) and _TOKEN.match(name)),
    )
    # name: on a line, and its value on the next
    yield form(
        r"(?m)^[ \t-]{0,40}(?P<name>[^\W\d_][\w.-]{0,60}):[ \t]{0,9}(?:[|>][+\d-]{0,2}[ \t]{0,9})?"
        rf"\r?\n[ \t]{{1,40}}(?P<value>\S[^\r\n:]{{2,{LONGEST}}})$",
        loose,
    )
    # name:value among words, name: !!str value
    yield form(
        r"(?:(?<![\w:/.@-])|(?<=\s-H))(?P<name>[A-Za-z][\w-]{1,40}):"
        r"(?:[ \t]{1,3}[!&][\w!-]{1,30}[ \t]{1,3}[\"']?)?"
        rf"(?P<value>[^\s\"'`,;<>:/]{{4,{LONGEST}}}+)(?![:/])",
        lambda name, value: is_coded(value) and loose(name, value),
    )
