"""The deterministic simulator: an answer made of what the document says about answers."""

import json
from collections.abc import Callable
from typing import cast

from gretel.catalog import Catalog
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response, Tool
from gretel.contracts.trial import CallPlan, Failure, Outcome
from gretel.nodes.simulate.instances import Supply, from_schema
from gretel.nodes.simulate.templates import from_template
from gretel.text.foreign import EXCERPT_BYTES
from gretel.text.identifiers import fold_identifier
from gretel.validation import SchemaCheck
from gretel.workers import off_loop

_SHAPES = ((40, 8), (10, 6), (6, 4), (4, 3), (2, 2), (1, 1))
"""Widths and depths to which an answer that is too long is pruned, in turn."""


class SchemaSimulator:
    """Simulates a call by a seeded instance of the tool's documented answer.

    The documented example is taken as it is; else the response schema or the ToolBench template is
    filled. Planned arguments then appear in the fields of the same name, where the schema allows,
    as real APIs echo them. Nothing here knows whether the tool would truly serve the request: the
    outcome says that a valid call has an answer of this shape, and no more. For a tool that
    documents no answer the excerpt is `{}`: the weakest evidence, a valid plan alone.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    async def simulate(self, plan: CallPlan, failure: Failure, *, seed: int) -> Outcome:
        """A `succeeded`, `simulated` outcome, decided by seed, tool and planned values.

        Args:
            plan: the call that could not be executed; refusals are never simulated.
            failure: why; the answer does not depend on it.
            seed: another seed gives another answer.

        Raises:
            UnknownToolError: the catalogue does not hold the plan's tool.
        """
        return await off_loop(self._simulated, plan, seed)

    def _simulated(self, plan: CallPlan, seed: int) -> Outcome:
        tool = self._catalog[plan.tool_id]
        answer = simulated_answer(tool, plan.values(), seed=seed)
        return Outcome(status="succeeded", source="simulated", excerpt=fitted(answer))


MAX_ECHOED = 100
"""Arguments that appear in an answer: each is compared with all of it."""


def simulated_answer(tool: Tool, arguments: JsonObject, *, seed: int) -> JsonValue:
    """The made-up answer of a call; `{}` for a tool that documents no answer."""
    key = json.dumps([seed, tool.tool_id, arguments], sort_keys=True)
    response = tool.response
    answer = _instance(response, Supply(key))
    return _echoed(answer, arguments, response.json_schema)


def _instance(response: Response, rng: Supply) -> JsonValue:
    if response.example is not None:
        template = response.example_is_template
        return from_template(response.example, rng) if template else response.example
    if response.json_schema:
        return from_schema(response.json_schema, rng)
    return {}


def _echoed(answer: JsonValue, arguments: JsonObject, schema: JsonObject | None) -> JsonValue:
    """`answer` with each argument in the fields of its name, where that breaks no schema."""
    count = _violations(schema)
    allowed = count(answer)
    named = _names_in(answer)
    echoed = [each for each in arguments.items() if fold_identifier(each[0]) in named]
    for name, value in echoed[:MAX_ECHOED]:
        if isinstance(value, str):
            value = _encodable(value)
        if isinstance(value, str | int | float):
            changed = _replaced(answer, fold_identifier(name), value)
            answer = changed if count(changed) <= allowed else answer
    return answer


def _names_in(answer: JsonValue) -> set[str]:
    """What the fields of an answer are called, at any depth."""
    inner = answer if isinstance(answer, list) else []
    names = set[str]()
    if isinstance(answer, dict):
        inner, names = [*answer.values()], {*map(fold_identifier, answer)}
    return names.union(*map(_names_in, inner))


def _replaced(answer: JsonValue, name: str, value: JsonValue) -> JsonValue:
    """A copy of `answer` whose fields called `name` hold `value`, where the kind fits."""
    if isinstance(answer, list):
        return [_replaced(item, name, value) for item in answer]
    if not isinstance(answer, dict):
        return answer
    return {
        key: value
        if fold_identifier(key) == name and _same_kind(old, value)
        else _replaced(old, name, value)
        for key, old in answer.items()
    }


def _same_kind(old: JsonValue, new: JsonValue) -> bool:
    return type(old) is type(new) or {type(old), type(new)} == {int, float}


def _violations(schema: JsonObject | None) -> Callable[[JsonValue], int]:
    """A function that counts how often a value breaks `schema`; an unusable one is never broken."""
    try:
        check = SchemaCheck(schema or {})
    except ValueError:
        return lambda value: 0
    return lambda value: len(check.errors(value))


def fitted(answer: JsonValue, limit: int = EXCERPT_BYTES) -> str:
    """`answer` as JSON of at most `limit` bytes, pruned level by level where it is longer."""
    text = _dumped(answer)
    for width, depth in _SHAPES:
        if len(text.encode()) <= limit:
            return text
        text = _dumped(_pruned(answer, width, depth))
    # Hundreds of long field names: what is left is cut like any other excerpt.
    return text.encode()[:limit].decode(errors="ignore")


def _dumped(value: JsonValue) -> str:
    return _encodable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _encodable(text: str) -> str:
    """`text` with `?` for lone surrogates, which JSON can carry and UTF-8 cannot."""
    return text.encode(errors="replace").decode()


def _pruned(value: JsonValue, width: int, depth: int) -> JsonValue:
    if isinstance(value, str):
        return value[: 20 * width]
    if not isinstance(value, dict | list):
        return value
    if depth == 0:
        return cast(JsonValue, type(value)())
    if isinstance(value, list):
        return [_pruned(item, width, depth - 1) for item in value[: max(1, width // 4)]]
    kept = list(value.items())[: 2 * width]
    return {key: _pruned(item, width, depth - 1) for key, item in kept}
