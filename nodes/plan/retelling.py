"""What a value tells of another's words, in whatever signs: facts of the caller, or answers."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Set
from urllib.parse import unquote

from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.contracts.trial import Argument, CallPlan
from gretel.nodes.plan.decoding import decodings
from gretel.text.confusables import skeleton

TELLING = 4
"""Characters from which a text within another is no chance."""
_TELLING_DIGITS = 5
_SURE = 6
"""Characters from which a word within another is none: `karinordmann`, `T-r-o-n-d-h-e-i-m`."""
_LABEL = re.compile(r"[a-z][A-Za-z_-]*\d{0,3}")
"""What a program calls a field: such a name says nothing of anybody."""
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+")
_STROKES = str.maketrans("\u00f8\u0142\u0111\u0127", "oldh")
"""Letters with a stroke, which Unicode takes for no accent."""
_PAIR = re.compile(r"(?=([\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]{2}))")
"""Two signs of Chinese, Japanese or Korean: many names have no more, and no blanks around them."""
_GAP = re.compile(r"(?<=\d)[\s().,/-]+(?=\d)")
"""What may stand within a number: of a telephone, an account, an amount."""


def words_told(told: JsonValue, *known: str) -> set[str]:
    """The words in `told` that no text of `known` holds: as they stand, and without their signs."""
    words = telling(told)
    words -= telling([*known]) if words else set()
    return words | {bare for word in words if len(bare := _bare(word)) >= _SURE}


def retells(value: JsonValue, words: Set[str]) -> bool:
    """Whether one of `words` stands in a value, in whatever signs or code, joined or parted."""
    if not words:
        return False
    if not words.isdisjoint(telling(value)) or _joins(value, words):
        return True
    # Backwards, and in what is no code, short words stand by chance.
    decoded = (word for text in decodings(value) for word in telling(text))
    return any(len(word) >= _SURE and word in words for word in decoded)


def own_names(value: JsonValue, name: str, tool: Tool | None) -> list[JsonValue]:
    """The names within the argument `name` that whoever wrote it chose, and not the document."""
    schemas = {each.name: each.json_schema for each in tool.parameters} if tool else {}
    return [*_unlisted(value, schemas.get(name, {}))]


def _unlisted(value: JsonValue, schema: JsonValue) -> Iterator[str]:
    said = schema if isinstance(schema, dict) else {}
    listed = said.get("properties")
    if isinstance(value, dict):
        names = listed if isinstance(listed, dict) else {}
        yield from (name for name in value if name not in names)
        for name, item in value.items():
            yield from _unlisted(item, names.get(name))
    elif isinstance(value, list):
        for item in value:
            yield from _unlisted(item, said.get("items"))


def leaves_of(value: JsonValue) -> Iterator[JsonValue]:
    """The texts, numbers and booleans that a value is made of; no names."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves_of(item)
    else:
        yield value


def names_told(facts: JsonValue) -> Iterator[str]:
    """The names within the values of `facts` that are no labels of fields: people, addresses."""
    for value in facts.values() if isinstance(facts, dict) else ():
        yield from (name for name in _names(value) if not _LABEL.fullmatch(name))


def parted(plan: CallPlan, words: Callable[[], Set[str]]) -> tuple[str, ...]:
    """The arguments that a model chose, where one of `words` stands in them only together."""
    chosen = {n: each.value for n, each in plan.arguments.items() if _is_chosen(each)}
    several = len(chosen) > 1 and _joins([*leaves_of([*chosen.values()])], words())
    return tuple(chosen) if several else ()


def _is_chosen(argument: Argument) -> bool:
    return argument.source == "invented" or argument.quoted


def retold(name: str, argument: Argument, words: Callable[[], Set[str]], tool: Tool | None) -> bool:
    """Whether a value that a model chose holds one of `words`; of another one the names in it."""
    chosen = _is_chosen(argument)
    looked_at = [argument.value] if chosen else own_names(argument.value, name, tool)
    return bool(looked_at) and retells(looked_at, words())


def _joins(value: JsonValue, words: Set[str]) -> bool:
    """Whether one of `words` stands in a value of which letters and digits alone are left."""
    joined = _bare("".join(map(str, (*leaves_of(value), *_names(value)))))
    return any(word in joined for word in words if len(word) >= _SURE)


def _bare(text: str) -> str:
    return "".join(_WORD.findall(skeleton(unquote(text)).casefold()))


def telling(value: JsonValue) -> set[str]:
    """The words and numbers in a value, names too, that are too long to be there by chance.

    A model that is asked to writes a fact in part, in other signs, as a number or as a text.
    """
    return set().union(*map(_telling, (*leaves_of(value), *_names(value))))


def _telling(leaf: JsonValue) -> set[str]:
    if leaf is None or isinstance(leaf, bool):
        return set()
    text = _plain(leaf)
    # One by one: a search for all of them would hold the event loop, whatever thread it is in.
    words = {word for found in _WORD.finditer(text) if len(word := found[0]) >= TELLING}
    numbers = _NUMBER.finditer(_GAP.sub("", text))
    digits = {run for found in numbers if len(run := found[0]) >= _TELLING_DIGITS}
    pairs = {found[1] for found in _PAIR.finditer(text)}
    return {word for word in words if not word.isdigit()} | digits | pairs


def _plain(leaf: JsonValue) -> str:
    """A text or number, whatever script its digits are of, its accents and look-alikes left out."""
    leaf = int(leaf) if isinstance(leaf, float) and leaf.is_integer() else leaf
    text = unicodedata.normalize("NFKC", unquote(str(leaf))).casefold()
    if text.isascii():
        return text
    # Korean signs, which are taken apart with the accents, are put together again.
    text = unicodedata.normalize("NFC", skeleton(text).translate(_STROKES))
    return "".join(str(int(each)) if each.isdecimal() else each for each in text)


def reads_alike(value: JsonValue, other: JsonValue) -> bool:
    """Whether two texts or numbers are of the same letters, or words: `HIV`, `hiv`; 7, "7"."""
    one, two = (_WORD.findall(_plain(each)) for each in (value, other))
    return bool(one) and ("".join(one) == "".join(two) or sorted(one) == sorted(two))


def _names(value: JsonValue) -> Iterator[str]:
    """The names within a value."""
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _names(item)
