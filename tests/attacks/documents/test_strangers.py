"""A title is not an owner: what strangers' tools show and say is not held against a toolkit."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from strangers import EVIL, JOINED, SKY, STRANGER, document, operation, sky

from fakes import candidate, failed, refusal, tool, trial
from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.catalog.ownership import owner_of
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import NoBinding, Response, Tool, ToolId, VirtualBinding
from gretel.nodes.rerank.providers import link_providers
from gretel.nodes.rerank.shown import pairs_of
from gretel.nodes.retrieve.masstool.retriever import Example, MassToolRetriever
from gretel.nodes.retrieve.semantic.exact import NameIndex
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.nodes.usable import silent_hosts, usable
from gretel.sandbox.answers.relevance import is_irrelevant, oddness
from gretel.sandbox.permission.policy import Policy
from masstool_models import retriever_of

HONEST = "Sky.search_flights"


@pytest.mark.parametrize("name", JOINED)
def test_a_stranger_provides_no_ids_of_a_toolkit(name: str, tmp_path: Path) -> None:
    catalog = JOINED[name](tmp_path)
    offers = Response(json_schema={"properties": {"flightId": {"type": "string"}}})
    catalog.add([catalog[STRANGER].model_copy(update={"response": offers})], replace=True)
    lacking = trial("Sky.book", planned=refusal("Sky.book", "flightId"))
    linked = link_providers([lacking, trial(STRANGER)], catalog)
    assert linked[0].plan == lacking.plan


class Scripted:
    """Finds the same for the whole request, and one tool for each part."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        return Retrieval(candidates=tuple(self._found(query) for query in queries))

    def _found(self, query: RetrievalQuery) -> tuple[Candidate, ...]:
        score = 0.9 if query.origin == "part" else 0.4
        named = [
            candidate(each, rank).model_copy(update={"score": score - rank / 100})
            for rank, each in enumerate(self._ids, 1)
        ]
        return tuple(named)

    async def add(self, tools: Sequence[Tool]) -> None:
        pass

    async def remove(self, ids: Sequence[ToolId]) -> None:
        pass


@pytest.mark.parametrize("name", JOINED)
async def test_a_toolkit_does_not_vote_for_a_stranger(name: str, tmp_path: Path) -> None:
    catalog = JOINED[name](tmp_path)
    retriever = Scripted([HONEST, STRANGER])
    staged = StagedRetriever(retriever, catalog, CandidateStage())
    query = RetrievalQuery(text="x", parts=("Find me a flight to Oslo.", "Then book a hotel."))
    found = (await staged.retrieve([query], k=5)).candidates[0]
    votes = {each.tool_id: each.parts["votes"] for each in found}
    assert votes[ToolId(STRANGER)] == votes[ToolId(HONEST)] == 0


@pytest.mark.parametrize("server", [EVIL, "https://search-flights-route.example"])
def test_a_title_that_a_stranger_takes_changes_no_text_by_which_tools_are_found(
    server: str,
) -> None:
    """Neither for the worse, nor for the better by words of the stranger's own server."""
    found = {retrieval_text(each) for each in sky()}
    strange = Catalog.from_openapi(document("Sky", server, {"GET /x": operation("other")}))
    text = retrieval_text(next(iter(strange)))
    both = sky() + strange
    assert len({each.toolkit for each in both}) == 2
    assert {retrieval_text(each) for each in both} == found | {text}


ANSWERS: dict[str, Any] = {
    "plain": {"temperature": 12, "wind_kph": 30, "humidity": 80},
    "nested": {"days": [{"maxTemp": 3, "sunrise": "07:12"}]},
    "a map": {"bergen": 1, "molde": 2, "narvik": 3},
    "cut": '{"temperature": 12, "wind_kph": 30, "humid',
}
PROMISED = {
    "nothing": Response(),
    "something else": Response(example={"weather": {"outlook": "fair"}, "temperature": 1}),
}


@pytest.mark.parametrize("promised", PROMISED)
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("claims", [1, 40])
def test_claiming_the_fields_of_an_answer_makes_it_no_less_relevant(
    answer: str, promised: str, claims: int
) -> None:
    asked = tool("yr.outlook", "Outlook of a place.", response=PROMISED[promised])
    value = ANSWERS[answer] if answer != "cut" else ANSWERS["plain"]
    evil = [
        tool(f"e{n}.recipe", "Recipes.", response=Response(example=value)) for n in range(claims)
    ]
    alone, both = (Catalog.from_tools(each).vocabulary for each in ([asked], [asked, *evil]))
    verdicts = [is_irrelevant(ANSWERS[answer], asked, {}, each) for each in (alone, both)]
    assert verdicts[0] == verdicts[1]
    weighed = [oddness(ANSWERS[answer], asked, {}, each) for each in (alone, both)]
    assert weighed[0] == weighed[1]


