"""The planner of GRETEL's Table 1: a model turns request and API specification into arguments."""

import json
from collections.abc import Sequence
from functools import partial

from gretel import prompts
from gretel.catalog.arguments import argument_problems
from gretel.catalog.document import as_list, as_object
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool
from gretel.contracts.trial import CallPlan, MissingField, PlanResult, Refusal
from gretel.llm.foreign import bounded
from gretel.llm.model import StructuredModel
from gretel.llm.strict import closed, or_null
from gretel.nodes.plan.provenance import plan_of, traced
from gretel.workers import off_loop

MISSING_CONFIDENCE = 0.8
OFF_TOPIC_CONFIDENCE = 0.7
"""Not calibrated: a model's word, below what a mechanical check would say."""

MAX_CHARS = 600
MAX_ITEMS = 10
"""Of a text and of a list among the arguments: what is longer is seldom said, and often rambled."""
MAX_QUOTE_CHARS = 120
MAX_SCHEMA_CHARS = 100_000
"""Of the arguments' schemas together; arguments behind may be anything, until the reply is read."""

ACCEPTED: JsonObject = {
    "type": "object",
    "properties": {
        "off_topic": {"type": "boolean"},
        "arguments": {"type": "object"},
        "missing": {"type": "array", "items": {"type": "string"}},
        "quotes": {"type": "object"},
    },
    "required": ["arguments"],
}
"""A required parameter that is said nowhere may also stand among the missing."""


def schema_of(tool: Tool) -> JsonObject:
    """The reply that plans a call of `tool`: each argument by its own schema, or null.

    Null says of a required parameter that its value is said nowhere, so that a refusal is a value.
    """
    ordered = sorted(tool.fillable, key=lambda parameter: not parameter.required)
    arguments: JsonObject = {}
    room = MAX_SCHEMA_CHARS
    for parameter in ordered:
        said = _value(parameter) if room > 0 else {}
        arguments[parameter.name] = said
        room -= len(json.dumps(said))
    required: list[JsonValue] = [each.name for each in ordered if each.required]
    quote: JsonObject = {"type": "string", "maxLength": MAX_QUOTE_CHARS}
    given: JsonObject = closed(arguments) | {"required": required}
    quotes: JsonObject = closed(dict.fromkeys(arguments, quote)) | {"required": []}
    return closed({"off_topic": {"type": "boolean"}, "arguments": given, "quotes": quotes})


def _value(parameter: Parameter) -> JsonObject:
    said = bounded(parameter.json_schema, chars=MAX_CHARS, items=MAX_ITEMS)
    return or_null(said) if parameter.required else said


class LlmPlanner:
    """Asks a model for the arguments; checks them, and finds out where each comes from."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """A call whose arguments are valid against the tool's schema, or a refusal.

        A value that stands nowhere in request, conversation, context and schema is marked
        `invented`, has a low confidence and, where it is required, counts as unmet. A default that
        the model left out is filled in.

        Raises:
            ModelReplyError: the reply stayed unusable after its repair.
            GretelError: as `StructuredModel.reply` says.
        """
        messages, schema = await off_loop(_asked, request, tool)
        return await self._model.reply(
            messages, schema, partial(read_plan, request, tool), step="plan", accepted=ACCEPTED
        )


def _asked(request: Request, tool: Tool) -> tuple[list[Message], JsonObject]:
    """What asks for a plan, and the schema of its reply: of any size that a document may have."""
    return messages_for(request, prompts.tool_text(tool)), schema_of(tool)


def messages_for(request: Request, said: str) -> list[Message]:
    """What asks for a plan; `said` is the tool's specification."""
    return prompts.load("plan").render(
        request=request.text,
        conversation=prompts.conversation(request),
        context=prompts.json_text(request.context) if request.context else "",
        today=f"{request.today}, time zone {request.timezone}, locale {request.locale}",
        tool=said,
    )


def read_plan(request: Request, tool: Tool, reply: JsonObject) -> PlanResult:
    """The plan that a reply of `schema_of` means.

    Raises:
        ValueError: it breaks the tool's schema; the message can be shown to the model.
    """
    if reply.get("off_topic"):
        return _off_topic(tool)
    given = as_object(reply["arguments"])
    unsaid = [name for name, value in given.items() if value is None]
    arguments = _filled(tool, given)
    missing = _missing(tool, arguments, [*unsaid, *as_list(reply.get("missing"))])
    absent = {parameter.name for parameter in missing}
    wrong = [
        f"arguments.{problem.field}: {problem.detail}"
        for problem in argument_problems(tool, arguments)
        if not (problem.kind == "missing_required" and problem.field in absent)
    ]
    if wrong:
        raise ValueError("; ".join(wrong))
    if missing:
        return _refused(tool, missing)
    return _planned(request, tool, arguments, as_object(reply.get("quotes")))


def _filled(tool: Tool, given: JsonObject) -> JsonObject:
    """The arguments without nulls, which say "not said", and with the defaults of required
    parameters.
    """
    defaults = {
        parameter.name: parameter.json_schema["default"]
        for parameter in tool.fillable
        if parameter.required and "default" in parameter.json_schema
    }
    return defaults | {name: value for name, value in given.items() if value is not None}


def _missing(tool: Tool, arguments: JsonObject, named: Sequence[JsonValue]) -> list[Parameter]:
    """Required parameters without a value that the model says are not to be had."""
    return [
        parameter
        for parameter in tool.fillable
        if parameter.required and parameter.name in named
        if parameter.name not in arguments
    ]


def _planned(request: Request, tool: Tool, values: JsonObject, quotes: JsonObject) -> CallPlan:
    arguments = {
        parameter.name: traced(
            values[parameter.name], str(quotes.get(parameter.name) or ""), parameter, request
        )
        for parameter in tool.fillable
        if parameter.name in values
    }
    return plan_of(tool, arguments)


def _refused(tool: Tool, missing: Sequence[Parameter]) -> Refusal:
    names = ", ".join(parameter.name for parameter in missing)
    return Refusal(
        tool_id=tool.tool_id,
        reason="missing_required",
        detail=f"required and given nowhere: {names}",
        missing=tuple(
            MissingField(
                tool_id=tool.tool_id,
                name=parameter.name,
                description=prompts.one_line(parameter.description, 300),
            )
            for parameter in missing
        ),
        confidence=MISSING_CONFIDENCE,
    )


def _off_topic(tool: Tool) -> Refusal:
    return Refusal(
        tool_id=tool.tool_id,
        reason="off_topic",
        detail="the model sees nothing in the request that this operation serves",
        confidence=OFF_TOPIC_CONFIDENCE,
    )
