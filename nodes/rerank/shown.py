"""What a re-ranking model is shown of each trial: typed fields, and capped text of tools."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from gretel import prompts
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, Outcome, Trial

MAX_DESCRIPTION_CHARS = 400
MAX_EXCERPT_CHARS = 600
MAX_ARGUMENTS_CHARS = 400
MAX_NAMES = 8
MAX_PAIR_CHARS = 200
"""A name beyond it, or with what cannot be seen in it, is shown without."""
MAX_NAME_CHARS = 60
"""Parameters and tools that a line names: one tool must not push others out of the prompt."""
PARTS = (1, 2, 4, 8, 16)
"""What the limits are divided by, in turn, where a line is longer than its share of the prompt."""
LATENCY_STEP_MS = 50
"""Latencies are rounded up to it, so that prompts repeat."""


class Pair(NamedTuple):
    """How prompt and reply name a tool (GRETEL, Table 1)."""

    toolkit: str
    operation: str


def pairs_of(tools: Iterable[Tool]) -> dict[ToolId, Pair]:
    """Each tool's pair; tools that would share one are told apart by their tool_id."""
    listed = list(tools)
    plain = {tool.tool_id: Pair(_pair(tool.toolkit), _pair(tool.operation)) for tool in listed}
    count = Counter(plain.values())
    found: dict[Pair, ToolId] = {pair: each for each, pair in plain.items() if count[pair] == 1}
    for tool_id, (toolkit, _) in ((each, pair) for each, pair in plain.items() if count[pair] > 1):
        own = Pair(toolkit, _pair(tool_id))
        while own in found:  # another's operation is called as this id
            own = own._replace(operation=f"{own.operation}~")
        found[own] = tool_id
    named = {tool_id: pair for pair, tool_id in found.items()}
    return {tool_id: named[tool_id] for tool_id in plain}


def _pair(name: str) -> str:
    return prompts.broken(prompts.one_line(name, MAX_PAIR_CHARS))


def candidate_line(number: int, tool: Tool, pair: Pair, trial: Trial, *, room: int) -> str:
    """One tool and its evidence as one line of JSON.

    Texts of others are cut shorter until it has at most `room` characters, as far as names and
    numbers let it.
    """
    line = ""
    for part in PARTS:
        line = prompts.json_text(_fields(number, tool, pair, trial, part))
        if len(prompts.broken(line)) <= room:
            break
    return line


def _fields(number: int, tool: Tool, pair: Pair, trial: Trial, part: int) -> JsonObject:
    """What a line says, each text of others cut at one part of its limit."""
    fields: JsonObject = {
        "candidate": number,
        "toolkit": pair.toolkit,
        "operation": pair.operation,
        "description": prompts.one_line(tool.description, MAX_DESCRIPTION_CHARS // part),
        "rank_before": trial.rank_before,
        "retrieval_score": round(trial.retrieval_score, 3),
        **_plan(trial, part),
        "executed": _outcome(trial.executed, part),
    }
    if trial.simulated is not None:
        fields["simulated"] = _outcome(trial.simulated, part)
    return fields


def _plan(trial: Trial, part: int) -> JsonObject:
    plan = trial.plan
    if isinstance(plan, CallPlan):
        arguments = prompts.json_text(plan.values())
        shown: JsonObject = {"arguments": prompts.one_line(arguments, MAX_ARGUMENTS_CHARS // part)}
        guessed = [
            name for name, a in plan.arguments.items() if a.source in ("invented", "example")
        ]
        return shown | ({"unsupported_arguments": _names(guessed)} if guessed else {})
    return {
        "refused": plan.reason,
        "missing": _names(field.name for field in plan.missing),
        "provided_by": _names(
            sorted({tool for field in plan.missing for tool in field.provided_by})
        ),
    }


def _names(names: Iterable[str]) -> list[JsonValue]:
    return [prompts.one_line(name, MAX_NAME_CHARS) for name in islice(names, MAX_NAMES)]


def _outcome(outcome: Outcome, part: int) -> JsonObject:
    fields: JsonObject = {"status": outcome.status, "source": outcome.source}
    if outcome.failure is not None:
        fields["failure"] = outcome.failure.kind
        fields["fault"] = outcome.failure.fault
    if outcome.http_status is not None:
        fields["http_status"] = outcome.http_status
    if outcome.latency_ms is not None:
        fields["latency_ms"] = -(-round(outcome.latency_ms) // LATENCY_STEP_MS) * LATENCY_STEP_MS
    if outcome.excerpt:
        fields["response"] = prompts.one_line(outcome.excerpt, MAX_EXCERPT_CHARS // part)
    return fields
