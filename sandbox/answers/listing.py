"""Which arguments narrow a call, and whether an empty answer says that there are none.

An empty list is the true answer to "which kernels are running?" where no kernel runs. It says that
nothing fits where the call asked for something certain.
"""

import re
from collections.abc import Collection

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, Tool
from gretel.sandbox.answers.words.keys import CONTAINER_KEYS, LIST_KEYS, plain_key
from gretel.text.identifiers import split_identifier
from gretel.text.words import singular, word_set

_FORM = word_set(
    """
    limit offset page pages perpage pagesize pagenumber pageno pagenum pageindex pagelimit size
    count skip take top rows max maxresults maxitems maxkeys startindex startat cursor pagetoken
    nextpagetoken nexttoken continuationtoken continue marker sort sortby sortorder sortdir
    sortdirection orderby orderdirection ordering direction dir asc desc format f fmt output
    outputformat responseformat alt accept lang locale acceptlanguage fields select include expand
    embed populate pretty prettyprint indent verbose callback version apiversion v units timezone tz
    """
)
"""Arguments that say how much comes, in which order and in which form, and not what."""
_ADDS = re.compile(r"(?:include|with|show|expand|return|embed)(?=[_-]?[A-Z_-])", re.A)
"""Beginnings of the names of flags that add to an answer."""
_LISTS = word_set("list all every index catalog catalogue")
_NO_THINGS = re.compile(
    r"\W*(?:there (?:are|were) )?no (?:[\w'’-]+ ){0,3}?(?P<thing>[^\W\d_]+)"
    r"(?: (?:are |were )?(?:found|available|yet))?[.!]*\s*",
    re.I,
)
"""A text that says that there are none of some things, and nothing else."""
_LETTERS = re.compile(r"[^\W\d_]+")
_DESCRIBED = 2_000
"""Characters of a description in which a thing is looked for."""
_DEPTH = 4


def narrowing(tool: Tool, arguments: JsonObject, named: Collection[str] | None) -> tuple[str, ...]:
    """The arguments that narrow a call to something certain.

    `named` are those whose value the request names, not the call itself; None: any may be.
    """
    known = {each.name: each for each in tool.parameters}
    return tuple(
        name
        for name, value in arguments.items()
        if (named is None or name in named) and _narrows(known.get(name), name, value)
    )


def says_none(value: JsonValue, tool: Tool) -> bool:
    """Whether an empty answer to a call that nothing narrows is a list without items.

    A list says so itself. Where there is none, as in `{}` for a map or `null` for Go's empty
    list, the document has to promise one.
    """
    return is_bare_list(value) or (_holds_nothing(value) and lists_things(tool))


def tells_of_none(words: str, tool: Tool) -> bool:
    """Whether words say that there are none of several things that the tool's description names."""
    found = _NO_THINGS.fullmatch(words)
    thing = found["thing"].lower() if found else ""
    return singular(thing) != thing and singular(thing) in map(
        singular, _LETTERS.findall(tool.description[:_DESCRIBED].lower())
    )


def is_bare_list(value: JsonValue, depth: int = 0) -> bool:
    """Whether an answer is a list without items, or an envelope round one."""
    if isinstance(value, list):
        return not value
    if not isinstance(value, dict) or depth >= _DEPTH:
        return False
    return any(is_bare_list(item, depth + 1) for item in value.values())


def lists_things(tool: Tool) -> bool:
    """Whether the document promises a list or a map, or the operation's name or path is plural."""
    schema = tool.response.json_schema or {}
    kind = schema.get("type")
    is_map = not schema.get("properties") and schema.get("additionalProperties")
    if kind == "array" or (kind == "object" and is_map):
        return True
    words = split_identifier(tool.operation)
    steps: list[str] = []
    if isinstance(tool.binding, HttpBinding):
        path = tool.binding.path.rstrip("/")
        steps = [path.rsplit("/", 1)[-1]] if not path.endswith("}") else []
    last = [word for step in steps for word in split_identifier(step)[-1:]]
    return bool(_LISTS & {*words}) or any(singular(word) != word for word in (*words[-1:], *last))


def _narrows(parameter: Parameter | None, name: str, value: JsonValue) -> bool:
    """Whether one argument does; what the server assumes anyway does not."""
    if plain_key(name) in _FORM or (isinstance(value, bool) and _ADDS.match(name)):
        return False
    place = plain_key(name) in ("start", "from") and isinstance(value, int)
    if place or (name.lower() == "order" and isinstance(value, str) and value.isalpha()):
        return False
    if parameter is None:
        return True
    schema = parameter.json_schema
    return not ("default" in schema and schema["default"] == value) and schema.get("enum") != [
        value
    ]


def _holds_nothing(value: JsonValue) -> bool:
    """Whether there is nothing at all, an envelope's fields aside."""
    if isinstance(value, dict):
        inner = [
            item for key, item in value.items() if plain_key(key) in CONTAINER_KEYS | LIST_KEYS
        ]
        return not value or (bool(inner) and all(map(_holds_nothing, inner)))
    return value is None