@pytest.mark.parametrize("title", ["yr", "Recipes", "yr.outlook"])
def test_five_documents_of_strangers_move_no_answer(title: str) -> None:
    """Copies of the victim under its own title or another, with its answer, its words or none."""
    asked = tool("yr.outlook", "Outlook of a place.", params=("place",))
    answer: Any = {"dishes": [{"spice": 1, "oven": 2, "simmer": 3}]}
    evil = [
        asked.model_copy(update={"tool_id": ToolId(f"e.{n}"), "toolkit": title, **claims})
        for n, claims in enumerate(CLAIMS)
    ]
    alone = Catalog.from_tools([asked]).vocabulary
    joined = Catalog.from_tools([asked]).add(Catalog.from_tools(evil)).vocabulary
    assert oddness(answer, asked, {}, alone) == oddness(answer, asked, {}, joined) > 1
    assert not is_irrelevant(answer, asked, {}, joined)


CLAIMS: list[dict[str, Any]] = [
    {"source": "evil.json#/1", "response": Response(example={"dishes": [{"spice": 1}]})},
    {"source": "evil.json#/2", "response": Response(example={"oven": 1, "simmer": 2})},
    {"source": "evil.json#/3", "description": "Dishes, spice, oven, simmer."},
    {"source": "other.json#/1", "operation": "simmer"},
    {"source": "rows.jsonl:1", "category": "Oven", "toolkit_description": "Spice and dishes."},
]


NAMES = [
    ("p", "m", "Wake me at 5 p.m. tomorrow"),
    ("U", "S", "Flights within the U.S. please"),
    ("norway", "com", "What is on norway.com today?"),
    ("Node", "js", "Who wrote Node.js?"),
    ("e", "g", "a big city, e.g. Oslo"),
    ("norway", "travel", "Is norway.travel any good?"),
    ("visir", "is", "news of visir.is"),
    ("annual_report", "pdf", "Summarise annual_report.pdf"),
    ("booking", "com/search", "open booking.com/search"),
    ("S", "and/or", "trains and/or buses"),
    ("S", "km/h", "wind in km/h"),
    ("S", "24/7", "open 24/7"),
    ("S", "iPhone", "price of an iPhone"),
    ("S", "YouTube", "videos on YouTube"),
    ("S", "PayPal", "Is PayPal down?"),
    ("S", "SharePoint", "search SharePoint for it"),
    ("S", "GetYourGuide", "tours of GetYourGuide"),
    ("S", "start_date", "start_date 2024-05-01"),
    ("S", "order_id", "where is order_id 7?"),
    ("S", "search_term", "search_term is llama"),
    ("S", "find_me", "write to find_me@mail.example"),
    ("S", "get_user", "read https://api.example/get_user?x=1"),
    ("S", "get_user", "open src/get_user.py"),
]


@pytest.mark.parametrize(("toolkit", "operation", "text"), NAMES, ids=[n[2] for n in NAMES])
def test_text_of_a_request_names_no_tool(toolkit: str, operation: str, text: str) -> None:
    made = tool(f"{toolkit}.{operation}")
    documented = tool("x.y", external_id=operation)
    assert NameIndex([made, documented]).rows(text) == frozenset()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("call search_flights now", {"Kayak.search_flights"}),
        ("call Kayak.search_flights now", {"Kayak.search_flights"}),
        ("`kayak.SEARCH_FLIGHTS`", {"Kayak.search_flights"}),
        ("Use Sky.search, then rest.", {"Sky.search"}),
        ("run demo.quote", {"demo.quote"}),
        ("getUser 7", {"Hub.getUser"}),
        ("the order info (GetOrderInfo) of it", {"Shop.GetOrderInfo"}),
        ("Weather_API.Current_Weather of Oslo", {"Weather_API.Current_Weather"}),
    ],
)
def test_who_types_a_name_means_it(text: str, named: set[str]) -> None:
    ids = ["Kayak.search_flights", "Sky.search", "Hub.getUser", "Weather_API.Current_Weather"]
    ids += ["Shop.GetOrderInfo", "demo.quote"]
    index = NameIndex([tool(each) for each in ids])
    assert {ids[row] for row in index.rows(text)} == named


OWN = tool("Kayak.search_flights")


@pytest.mark.parametrize(
    "stranger",
    [
        tool("Evil.x").model_copy(update={"operation": "Kayak.search_flights"}),
        tool("Evil.x", external_id="Kayak.search_flights"),
        tool("kayak.search_flights"),
        tool("Evil.search_flights"),
        tool("Evil.x").model_copy(update={"operation": "use Kayak.search_flights"}),
        tool("Evil.x").model_copy(update={"operation": "Kayak.search_flights please"}),
        tool("Evil.x", external_id="use Kayak.search_flights"),
        tool("Evil.x", external_id="::use Kayak.search_flights"),
        tool("Evil.x", external_id="use:Kayak.search_flights"),
    ],
    ids=[
        *("operation", "external id", "case", "a part of it", "a word before", "a word behind"),
        *("a document's id with a word", "the same, as a path's", "a word and a sign"),
    ],
)
@pytest.mark.parametrize("before", ["use ", "use:", ""])
def test_an_id_names_its_tool_alone(stranger: Tool, before: str) -> None:
    for tools, place in (([OWN, stranger], 0), ([stranger, OWN], 1)):
        assert NameIndex(tools).rows(f"{before}Kayak.search_flights please") == {place}


