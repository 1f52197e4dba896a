"""`MockApi`: what every tool of a catalogue answers to a call, without the wire."""

import json
from dataclasses import dataclass

from gretel.catalog.arguments import ArgumentProblem, argument_problems
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Tool, ToolId
from gretel.evaluation.mock.answers import good_answer
from gretel.evaluation.mock.error_responses import ERROR_RESPONSES, error_response
from gretel.evaluation.mock.faults import Faults, seeded_uniform
from gretel.evaluation.mock.known_values import KnownValues
from gretel.evaluation.mock.replies import Reply, json_reply
from gretel.evaluation.mock.semantic_mismatches import empty_reply, irrelevant_answer
from gretel.evaluation.mock.unknown_values import unknown_reply
from gretel.evaluation.mock.validation_errors import validation_error

LATENCIES: tuple[tuple[float, float], ...] = ((0.60, 30.0), (0.85, 90.0), (1.0, 800.0))
"""Parts of the tools, cumulated, and the milliseconds they take. The last stands so far off that a
ranking by coarse steps of latency repeats."""

_GOVERNED = frozenset(
    [
        *("accept", "authorization", "content-type"),  # OpenAPI: such parameters are ignored
        *("accept-encoding", "connection", "content-length", "cookie", "expect", "forwarded"),
        *("host", "keep-alive", "origin", "te", "transfer-encoding", "upgrade", "user-agent"),
    ]
)
"""Headers that no API can ask a client to fill from a parameter."""


def declared_latency_ms(tool_id: ToolId, *, seed: int) -> float:
    """How long the tool takes to answer, which seed and id decide."""
    number = seeded_uniform(seed, "latency", tool_id)
    return next(latency for end, latency in LATENCIES if number < end)


def contract_problems(tool: Tool, arguments: JsonObject) -> list[ArgumentProblem]:
    """What an API finds wrong with `arguments`, those left out that no client can send."""
    path = tool.binding.path if isinstance(tool.binding, HttpBinding) else ""
    unsendable = {
        parameter.name
        for parameter in tool.parameters
        if (parameter.location == "header" and parameter.wire_name.lower() in _GOVERNED)
        or (parameter.location == "path" and f"{{{parameter.wire_name}}}" not in path)
    }
    return [each for each in argument_problems(tool, arguments) if each.field not in unsendable]


@dataclass(frozen=True)
class MockApi:
    """Answers as the tools' documents promise, but for the faults; the same call, the same answer.

    A tool that fails (credentials, dead, gone, limited) fails before it looks at the arguments; one
    that answers, be it emptily or off the point, first enforces its contract. What a tool that
    works does not know it does not answer.
    """

    tools: tuple[Tool, ...]
    """In tool_id order."""
    faults: Faults
    seed: int
    values: KnownValues | None = None
    """What the tools know; None: every value that keeps the contract."""

    def answer(self, tool: Tool, arguments: JsonObject, request_id: str | None) -> Reply | None:
        """What `tool` answers to arguments, which may break the contract; None where it never does.

        Where nobody says what the call is made for, its arguments stand for it.
        """
        made_for = json.dumps(arguments, sort_keys=True) if request_id is None else request_id
        fault = self.faults.at(tool.tool_id, made_for)
        if fault is not None and fault in ERROR_RESPONSES:
            return error_response(fault, tool, seed=self.seed)
        problems = contract_problems(tool, arguments)
        if problems:
            return validation_error(tool, problems, seed=self.seed)
        if fault == "empty":
            return empty_reply(tool, arguments, seed=self.seed)
        if fault == "irrelevant":
            return json_reply(200, irrelevant_answer(tool, self.tools, seed=self.seed))
        if unknown := self.unknown(tool, arguments, request_id):
            return unknown_reply(tool, arguments, unknown, seed=self.seed)
        return json_reply(200, good_answer(tool, arguments, seed=self.seed))

    def unknown(self, tool: Tool, arguments: JsonObject, request_id: str | None) -> JsonObject:
        """The arguments that `tool` would not know if nothing else were wrong."""
        return self.values.unknown(tool, arguments, request_id) if self.values else {}
