"""Whatever a document holds, it ends in a catalogue or in one clear error."""

import copy
import json
from typing import Any

from catalog_documents import answer, document, json_body, query, swagger
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.errors import CatalogError

FEW = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
WORDS = """
openapi swagger get post name in required schema content example examples default url $ref type
properties items allOf oneOf nullable enum format additionalProperties pattern minimum tags query
path header cookie body formData string integer object array apiKey #/paths/~1things
#/components/schemas/Thing #/definitions/Thing # http://x/ x.yaml#/A 3.0.0 2.0 {id}
application/json
"""
KEYS = st.sampled_from(WORDS.split())
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | KEYS
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=10,
)
THING = {
    "type": "object",
    "required": ["a"],
    "properties": {
        "a": {"type": "string", "pattern": "^x", "nullable": True, "default": "y"},
        "b": {"type": "array", "items": {"allOf": [{"type": "integer", "minimum": 0}]}},
        "c": {"$ref": "#/components/schemas/Thing"},
    },
}
RICH = document(
    {
        **query("q", {"type": "string", "enum": ["x"]}, style="form", example="x"),
        **json_body({"$ref": "#/components/schemas/Thing"}, required=True),
        **answer({"application/json": {"schema": THING, "examples": {"e": {"value": {"a": 1}}}}}),
        "security": [{"key": []}],
        "tags": ["t"],
        "servers": [{"url": "https://{v}", "variables": {"v": {"default": "x", "enum": ["x"]}}}],
    },
    components={
        "schemas": {"Thing": THING},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "K"}},
    },
)
OLD = swagger(
    {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "type": "integer"},
            {"name": "t", "in": "query", "type": "array", "collectionFormat": "csv", "items": {}},
            {"name": "thing", "in": "body", "schema": {"$ref": "#/definitions/Thing"}},
            {"name": "f", "in": "formData", "type": "file"},
        ],
        "consumes": ["application/json"],
        "responses": {"200": {"schema": THING, "examples": {"application/json": {"a": 1}}}},
    },
    path="/things/{id}",
    definitions={"Thing": THING},
    components={"schemas": {"Thing": THING}},  # where THING's own reference leads
    host="x.org",
    schemes=["https"],
)


@st.composite
def mutated(draw: st.DrawFn, base: dict[str, Any]) -> dict[str, Any]:
    """The document with a few of its values replaced or gone."""
    result = copy.deepcopy(base)
    for _ in range(draw(st.integers(1, 2))):
        here: Any = result
        while True:
            key = draw(
                st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here)))
            )
            child = here[key]
            if not isinstance(child, dict | list) or not child or draw(st.integers(0, 4)) == 0:
                break
            here = child
        if isinstance(here, dict) and len(here) > 1 and draw(st.booleans()):
            del here[key]
        else:
            here[key] = draw(JSON)
    return result


def exercise(source: Any) -> None:
    try:
        catalog = Catalog.from_openapi(source)
    except CatalogError as error:
        assert error.field and error.remedy
        return
    assert catalog.digest
    for tool in catalog:
        assert retrieval_text(tool)
        assert tool == tool.model_validate_json(tool.model_dump_json())
        argument_problems(tool, {"q": "x", "a": 1, "id": None})


@FEW
@given(mutated(RICH))
def test_any_change_of_an_openapi_document(content):
    exercise(content)


@FEW
@given(mutated(OLD))
def test_any_change_of_a_swagger_document(content):
    exercise(content)


@FEW
@given(JSON)
def test_any_json(content):
    exercise(json.dumps(content).encode())


@FEW
@given(st.text(max_size=60) | st.text(":-{}[]&*!|>'\"#?, \n\tab1", max_size=60))
def test_any_text(text):
    exercise((text + "\n").encode("utf-8", "replace"))


@FEW
@given(st.binary(max_size=40))
def test_any_bytes(data):
    exercise(data)
