"""The StableToolBench protocol: POST `/virtual`, one server that stands before all APIs.

What goes in is `{category, tool_name, api_name, tool_input, strip, toolbench_key}`, what comes out
is `{"error": …, "response": …}` with status 200, whatever the API behind answered: its status is
lost, and the error is read off its words (toolbench/inference/server.py, `process_error`).
"""

import json
import re
from collections.abc import Iterable

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.evaluation.mock.replies import Reply, json_reply
from gretel.evaluation.mock.routes import Routes
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


class Relay:
    """The server of the protocol, over the tools that it knows."""

    def __init__(self, tools: Iterable[Tool], routes: Routes) -> None:
        """Know `tools` by their names in the protocol; `routes` says in whose place a path lies."""
        self._routes = routes
        self._tools: dict[tuple[str, str, str], Tool] = {}
        for tool in tools:
            binding = tool.binding
            if isinstance(binding, VirtualBinding):
                names = _names(binding.category, binding.tool_name, binding.api_name)
                self._tools.setdefault(names, tool)

    def takes(self, method: str, path: str) -> bool:
        """Whether a request there speaks the protocol."""
        if method != "POST":
            return False
        owned = self._routes.owner(path)
        if owned is None:
            return path == "/virtual"
        return owned.rest == "/virtual" and isinstance(owned.tool.binding, VirtualBinding)

    def read(self, body: bytes) -> tuple[Tool, JsonObject] | Reply:
        """The tool and the arguments that a body carries, or the answer to one that is unreadable.

        Names count in ToolBench's own spelling and in the standardised one.
        """
        info = _object(body) or {}
        named = [info.get(key) for key in ("category", "tool_name", "api_name")]
        if not all(isinstance(name, str) for name in named):
            detail = "category, tool_name and api_name are required, and are text"
            return json_reply(422, {"detail": detail})
        tool = self._tools.get(_names(*map(str, named)))
        if tool is None:
            return _answer("Function executing error: no such API")
        given = info.get("tool_input", {})
        if isinstance(given, str):
            given = _object(given or "{}")
        if not isinstance(given, dict):
            return _answer("Tool input parse error...\n")
        return tool, _typed(tool, given)


def relayed(reply: Reply | None) -> Reply | None:
    """The API's answer as the server passes it on; one that never comes stays away."""
    if reply is None:
        return None
    if reply.status == 504:
        return _answer("Timeout error...")
    if reply.cut:
        return _answer("Function executing error: ('Connection broken: IncompleteRead')")
    error = next((error for words, error in _SPOKEN if words in reply.text), "")
    return _answer(error, reply.text)


def _names(category: str, tool_name: str, api_name: str) -> tuple[str, str, str]:
    """Names as ToolBench standardises them, without the `_for_…` that it appends."""
    names = (category, tool_name, api_name)
    plain = [re.sub(r"[\W_]+", "_", name).strip("_").lower() or name for name in names]
    tool = plain[1].removesuffix(f"_for_{plain[0]}")
    return plain[0], tool, plain[2].removesuffix(f"_for_{tool}")


def _answer(error: str, response: str = "") -> Reply:
    return json_reply(200, {"error": error, "response": response})


def _object(text: str | bytes) -> JsonObject | None:
    """The object that stands there as JSON; None for anything else."""
    try:
        value = json.loads(text)
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
