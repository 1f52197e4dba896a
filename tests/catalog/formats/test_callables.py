"""Python callables and LangChain tools as tools: names, schemas, and what has no name."""

from datetime import date
from functools import partial
from typing import Annotated, Any

import pytest
from langchain_core.tools import InjectedToolArg, InjectedToolCallId
from langchain_core.tools import Tool as LangTool
from langchain_core.tools import tool as lang_tool

import callable_samples as samples
from callable_samples import Client
from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import CallableBinding, NoBinding, Parameter

NAME = samples.__name__


def test_a_function_is_described_by_its_signature_and_docstring() -> None:
    (tool,) = Catalog.from_callables([samples.forecast], toolkit="weather")

    assert tool.tool_id == "weather.forecast"
    assert tool.description == "Weather forecast of a city."
    assert tool.response.json_schema is None
    city, days = tool.parameters
    assert (city.name, city.location, city.required) == ("city", "argument", True)
    assert city.description == "name of the city."
    assert isinstance(days, Parameter)
    assert (days.json_schema["type"], days.json_schema["default"]) == ("integer", 3)


@pytest.mark.parametrize(
    ("given", "target", "factory"),
    [
        (samples.forecast, "forecast", False),
        (samples.later, "later", False),
        (f"{NAME}:forecast", "forecast", False),
        (f"{NAME}:make()", "make", True),
        (samples.named_tool, "named_tool", False),
        (f"{NAME}:named_tool", "named_tool", False),
    ],
)
def test_what_has_a_name_is_bound_to_it(given: object, target: str, factory: bool) -> None:
    catalog = Catalog.from_callables([given])  # type: ignore[list-item]
    (tool,) = catalog

    assert tool.binding == CallableBinding(target=f"{NAME}:{target}", factory=factory)
    assert catalog.live == {}


@pytest.mark.parametrize(
    "given",
    [Client().as_tool(), Client().search, samples.make(), lambda city: city],
    ids=["tool", "method", "closure", "lambda"],
)
def test_what_has_no_name_is_kept_in_the_catalogue_alone(given: object) -> None:
    catalog = Catalog.from_langchain([given])  # type: ignore[list-item]
    (tool,) = catalog

    assert tool.binding == CallableBinding(target=None)
    assert catalog.live == {tool.tool_id: given}
    assert repr(given) not in tool.model_dump_json()


def test_a_name_that_means_something_else_by_now_is_no_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = samples.forecast
    monkeypatch.setattr(samples, "forecast", samples.undocumented)

    (tool,) = Catalog.from_callables([before])

    assert tool.binding == CallableBinding(target=None)


def test_live_callables_follow_their_tools() -> None:
    client = Client()
    merged = Catalog.from_callables([samples.forecast]) + Catalog.from_langchain([client.as_tool()])
    (tool_id,) = merged.live

    assert tool_id in merged
    merged.remove([tool_id])
    assert merged.live == {}


def test_equal_names_are_told_apart_with_their_objects() -> None:
    catalog = Catalog.from_langchain([Client().as_tool(), Client().as_tool()], toolkit="a")

    assert len(catalog.live) == len(catalog) == 2
    assert catalog.notes[0].detail.startswith("renamed")


def test_a_function_without_docstring_is_named_only() -> None:
    (tool,) = Catalog.from_callables([samples.undocumented])

    assert tool.description == "undocumented"


def test_a_signature_that_says_nothing_is_skipped() -> None:
    class Opaque:
        pass

    def strange(thing: Opaque) -> None:
        """Takes what JSON cannot say."""

    catalog = Catalog.from_callables([strange, samples.forecast])

    assert len(catalog) == 1
    assert "signature cannot be read" in catalog.skipped[0].reason


@pytest.mark.parametrize("given", ["no_colon", "nowhere.at_all:f", f"{NAME}:missing", 7])
def test_what_cannot_be_called_is_bad_input(given: object) -> None:
    with pytest.raises(CatalogError, match="package.module:function"):
        Catalog.from_callables([given])  # type: ignore[list-item]


class Desk:
    """Keeps accounts."""

    def __call__(self, owner: str) -> int:
        """Balance of an owner."""
        return len(owner)


def by_place(a: int, /, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


def joined(*words: str) -> str:
    """Join words."""
    return " ".join(words)


@lang_tool
def anything(*words: str, **more: int) -> str:
    """Join words."""
    return " ".join(words) + str(more)


def noted(topic: str, *rest: str, day: date | None = None, **more: int) -> str:
    """Notes of a topic."""
    return f"{topic} {day!r} {rest} {more}"


@pytest.mark.parametrize("given", [by_place, joined, abs, anything])
def test_what_takes_values_by_their_place_is_skipped_with_the_remedy(given: Any) -> None:
    (skipped,) = Catalog.from_callables([given]).skipped

    assert "by its place, and not by name" in skipped.reason
    assert skipped.remedy.startswith("Wrap it in a function")


@pytest.mark.parametrize(
    ("given", "name", "description", "names"),
    [
        (noted, "noted", "Notes of a topic.", ["topic", "day"]),
        (partial(noted, day=None), "noted", "Notes of a topic.", ["topic", "day"]),
        (partial(noted, "tea"), "noted", "Notes of a topic.", ["day"]),
        (Desk(), "Desk", "Balance of an owner.", ["owner"]),
        (LangTool("back", lambda text: text, "Turn it."), "back", "Turn it.", ["text"]),
        (LangTool("count", len, "Count letters."), "count", "Count letters.", ["tool_input"]),
    ],
)  # fmt: skip
def test_a_tool_takes_what_can_be_given_by_name(
    given: Any, name: str, description: str, names: list[str]
) -> None:
    (tool,) = Catalog.from_callables([given], toolkit="desk")

    assert (tool.tool_id, tool.description) == (f"desk.{name}", description)
    assert [each.name for each in tool.parameters] == names


@lang_tool
def mine(topic: str, user: Annotated[str, InjectedToolArg]) -> str:
    """Notes of a topic."""
    return f"{user} {topic}"


@lang_tool
def told(topic: str, call: Annotated[str, InjectedToolCallId]) -> str:
    """Notes of a topic."""
    return f"{call} {topic}"


@lang_tool
def ours(topic: str, user: Annotated[str, InjectedToolArg] = "all") -> str:
    """Notes of a topic."""
    return f"{user} {topic}"


def test_what_only_an_agents_runtime_can_call_is_not_called_here() -> None:
    catalog = Catalog.from_langchain([mine, told, ours], toolkit="notes")

    assert {each.operation for each in catalog if each.binding == NoBinding()} == {"mine", "told"}
    assert [[p.name for p in tool.parameters] for tool in catalog] == [["topic"]] * 3
    said = "is injected by an agent's runtime: it is not called here"
    assert [note.detail for note in catalog.notes] == [f"user {said}", f"call {said}"]
    assert catalog.live == {}
