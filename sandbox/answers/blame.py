"""Whose value an answer does not know or lacks: which arguments its words name.

A server says "Deployment not found", "no such table: loans" or "Unknown currency 'EURO'" of a
thing that the call named. Then the endpoint is there, and what was planned is wrong. And it says
"padID is not a string" of an argument that the call left out, where its document calls none
required.
"""

import re

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, Tool
from gretel.text.identifiers import split_identifier
from gretel.text.words import GENERIC_WORDS, singular

_SHORTEST = 2
"""Characters of a value that can be told in a message; a single one stands in any."""
_LONGEST = 40
"""Characters of a value that are repeated."""
_WORDS = 1_000
"""Characters of a message that are read."""
_NAMES = re.compile(r"\w+")
_WORD = re.compile(r"\w")
_GOES_ON = re.compile(r"[\w/=&?]")
"""Before a value that is a part of a word, a path or a query."""
_MISSING = re.compile(
    r"\b(?:missing|required|requires?|must (?:be (?:given|set|provided|specified)|have|contain)"
    r"|not (?:given|set|provided|specified|defined)|undefined|mandatory)\b",
    re.I,
)
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_NO_NOUNS = GENERIC_WORDS | frozenset({"uuid", "slug", "hash", "ref", "item", "resource", "object"})


def blamed(words: str, tool: Tool, arguments: JsonObject) -> tuple[str, ...]:
    """The arguments that `words` name: by their value, else by the noun of what they stand for."""
    words = words[:_WORDS]
    given = [each for each in tool.parameters if each.name in arguments]
    by_value = (p.name for p in given if names_value(words, arguments[p.name]))
    return tuple(by_value) or tuple(p.name for p in given if _noun_of(p, tool) & _nouns(words))


def lacked(words: str, tool: Tool, arguments: JsonObject) -> tuple[str, ...]:
    """The parameters that `words` name and the call did not send: whole identifiers only.

    A name of one word stands in any message, so that it has to be said to be missing.
    """
    names = set(_NAMES.findall(words[:_WORDS]))
    unsent = [p for p in tool.fillable if p.name not in arguments and p.wire_name in names]
    said = _MISSING.search(words[:_WORDS])
    return tuple(p.name for p in unsent if said or len(split_identifier(p.wire_name)) > 1)


def names_value(words: str, value: JsonValue) -> bool:
    """Whether a message names a value; one that stands in a path or a query does not count."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return isinstance(value, list) and len(value) == 1 and names_value(words, value[0])
    text = str(value).strip()
    if not _SHORTEST <= len(text) <= _WORDS:
        return False
    return _stands(text.lower(), words[:_WORDS].lower())


def _stands(text: str, words: str) -> bool:
    """Searched plainly: a pattern for each of a thousand arguments takes seconds to compile."""
    at = words.find(text)
    while at >= 0:
        if not _GOES_ON.match(words[at - 1 : at]) and not _WORD.match(words, at + len(text)):
            return True
        at = words.find(text, at + 1)
    return False


def in_path(tool: Tool, arguments: JsonObject) -> tuple[str, ...]:
    """The arguments that stand in the path."""
    return tuple(
        each.name for each in tool.parameters if each.location == "path" and each.name in arguments
    )


def unknown(fields: tuple[str, ...], arguments: JsonObject) -> str:
    """What a server does not know: "knows no prod (deployment)"."""
    shown = (f"{_short(arguments[name])} ({name})" for name in fields)
    return f"knows no {' or '.join(shown)}"


def _noun_of(parameter: Parameter, tool: Tool) -> frozenset[str]:
    """The words for what a parameter names: those of its name, else of the path before it."""
    nouns = _nouns(" ".join(split_identifier(parameter.wire_name)))
    if nouns or parameter.location != "path" or not isinstance(tool.binding, HttpBinding):
        return nouns
    before = tool.binding.path.partition(f"{{{parameter.wire_name}}}")[0]
    steps = [step for step in before.split("/") if step and not _PLACEHOLDER.search(step)]
    return _nouns(" ".join(split_identifier(steps[-1]))) if steps else frozenset()


def _nouns(text: str) -> frozenset[str]:
    words = re.findall(r"[^\W\d_]{3,}", " ".join(split_identifier(text)))
    return frozenset(map(singular, words)) - _NO_NOUNS


def _short(value: JsonValue) -> str:
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
