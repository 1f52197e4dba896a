"""The simulator of GRETEL's Table 1: a planned call to a realistic response, by a model."""

from functools import partial

from gretel import prompts
from gretel.catalog import Catalog
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response, Tool
from gretel.contracts.trial import CallPlan, Failure, Outcome
from gretel.llm.foreign import bounded
from gretel.llm.model import StructuredModel
from gretel.llm.reading import problems
from gretel.nodes.simulate.schema import fitted
from gretel.workers import off_loop

ACCEPTED: JsonObject = {"type": "object", "properties": {"body": {}}, "required": ["body"]}

MAX_CHARS = 200
MAX_ITEMS = 3
"""Of a text and of a list in a made-up response: it is to be short."""

NOTHING: tuple[JsonValue, ...] = (None, "", [], {})


class LlmSimulator:
    """Asks a model for the response that a call would have had."""

    def __init__(self, model: StructuredModel, catalog: Catalog) -> None:
        self._model = model
        self._catalog = catalog

    async def simulate(self, plan: CallPlan, failure: Failure, *, seed: int) -> Outcome:
        """A `simulated` outcome: `succeeded`, or `empty` where the model answers nothing.

        The response matches the tool's response schema where it has a usable one. The same seed
        gives the same prompt within one process; the same outcome only as far as the model repeats
        itself at temperature 0.

        Raises:
            ModelReplyError: the reply stayed unusable after its repair.
            GretelError: as `StructuredModel.reply` says.
        """
        tool = self._catalog[plan.tool_id]
        messages, schema = await off_loop(_asked, tool, plan, failure, seed)
        return await self._model.reply(
            messages,
            schema,
            partial(_read, tool.response),
            step="simulate",
            accepted=ACCEPTED,
        )


def _asked(
    tool: Tool, plan: CallPlan, failure: Failure, seed: int
) -> tuple[list[Message], JsonObject]:
    """What asks for a response, and the schema of its reply: a document sets their size."""
    response, schema = tool.response, tool.response.json_schema
    messages = prompts.load("simulate").render(
        tool=_tool_text(tool),
        arguments=prompts.json_text(plan.values()),
        failure=f"{failure.kind}: {failure.detail}",
        response_schema=prompts.json_text(schema) if schema else "",
        example="" if response.example is None else prompts.json_text(response.example),
        variant=str(seed),
    )
    return messages, schema_of(response)


def schema_of(response: Response) -> JsonObject:
    """The reply that holds a response as the tool documents it; any where it documents none."""
    body = bounded(response.json_schema or {}, chars=MAX_CHARS, items=MAX_ITEMS)
    return {**ACCEPTED, "properties": {"body": body}, "additionalProperties": False}


def _read(response: Response, reply: JsonObject) -> Outcome:
    body = reply["body"]
    wrong = problems(response.json_schema or {}, body)
    if wrong:
        raise ValueError(f"body breaks the response schema: {wrong}")
    status = "empty" if body in NOTHING else "succeeded"
    return Outcome(status=status, source="simulated", excerpt=fitted(body))


def _tool_text(tool: Tool) -> str:
    return prompts.json_text(
        {
            "toolkit": prompts.one_line(tool.toolkit, 200),
            "operation": prompts.one_line(tool.operation, 200),
            "description": prompts.one_line(tool.description, 1_500),
            "response": prompts.one_line(tool.response.description, 600),
        }
    )
