"""What is judged and what is sent are one call: no value escapes the judgement on its way."""

import json
import threading
import tracemalloc
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from langgraph.runtime import Runtime

from fakes import param, plan, tool
from gretel.catalog import Catalog
from gretel.catalog.effects.changes import may_change
from gretel.catalog.effects.values.named_values import named_values
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ArgumentsError, CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Location, Parameter, Tool
from gretel.contracts.trial import Argument, ArgumentSource, CallPlan, Failure
from gretel.nodes.context import Context
from gretel.nodes.execute.node import ask_node
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.http.request import build_request
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


def test_a_row_with_a_place_of_its_path_twice_has_the_last_one(tmp_path: Path) -> None:
    places = [
        {"name": "x", "in": "path", "required": True, "schema": {"enum": [value]}}
        for value in ("delete", "list")
    ]
    row = {
        "_id": "1",
        "title": "users",
        "text": "The users.",
        "metadata": {"method": "GET", "path": "/users/{x}", "parameters": places},
    }
    (tmp_path / "tools.jsonl").write_text(json.dumps(row) + "\n")
    (found,) = Catalog.from_jsonl(tmp_path / "tools.jsonl")
    assert [each.wire_name for each in found.parameters] == ["x"]
    assert may_change(found, {"x": "list"}, ("x",)) is None


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
    "of a first entry": {
        "type": "array",
        "prefixItems": [{"properties": {"op": TEXT | {"default": "delete"}}}],
    },
    "of any other property": {
        "additionalProperties": {"properties": {"op": TEXT | {"default": "delete"}}}
    },
    "of properties of one form": {
        "patternProperties": {"^x": {"properties": {"op": TEXT | {"default": "delete"}}}}
    },
    "on a condition": {"if": {}, "then": {"properties": {"op": TEXT | {"default": "delete"}}}},
    "else": {"if": {}, "else": {"properties": {"op": TEXT | {"default": "delete"}}}},
    "beside another": {
        "dependentSchemas": {"q": {"properties": {"op": TEXT | {"default": "delete"}}}}
    },
    "of all parts": {"allOf": [{"properties": {"op": TEXT | {"default": "delete"}}}]},
}


@pytest.mark.parametrize("place", ["query", "content"])
@pytest.mark.parametrize("name", INNER)
def test_a_default_within_a_value_counts(name: str, place: Location) -> None:
    """The server assumes it where it is left out, as one of a whole argument."""
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[param("f", INNER[name], location=place)],
                 binding=binding)  # fmt: skip
    value = [{"q": "a"}] if INNER[name].get("type") == "array" else {"q": "a"}
    assert may_change(asked, {"f": value}, ("f",))
    assert may_change(asked, {})


def test_more_properties_than_are_looked_at_are_not_sent() -> None:
    plain: JsonObject = {f"p{at}": TEXT for at in range(1_900)}
    schemas: list[JsonObject] = [{"properties": plain} for _ in range(11)]
    schemas.append({"properties": plain | {"action": TEXT | {"default": "hide"}}})
    asked = tool("K.q1", "", params=[param(f"o{at}", each) for at, each in enumerate(schemas)])
    assert may_change(asked, {})
    assert may_change(asked.model_copy(update={"parameters": asked.parameters[:9]}), {}) is None


def test_a_said_word_behind_more_values_than_are_looked_at_is_the_documents() -> None:
    listed: JsonObject = {"anyOf": [{"const": f"v{at}"} for at in range(20_100)]}
    asked = tool("K.q1", "", params=[param("x", listed)])
    assert may_change(asked, {"x": "delete"}, ("x",))


@pytest.mark.parametrize("name", ["/users/delete", "/posts/hide", "/users/list", "/posts/{id}"])
@pytest.mark.parametrize("value", ["7", ""])
def test_a_parameter_that_is_called_as_a_route_is_judged_as_one(name: str, value: str) -> None:
    asked = tool("K.q1", "", params=[wired("r", name, "query")])
    changes = name in ("/users/delete", "/posts/hide")
    assert bool(may_change(asked, {"r": value}, ("r",))) is changes


@pytest.mark.parametrize("action", ["list", "delete"])
def test_a_default_within_a_value_that_is_given_does_not_count(action: str) -> None:
    schema: JsonObject = {"properties": {"action": TEXT | {"default": "delete"}}}
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[param("f", schema)], binding=binding)
    assert bool(may_change(asked, {"f": {"action": action}}, ("f",))) is (action == "delete")


class Watched(Policy):
    """A policy that notes in which threads calls are judged."""

    threads: ClassVar[set[int]] = set()

    def unsafe_call(self, tool: Tool, plan: CallPlan | None = None) -> Failure | None:
        self.threads.add(threading.get_ident())
        return super().unsafe_call(tool, plan)


async def test_a_person_is_asked_off_the_loop() -> None:
    """What a call says is judged, as in the sandbox, at a cost that its document sets."""
    catalog = Catalog.from_tools([tool("K.users", "The users.")])
    Watched.threads.clear()
    ask = ask_node(Approvals(catalog, Watched()))
    await ask(
        {"plan": plan("K.users").model_dump(mode="json"), "budget": Budget().model_dump()},  # type: ignore[typeddict-item]
        runtime=Runtime(context=Context()),
    )
    assert Watched.threads and threading.get_ident() not in Watched.threads


