"""What is judged and what is sent are one call: no value escapes the judgement on its way."""

from pathlib import Path

import pytest

from fakes import param, tool
from gretel.catalog import Catalog
from gretel.catalog.effects.changes import may_change
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Location, Parameter
from gretel.contracts.trial import Argument, ArgumentSource, CallPlan
from gretel.sandbox.permission.policy import Policy

TEXT: JsonObject = {"type": "string"}


def wired(name: str, wire: str, place: Location, schema: JsonObject = TEXT) -> Parameter:
    made = param(name, schema, location=place, required=place == "path")
    return made.model_copy(update={"wire_name": wire})


TWICE = {
    "one name, two places of a query": (
        "/users",
        (wired("x", "_method", "query", {"enum": ["DELETE"]}), wired("x", "q", "query")),
    ),
    "one name, query and header": (
        "/users",
        (wired("x", "x-do", "header", {"enum": ["hide"]}), wired("x", "city", "query")),
    ),
    "one place of the path, two names": (
        "/users/{x}",
        (wired("a", "x", "path", {"enum": ["delete"]}), wired("b", "x", "path")),
    ),
    "one place of the path, the last one by default": (
        "/users/{x}",
        (
            wired("a", "x", "path", {"enum": ["delete"]}),
            wired("b", "x", "path", TEXT | {"default": "list"}),
        ),
    ),
}


@pytest.mark.parametrize("name", TWICE)
def test_a_record_with_a_name_twice_is_no_tool(name: str, tmp_path: Path) -> None:
    """Of two parameters of one name one was judged, and both were sent."""
    path, parameters = TWICE[name]
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    made = tool("K.users", "The users.", params=parameters, binding=binding)
    (tmp_path / "tools.jsonl").write_text(made.model_dump_json() + "\n")
    with pytest.raises(CatalogError, match="twice"):
        Catalog.from_jsonl(tmp_path / "tools.jsonl")


UNSAID: tuple[ArgumentSource, ...] = ("invented", "answer", "example")


@pytest.mark.parametrize("source", UNSAID)
@pytest.mark.parametrize("place", ["query", "cookie"])
@pytest.mark.parametrize("value", ["delete", "Remove all"])
def test_an_order_that_nobody_said_is_not_sent(
    value: str, place: Location, source: ArgumentSource
) -> None:
    """What a document writes elsewhere (`x takes "delete_user"`) moves a model to write it."""
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool(
        "K.users", "The users.", params=[param("x", TEXT, location=place)], binding=binding
    )
    made = CallPlan(tool_id=asked.tool_id, arguments={"x": Argument(value=value, source=source)})
    assert Policy().unsafe_call(asked, made)


@pytest.mark.parametrize("source", ["request", "context", "message"])
def test_the_same_word_is_looked_up_where_it_was_said(source: ArgumentSource) -> None:
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[param("x", TEXT)], binding=binding)
    made = CallPlan(tool_id=asked.tool_id, arguments={"x": Argument(value="delete", source=source)})
    assert Policy().unsafe_call(asked, made) is None


INNER: dict[str, JsonObject] = {
    "of a property": {"properties": {"action": TEXT | {"default": "delete"}, "q": TEXT}},
    "of a property of one": {
        "properties": {"do": {"properties": {"cmd": TEXT | {"default": "purge"}}}}
    },
    "of each entry": {
        "type": "array",
        "items": {"properties": {"_method": TEXT | {"default": "DELETE"}, "q": TEXT}},
    },
    "of one choice": {"anyOf": [{"properties": {"op": TEXT | {"default": "delete"}}}, TEXT]},
    "of all parts": {"allOf": [{"properties": {"op": TEXT | {"default": "delete"}}}]},
}


@pytest.mark.parametrize("place", ["query", "content"])
@pytest.mark.parametrize("name", INNER)
def test_a_default_within_a_value_counts(name: str, place: Location) -> None:
    """The server assumes it where it is left out, as one of a whole argument."""
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[param("f", INNER[name], location=place)],
                 binding=binding)  # fmt: skip
    value = [{"q": "a"}] if "items" in INNER[name] else {"q": "a"}
    assert may_change(asked, {"f": value}, ("f",))
    assert may_change(asked, {})


@pytest.mark.parametrize("action", ["list", "delete"])
def test_a_default_within_a_value_that_is_given_does_not_count(action: str) -> None:
    schema: JsonObject = {"properties": {"action": TEXT | {"default": "delete"}}}
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[param("f", schema)], binding=binding)
    assert bool(may_change(asked, {"f": {"action": action}}, ("f",))) is (action == "delete")
