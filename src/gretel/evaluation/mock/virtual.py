"""The StableToolBench protocol: POST `/virtual`, one server that stands before all APIs.

What goes in is `{category, tool_name, api_name, tool_input, strip, toolbench_key}`, what comes out
is `{"error": …, "response": …}` with status 200, whatever the API behind answered: its status is
lost, and the error is read off its words (toolbench/inference/server.py, `process_error`).
"""

import json
from typing import NamedTuple

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.evaluation.mock.replies import Reply, json_reply
from gretel.evaluation.mock.routes import VirtualNames
from gretel.evaluation.mock.values import kinds, retyped

_SPOKEN = (
    ("The request to the API has timed out.", "API temporarily not working error..."),
    ("Client (working) ---> Gateway (working) ---> API (not working)", "API not working error..."),
    ("nauthorized", "Unauthorized error..."),
    ("You are not subscribed to this API.", "Unsubscribed error..."),
    ("Too many requests", "Too many requests error..."),
    ("You have exceeded", "Rate limit error..."),
    ("error", "Message error..."),
)
"""What an answer holds, and the error that the server makes of it; the first that fits. Good
answers are searched as well, so that a field called `error` gives "Message error..."."""


class VirtualCall(NamedTuple):
    """A call that the protocol carries."""

    tool: Tool
    arguments: JsonObject


def read_call(names: VirtualNames, body: bytes) -> VirtualCall | Reply:
    """The call in the body of a request, or the answer to one that cannot be read."""
    try:
        info = json.loads(body)
    except (ValueError, RecursionError):
        info = None
    fields = ("category", "tool_name", "api_name")
    if not isinstance(info, dict) or not all(isinstance(info.get(key), str) for key in fields):
        detail = "category, tool_name and api_name are required, and are text"
        return json_reply(422, {"detail": detail})
    tool = names.find(info["category"], info["tool_name"], info["api_name"])
    if tool is None:
        return json_reply(200, {"error": "Function executing error: no such API", "response": ""})
    given = _input(info.get("tool_input", {}))
    if given is None:
        return json_reply(200, {"error": "Tool input parse error...\n", "response": ""})
    return VirtualCall(tool, _typed(tool, given))


def relayed(reply: Reply | None) -> Reply | None:
    """The API's answer as the server passes it on; one that never comes stays away."""
    if reply is None:
        return None
    if reply.status == 504:
        return json_reply(200, {"error": "Timeout error...", "response": ""})
    if reply.cut:
        error = "Function executing error: ('Connection broken: IncompleteRead')"
        return json_reply(200, {"error": error, "response": ""})
    error = next((error for words, error in _SPOKEN if words in reply.text), "")
    return json_reply(200, {"error": error, "response": reply.text})


def _input(value: JsonValue) -> JsonObject | None:
    """`tool_input`, an object or its text; None for anything else."""
    if isinstance(value, str):
        try:
            value = json.loads(value or "{}")
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _typed(tool: Tool, given: JsonObject) -> JsonObject:
    """Arguments as the API reads them off its URL: their type is what the document says."""
    typed: JsonObject = {}
    for parameter in tool.parameters:
        if parameter.wire_name in given:
            value = given[parameter.wire_name]
            number = isinstance(value, int | float) and not isinstance(value, bool)
            text = number and kinds(parameter.json_schema) == {"string"}
            typed[parameter.name] = (
                json.dumps(value) if text else retyped(value, parameter.json_schema)
            )
    return typed