LONG: JsonObject = TEXT | {"default": "g.v()." * 3_000}
MANY = {
    "arguments": [param(f"q{at}", TEXT | {"default": "update x " * 2_000}) for at in range(50)],
    "properties": [param("q", {"properties": {str(at): LONG for at in range(50)}})],
    "entries": [param("q", {"type": "array", "default": ["update x " * 2_000] * 50})],
}  # fmt: skip


@pytest.mark.parametrize("name", MANY)
def test_more_values_than_anybody_reads_are_not_sent(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is within its bound, and all of them together took minutes."""
    read: list[str] = []
    monkeypatch.setattr(
        "gretel.catalog.effects.sent.verb_of_value", lambda name, value: read.append(name)
    )
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    assert may_change(tool("K.users", "The users.", params=MANY[name], binding=binding))
    assert read == []


@pytest.mark.parametrize("step", ["judged", "built"])
def test_a_place_that_a_path_repeats_takes_no_memory(step: str) -> None:
    """A document of 200 KB took 620 MB and 8 s, for each trial."""
    long = param("x", TEXT | {"default": "a" * 50_000}, location="path", required=True)
    binding = HttpBinding(method="GET", path="/u/" + "{x}" * 600, servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[long], binding=binding)
    tracemalloc.start()
    try:
        if step == "judged":
            assert may_change(asked)
        else:
            with pytest.raises(ArgumentsError):
                build_request(asked, {"x": "a" * 15_000}, httpx.URL("https://a.com"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3_000_000


def deep(levels: int, inner: JsonObject) -> JsonObject:
    for _ in range(levels):
        inner = {"n" * 100: inner}
    return inner


REPEATED: dict[str, tuple[Location, dict[str, Any], JsonValue]] = {
    "a name before each entry": ("query", {}, ["a"] * 9_000),
    "names around each value": (
        "query",
        {"style": "deepObject"},
        deep(100, {f"k{at}": 1 for at in range(9_000)}),
    ),
    "a name before each entry of a path": (
        "path",
        {"style": "matrix", "explode": True},
        ["a"] * 9_000,
    ),
}


@pytest.mark.parametrize("name", REPEATED)
def test_names_that_stand_before_each_value_take_no_memory(name: str) -> None:
    """A document of 100 KB, whose default it is, took 400 MB."""
    place, how, value = REPEATED[name]
    wire = "\U0001f600" * 900
    one = wired("x", wire, place).model_copy(update=how)
    path = f"/u/{{{wire}}}" if place == "path" else "/u"
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[one], binding=binding)
    tracemalloc.start()
    try:
        with pytest.raises(ArgumentsError, match="too long"):
            build_request(asked, {"x": value}, httpx.URL("https://a.com"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 12_000_000


def test_names_around_a_value_that_are_read_are_few() -> None:
    """Each of 9,000 entries was read under each of 300 names: a minute for each trial."""
    many = "a" + "".join(f"[b{number}]" for number in range(300))
    assert len({around for around, _ in named_values(many, ["x"])}) < 20
    assert ("_method", "x") in named_values("_method" + "[b]" * 300, ["x"])


@pytest.mark.parametrize("value", [[""] * 300_000, {str(at): 1 for at in range(100_000)}])
def test_so_many_values_are_not_read(value: JsonValue) -> None:
    binding = HttpBinding(method="GET", path="/users", servers=("https://a.com",))
    asked = tool("K.users", "The users.", params=[param("q", {})], binding=binding)
    assert may_change(asked, {"q": value}, ("q",))


def typed(media_type: str) -> Tool:
    binding = HttpBinding(
        method="GET", path="/users", servers=("https://a.com",), media_type=media_type
    )
    body = param("body", TEXT, location="content")
    return tool("K.users", "The users.", params=[body], binding=binding)


@pytest.mark.parametrize(
    ("media_type", "sent"),
    [
        ('application/soap+xml; action="urn:DeleteUser"', "application/soap+xml"),
        ('application/soap+xml;action="urn:DeleteUser" ;Charset=latin-1', "application/soap+xml"),
        ("application/vnd.k+json ; charset=UTF-8; do=delete", "application/vnd.k+json"),
        ('application/json; x="; charset=y"; do=delete', "application/json"),
    ],
)
def test_of_a_media_type_goes_out_what_no_order_stands_in(media_type: str, sent: str) -> None:
    """Its parameters are the document's words, and nothing judged them."""
    request = build_request(typed(media_type), {"body": "a"}, httpx.URL("https://a.com"))
    kind = dict(request.headers)["Content-Type"]
    assert kind == (f"{sent}; charset=utf-8" if "charset" in media_type.lower() else sent)


@pytest.mark.parametrize("end", ["\r\nX-Do: delete", "\nx", "\x00", " delete", "/x", "\u00e9"])
def test_what_is_no_media_type_is_refused_before_it_is_sent(end: str) -> None:
    """It broke the exchange, and that counted against the tool."""
    for kind in (f"text/plain{end}", f"application/vnd.k{end}+json"):
        with pytest.raises(ArgumentsError, match=r"K\.users.*not a media type"):
            build_request(typed(kind), {"body": "a"}, httpx.URL("https://a.com"))
