"""Who provides what another tool lacks."""

from collections.abc import Sequence

import pytest

from fakes import plan, refusal, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Response, Tool
from gretel.contracts.trial import PlanResult, Refusal
from gretel.nodes.rerank import providers
from gretel.nodes.rerank.providers import link_providers
from gretel.text.foreign import SENTENCE


def answering(tool_id: str, example: JsonObject, *parameters: str) -> Tool:
    return tool(tool_id, params=parameters, response=Response(example=example))


ORDERS = answering("Shop.get_orders", {"orders": []}, "user_id")
USERS = answering("Shop.search_users", {"users": [{"id": "u1", "name": "Ann"}]})
STRANGERS = answering("Other.search_users", {"users": [{"id": "u1"}]})
WEATHER = answering("Sky.now", {"id": 3, "temperature": 12})


def linked(*tools: Tool, missing: str = "user_id") -> Refusal:
    return first_of(
        [refusal(tools[0].tool_id, missing), *(plan(t.tool_id) for t in tools[1:])], tools
    )


def first_of(plans: Sequence[PlanResult], tools: Sequence[Tool]) -> Refusal:
    trials = [trial(each.tool_id, planned=each) for each in plans]
    first = link_providers(trials, Catalog.from_tools(tools))[0].plan
    assert isinstance(first, Refusal)
    return first


def test_the_id_of_a_thing_comes_from_the_tool_about_it() -> None:
    found = linked(ORDERS, USERS, WEATHER)
    assert found.reason == "needs_other_tool"
    assert found.missing[0].provided_by == (USERS.tool_id,)
    assert USERS.tool_id in found.detail


def test_the_same_name_is_enough() -> None:
    session = answering("Shop.login", {"session": {"userId": "u1"}})
    assert linked(ORDERS, session).missing[0].provided_by == (session.tool_id,)


def test_a_response_schema_counts_as_well() -> None:
    schema = {"type": "array", "items": {"properties": {"user_id": {"type": "string"}}}}
    listing = tool("Shop.people", response=Response(json_schema=schema))
    assert linked(ORDERS, listing).missing[0].provided_by == (listing.tool_id,)


def test_an_id_of_another_toolkit_is_none() -> None:
    assert linked(ORDERS, STRANGERS).reason == "missing_required"


def test_a_public_code_is_good_everywhere() -> None:
    search = answering("Air.search", {}, "carrier_code")
    airlines = answering("Lookup.airlines", {"airlines": [{"carrier_code": "UA"}]})
    found = linked(search, airlines, missing="carrier_code")
    assert found.missing[0].provided_by == (airlines.tool_id,)


def test_who_asks_for_the_field_does_not_provide_it() -> None:
    echo = answering("Shop.get_user", {"user_id": "u1"}, "user_id")
    assert linked(ORDERS, echo).reason == "missing_required"


def test_a_field_that_identifies_nothing_is_not_linked() -> None:
    assert linked(ORDERS, USERS, missing="name").reason == "missing_required"


def test_one_field_that_nobody_provides_keeps_the_reason() -> None:
    plans = [refusal(ORDERS.tool_id, "user_id", "since"), plan(USERS.tool_id)]
    first = first_of(plans, (ORDERS, USERS))
    assert first.reason == "missing_required"
    assert first.missing[0].provided_by == (USERS.tool_id,)


def test_order_changes_nothing() -> None:
    catalog = Catalog.from_tools((ORDERS, USERS, WEATHER))
    plans = [refusal(ORDERS.tool_id, "user_id"), plan(USERS.tool_id), plan(WEATHER.tool_id)]
    trials = [trial(each.tool_id, planned=each) for each in plans]
    forward = link_providers(trials, catalog)
    assert forward == link_providers(trials[::-1], catalog)[::-1]
    assert forward[1:] == trials[1:]


def test_names_are_parted_once_however_many_fields_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand values that ten tools lack, and thousands of fields that each promises."""
    fields: JsonObject = {f"thing{n}_id": {} for n in range(400)}
    answer = Response(json_schema={"type": "object", "properties": fields})
    wanted = [f"other{n}_id" for n in range(300)]
    tools = [tool(f"Pay.find{n}", params=wanted, response=answer) for n in range(5)]
    trials = [trial(t.tool_id, planned=refusal(t.tool_id, *wanted)) for t in tools]
    read: list[str] = []
    words = providers.name_words
    monkeypatch.setattr(providers, "name_words", lambda name: read.append(name) or words(name))

    link_providers(trials, Catalog.from_tools(tools))
    assert len(read) < 2 * len(tools) * (len(fields) + len(wanted))


def test_of_many_providers_a_few_are_named_the_own_documents_first() -> None:
    tools = [answering("Z.get", {}, "iso_code")]
    tools += [answering(f"A{at}.list", {"iso_code": "NO"}) for at in range(9)]
    tools += [answering(f"Z.{'y' * 900}{at}", {"iso_code": "NO"}) for at in range(2)]
    found = linked(*tools, missing="iso_code")
    assert found.missing[0].provided_by == tuple(t.tool_id for t in (*tools[-2:], *tools[1:4]))
    assert len(found.detail) <= SENTENCE