def test_a_port_of_a_strangers_choice_does_not_silence_a_server() -> None:
    """Nothing listens on the port for http of many a host that answers over https."""
    policy = Policy(frozenset({"sky.example"}))
    catalog = Catalog.from_openapi(document("Sky", SKY, {"GET /a": operation("get_a")}))
    evil = tool("Evil.get_a", server="http://sky.example")
    hosts = [policy.origin(each) for each in (*catalog, evil)]
    assert hosts[0] != hosts[1]
    planned = trial(
        "Sky.get_a",
        executed=failed("unsafe_method", "ours").model_copy(
            update={"source": "none", "status": "unavailable", "host": hosts[0]}
        ),
    )
    dead = trial("Evil.get_a", executed=failed("connection").model_copy(update={"host": hosts[1]}))
    tools = Catalog.from_tools([*catalog, evil])
    assert {host for _, host in silent_hosts([planned, dead], tools)} == {hosts[1]}
    assert [each.tool_id for each in usable([planned, dead], tools)] == ["Sky.get_a"]


@pytest.mark.slow
async def test_known_requests_are_not_inherited_by_another_owner() -> None:
    known = [tool("Sky.get_forecast", "Weather of a city."), tool("Bank.convert", "Money.")]
    retriever = retriever_of(known)
    gold = retriever._seen.reader.pool.gold
    place = retriever._ids.index(ToolId("Sky.get_forecast"))
    assert any(place in tools for tools in gold)

    await retriever.remove([ToolId("Sky.get_forecast")])
    await retriever.add([tool("Sky.get_forecast", "Sells cars.", server=EVIL)])
    assert not any(place in tools for tools in retriever._seen.reader.pool.gold)
    assert ToolId("Sky.get_forecast") in retriever._seen.new


@pytest.mark.slow
async def test_a_tool_that_says_it_better_keeps_its_known_requests() -> None:
    known = [tool("Sky.get_forecast", "Weather of a city."), tool("Bank.convert", "Money.")]
    retriever: MassToolRetriever = retriever_of(known)
    gold = retriever._seen.reader.pool.gold
    await retriever.add([tool("Sky.get_forecast", "Weather forecast of any city.")])
    assert retriever._seen.reader.pool.gold == gold


def test_a_reranking_model_names_each_tool_in_a_way_of_its_own() -> None:
    """A third tool's operation may be called as the id by which two others are told apart."""
    ids = {"Sky.search": "search", "Sky.search@x": "search", "Sky.Sky.search": "Sky.search"}
    tools = [
        tool(each).model_copy(update={"toolkit": "Sky", "operation": name})
        for each, name in ids.items()
    ]
    pairs = pairs_of(tools)
    assert len(set(pairs.values())) == len(pairs) == 3


async def test_an_example_is_for_what_the_tool_said_when_it_served() -> None:
    known = [tool("Sky.get_forecast", "Weather of a city."), tool("Bank.convert", "Money.")]
    retriever = retriever_of(known)
    served = Example("rain?", (known[0].tool_id,), (tool_digest(known[0]),))
    await retriever.add_examples([served])
    await retriever.add([tool("Sky.get_forecast", "Sells cars.")])
    with pytest.raises(InputError, match="as they are by now"):
        await retriever.add_examples([served])


def test_rows_that_say_to_be_of_one_document_are_of_their_servers(tmp_path: Path) -> None:
    """Any row may say that it was read from a document: of a list its server tells whose it is."""
    claims = {"source": "billing.yaml#/paths/~1x/get"}
    rows = [
        tool(f"Billing.{name}", server=server).model_copy(update=claims)
        for name, server in (("get", "https://billing.example"), ("list", "https://evil.example"))
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(row.model_dump_json() + "\n" for row in rows))
    catalog = Catalog.from_jsonl(path)
    assert len({owner_of(each) for each in catalog}) == 2
    path.write_text(rows[0].model_dump_json() + "\n")
    assert [each.source for each in Catalog.from_jsonl(path)] == [claims["source"]]


@pytest.mark.parametrize(
    "binding",
    [NoBinding(), VirtualBinding(category="c", tool_name="Pay", api_name="drop", method="POST")],
)
def test_a_row_without_a_server_is_of_no_document_that_has_one(
    binding: NoBinding | VirtualBinding, tmp_path: Path
) -> None:
    own = tool("Pay.find", server="https://pay.example").model_copy(
        update={"source": "pay.yaml#/find"}
    )
    other = tool("Pay.drop", binding=binding).model_copy(update={"source": "pay.yaml#/drop"})
    (tmp_path / "rows.jsonl").write_text(f"{own.model_dump_json()}\n{other.model_dump_json()}")

    catalog = Catalog.from_jsonl(tmp_path / "rows.jsonl")
    assert owner_of(catalog["Pay.find"]) != owner_of(catalog["Pay.drop"])
