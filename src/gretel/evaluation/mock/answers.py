"""What a tool that works answers: an instance of what its document says, arguments echoed.

ToolBench's templates were recorded from live calls, failed ones included: a template that is an
error documents no answer, and error fields beside content are made to say that all is well. The
words for that stand here and are not the sandbox's, whose reading of answers is measured with them.
"""

import re
from random import Random

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response, Tool
from gretel.nodes.simulate.schema import simulated_answer
from gretel.text.identifiers import identifier_text
from gretel.text.words import word_set

_FLAGS = word_set("success ok succeeded issuccess successful")
_ERRORS = word_set(
    "error errors err fault faultcode faultstring errormessage errormsg errorcode errordetail "
    "errordetails errordescription exception"
)
_STATUSES = word_set("status statuscode httpstatus code cod")
_ENVELOPE = (
    _FLAGS
    | _ERRORS
    | _STATUSES
    | word_set(
        "message messages messsage msg timestamp datetime path requestid responseid detail details "
        "info title type description innererror page limit offset pages pagesize perpage"
    )
)
"""What stands around content or an error, and is neither."""
_FAILED = re.compile(r"[45]\d\d")
"""A status under which a failure stands: `{"404": "not found"}`."""
_ASIDE = word_set("meta metadata pagination paging")
"""Objects beside the content."""
_COUNT = re.compile(r"total\w*|\w*count|num\w*|hits|found")
_ECHOED = 5
"""Arguments that an invented record repeats."""


def good_answer(tool: Tool, arguments: JsonObject, *, seed: int) -> JsonValue:
    """The answer of a tool that works, decided by seed, tool and arguments.

    It has content even where the document says nothing of answers, or shows only an empty one:
    then it is a record named after the operation, which repeats the arguments.
    """
    if not documents_an_answer(tool):
        tool = tool.model_copy(update={"response": Response()})
    answer = simulated_answer(tool, arguments, seed=seed)
    if tool.response.example is None or tool.response.example_is_template:
        answer = _well(answer)
    if _has_content(answer):
        return answer
    rng = Random(f"{seed} {tool.tool_id} {sorted(arguments)}")
    name = identifier_text(tool.operation) or "result"
    if answer == {}:
        answer = {"_".join(name.split()): []}
    return _filled(answer, name, arguments, rng)


def documents_an_answer(tool: Tool) -> bool:
    """Whether the document says what a successful call answers."""
    response = tool.response
    if response.example is None:
        return bool(response.json_schema)
    return not _is_error(response.example)


def _is_error(value: JsonValue) -> bool:
    """Whether a documented answer is an error: an error field, and nothing but what is around."""
    if isinstance(value, list):
        return len(value) == 1 and _is_error(value[0])
    if not isinstance(value, dict) or not value:
        return False
    keys = {_plain(key) for key in value if not key.startswith("_")}
    if (keys & _ERRORS and keys <= _ENVELOPE) or all(map(_FAILED.fullmatch, value)):
        return True
    return len(value) == 1 and _is_error(next(iter(value.values())))


def _well(value: JsonValue) -> JsonValue:
    """A drawn value whose flags, statuses and error fields say that all is well."""
    if isinstance(value, list):
        return [_well(item) for item in value]
    if not isinstance(value, dict):
        return value
    envelope = {_plain(key) for key in value} & _ENVELOPE
    return {key: _field(_plain(key), item, bare=len(envelope) < 2) for key, item in value.items()}


def _field(key: str, item: JsonValue, *, bare: bool) -> JsonValue:
    """One field, made to say that all is well; a `bare` status has no envelope beside it."""
    if key in _FLAGS and isinstance(item, bool | int | str):
        return type(item)(1) if not isinstance(item, str) else "true"
    if key in _ERRORS:
        return "" if isinstance(item, str) else None
    if key in _STATUSES and isinstance(item, int) and not isinstance(item, bool):
        return item if bare else 200
    return _well(item)


def _has_content(value: JsonValue, key: str = "") -> bool:
    """Whether there is a value anywhere that is no envelope.

    A record of envelope fields alone, with values and no lists, is content: there is nothing else.
    """
    if isinstance(value, list):
        return any(_has_content(item) for item in value)
    if not isinstance(value, dict):
        around = key in _ENVELOPE or (_COUNT.fullmatch(key) and isinstance(value, int))
        return value not in (None, "") and not around
    fields = {_plain(name): item for name, item in value.items()}
    if any(_has_content(item, name) for name, item in fields.items() if name not in _ASIDE):
        return True
    single = [item for item in fields.values() if not isinstance(item, dict | list)]
    return len(single) == len(fields) and any(item not in (None, "") for item in single)


def _filled(value: JsonValue, name: str, arguments: JsonObject, rng: Random) -> JsonValue:
    """`value` with invented records in its empty places."""
    if isinstance(value, list):
        if not value:
            return [_record(name, arguments, rng) for _ in range(2)]
        return [_filled(item, name, arguments, rng) for item in value]
    if isinstance(value, dict) and value:
        return {
            key: item
            if _plain(key) in _ENVELOPE | _ASIDE
            else _filled(item, identifier_text(key) or name, arguments, rng)
            for key, item in value.items()
        }
    return _record(name, arguments, rng) if value in ({}, None, "") else value


def _record(name: str, arguments: JsonObject, rng: Random) -> JsonObject:
    number = rng.randint(100, 9_999)
    echoed = [(key, item) for key, item in arguments.items() if isinstance(item, str | int | float)]
    return {"id": number, "name": f"{name} {number % 97}", **dict(echoed[:_ECHOED])}


def _plain(key: str) -> str:
    return re.sub(r"[^a-z]", "", key.lower())
