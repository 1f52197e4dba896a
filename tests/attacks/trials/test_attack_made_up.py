"""What a document says of its answers makes no made-up answer dear: lists multiply in lists."""

import json
from typing import Any

import pytest

from fakes import tool
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Response
from gretel.nodes.simulate.instances import MAX_DEPTH, MAX_SIZE
from gretel.nodes.simulate.schema import fitted, simulated_answer

LONG = "x" * 100_000
TEXT: dict[str, Any] = {"type": "string", "minLength": 10_000}
WIDE: dict[str, Any] = {"type": "object", "properties": {f"p{n}": {} for n in range(30)}}


def lists(inner: Any, levels: int = MAX_DEPTH, **said: Any) -> Any:
    """Lists of lists of `inner`, each of as many items as one may have."""
    for _ in range(levels):
        inner = {"type": "array", "items": inner, "minItems": 5, **said}
    return inner


def template(leaf: str) -> Any:
    made: Any = leaf
    for _ in range(MAX_DEPTH - 1):
        made = [made, 0, 0, 0, 0]
    return made


ANSWERS = {
    "long texts": Response(json_schema=lists(TEXT)),
    "items that are all one": Response(json_schema=lists({"const": 1}, uniqueItems=True)),
    "a long constant": Response(json_schema=lists({"const": LONG})),
    "a long default": Response(json_schema=lists({"default": [LONG]})),
    "a long word of several": Response(json_schema=lists({"enum": [LONG, LONG]})),
    "a long example": Response(json_schema=lists({"examples": [LONG]})),
    "many fields": Response(json_schema=lists(WIDE, 6)),
    "a long leaf": Response(example=template(LONG), example_is_template=True),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_lists_within_lists_are_made_within_bounds(name: str) -> None:
    found = tool("A.list").model_copy(update={"response": ANSWERS[name]})
    arguments: dict[str, JsonValue] = {f"p{number}": "x" for number in range(1_000)}

    made = simulated_answer(found, arguments, seed=7)

    written = json.dumps(made)
    assert written.count(",") < 2 * MAX_SIZE
    assert len(written) < 12 * len(LONG)
    assert fitted(made)
