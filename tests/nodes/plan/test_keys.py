"""Keys, moments and keywords that a document says little of.

The tools are invented, and so is all that is asked of them.
"""

from functools import partial
from typing import Any

import pytest

from fakes import param, tool
from gretel.contracts.ranking import Request
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import CallPlan
from gretel.nodes.plan.deterministic import DeterministicPlanner
from service_tools import planned_arguments

PLANNER = DeterministicPlanner()
TEXT: Any = {"type": "string"}


def get(name: str, path: str, about: str = "", **query: Any) -> Tool:
    """A GET with the steps of its path, and parameters in its query that nothing requires."""
    steps = [each.split("}")[0] for each in path.split("{")[1:]]
    schemas = {step: query.pop(step, TEXT) for step in steps}
    params = [param(n, s, required=True, location="path") for n, s in schemas.items()]
    params += [param(n, s, location="query") for n, s in query.items()]
    return tool(name, about, params=params, binding=HttpBinding(method="GET", path=path))


MOMENT = {"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["latest"]}]}
TOOLS = {
    "berth": get("Harbour records.get_berth", "/quays/{quay_id}/berths/{id}"),
    "berths": get("Harbour records.get_berths", "/quays/{quay_id}/berths"),
    "sheet": get("Sheets.getSheet", "/getSheet", sheetID=TEXT, rev=TEXT),
    "sheets": get("Sheets.list", "/sheets", id=TEXT, owner=TEXT),
    "state": get("Pages.state", "/page/{uuid}/state/{timestamp}", timestamp=MOMENT),
    "between": get(
        "Pages.between",
        "/page/{uuid}/from/{from_timestamp}/to/{to_timestamp}",
        from_timestamp={"type": "integer"},
        to_timestamp={"type": "integer"},
    ),
    "domain": get("Names.keys", "/domains/{domain_id}/keys"),
    "hooks": get("Hooks.list", "/hooks", source=TEXT),
    "cluster": get("Hooks.cluster", "/clusters/{cluster_name}"),
    "server": get("Names.server", "/servers/{server_id}"),
    "shown": tool(
        "Git.show",
        "Shows the contents of a commit",
        params=[param("repo_path", TEXT, required=True), param("revision", TEXT, required=True)],
    ),
}
COMMIT = "2053388666345c457ee49046549a3ef9f9287963"
PAGE = "7ce9c574-03d7-4ac9-924d-5cd2c0fb78d6"
ASKED: list[tuple[str, str, dict[str, object] | None]] = [
    ("Which berths does the quay harbour have?", "berths", {"quay_id": "harbour"}),
    ("tell me when quartz-order was read", "sheet", {"sheetID": "quartz-order"}),
    ("Is s.Q3Plan00000000001 still open?", "sheet", {"sheetID": "s.Q3Plan00000000001"}),
    ("Who wrote quartz-order?", "sheets", {}),
    (f"Show {PAGE} in its latest state", "state", {"uuid": PAGE, "timestamp": "latest"}),
    (f"Show {PAGE} as of 1790841600", "state", {"uuid": PAGE, "timestamp": 1790841600}),
    (
        f"What changed on {PAGE} between 1790841600 and 1792051200?",
        "between",
        {"uuid": PAGE, "from_timestamp": 1790841600, "to_timestamp": 1792051200},
    ),
    (
        "Mail fails since today. Are there any DNSSEC keys for orchard-clinic.example.?",
        "domain",
        {"domain_id": "orchard-clinic.example."},
    ),
    (
        "Which hooks take events from the source queue://orders/new?",
        "hooks",
        {"source": "queue://orders/new"},
    ),
    ("Which hooks take events from the source queue://orders-new/all?", "cluster", None),
    ("Welche Liegeplätze hat der Server de?", "server", None),
    (
        f"What did Ruth write in commit {COMMIT} of the repository /srv/git/site?",
        "shown",
        {"repo_path": "/srv/git/site", "revision": COMMIT},
    ),
]


planned = partial(planned_arguments, TOOLS)


@pytest.mark.parametrize(("text", "name", "arguments"), ASKED)
async def test_a_key_is_told_by_its_form(
    text: str, name: str, arguments: dict[str, object] | None
) -> None:
    assert await planned(text, name) == arguments


@pytest.mark.parametrize(
    "text",
    [
        "存储桶 acme 里有哪些条目?",
        "Welche Einträge hat das Verzeichnis acme?",
        "Que contient le répertoire acme dans son état actuel ?",
    ],
)
async def test_nouns_are_known_in_other_languages(text: str) -> None:
    noun = "bucket" if "桶" in text else "directory"
    found = get("Box.entries", f"/{noun}/{{{noun}_id}}/entries")
    result = await PLANNER.plan(Request(text=text, today="2026-11-20"), found)
    assert isinstance(result, CallPlan)
    assert list(result.values().values()) == ["acme"]


async def test_what_goes_on_is_about_the_inner_step() -> None:
    first = "Show me the berth b3 of the quay north."
    assert await planned("and b4", "berth", first) == {"quay_id": "north", "id": "b4"}
