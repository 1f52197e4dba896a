"""Words by which a GET changes something: run together, shortened, carried out, said elsewhere."""

import pytest

from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.tool import HttpBinding, Tool, VirtualBinding
from gretel.sandbox.permission.policy import Policy


def get(path: str, name: str, text: str = "Weather of a city.", said: str = "") -> Tool:
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    made = tool("K.x", text, binding=binding, params=[param("id", description=said)])
    return made.model_copy(update={"operation": name, "external_id": name})


def relayed(title: str) -> Tool:
    binding = VirtualBinding(category="c", tool_name="t", api_name=title, method="GET")
    return tool("K.x", "Users.", binding=binding).model_copy(update={"operation": title})


CHANGING = [
    get("/deleteuserbyid", "x1"),
    get("/x1", "removewidgets"),
    get("/x1", "delUsr"),
    get("/rm_msg/{id}", "x1"),
    get("/deleteLogs/all/v1", "maintenance"),
    get("/purge-history/now/{id}", "maintenance"),
    get("/users/{id}/x1", "performUserRemoval"),
    get("/users/{id}/x1", "request_account_deletion"),
    get("/x1", "x1", "Weather of a city. This operation is destructive."),
    get("/x1", "x1", "Weather of a city. It can’t be undone."),
    get("/x1", "x1", said="The user that this call permanently deletes."),
    get("/x1", "x1", said="The order. The endpoint will cancel it."),
    get("/x1", "x1", said="Which rows are removed by this call."),
    relayed("Delete user"),
    relayed("purge_cache"),
]
READING = [
    get("/x1", "removables"),
    get("/x1", "deleteditems"),
    get("/casa", "casaDelSol"),
    get("/delete-requests/{id}/x1", "x1"),
    get("/x1", "getUserRemoval"),
    get("/x1", "runDeletionReport"),
    get("/x1", "x1", "Hash of a text. A hash is irreversible."),
    get("/x1", "x1", said="The format that this endpoint returns."),
    get("/x1", "x1", said="Whether removed users are shown by this call."),
    relayed("Create Job ID"),
    relayed("Weather"),
    relayed("Remove_profanity"),
]


@pytest.mark.parametrize("given", CHANGING, ids=repr)
def test_a_get_that_says_it_changes_something_is_not_tried(given: Tool) -> None:
    failure = Policy(base_url="https://a.com").decide(given)
    assert failure is not None
    assert failure.kind == "unsafe_method"


@pytest.mark.parametrize("given", READING, ids=repr)
def test_a_get_that_reads_is_tried(given: Tool) -> None:
    assert may_change(given) is None
