"""Queries of the feedback round without a model."""

from fakes import failed, refusal, request, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.trial import Trial
from gretel.nodes.rewrite.feedback import FeedbackRewriter
from gretel.nodes.rewrite.queries import MAX_CHARS, MAX_QUERIES

ASK = request("Fly me to New York")
TOOLS = [
    tool("Kayak.searchFlights", "Finds <b>one-way</b> flights."),
    tool("Pro.search", "x" * 900),
    *(tool(f"Air.op{number}", f"Does {number}.") for number in range(9)),
]


async def queries(*tried: Trial) -> list[RetrievalQuery]:
    found = await FeedbackRewriter(Catalog.from_tools(TOOLS)).rewrite(ASK, tried)
    assert found[0] == RetrievalQuery(text=ASK.text)
    assert {each.origin for each in found[1:]} <= {"feedback"}
    return found[1:]


async def test_the_first_round_asks_for_the_request_alone() -> None:
    assert await queries() == []


async def test_missing_values_come_before_tools_like_those_that_failed() -> None:
    found = await queries(
        trial("Kayak.searchFlights", executed=failed("server_error")),
        trial("Pro.search", planned=refusal("Pro.search", "airport_code")),
    )

    assert [each.text for each in found] == [
        "airport code",
        "search flights. Finds one-way flights.",
    ]


async def test_an_answer_beside_the_point_asks_for_nothing_of_its_kind() -> None:
    assert (
        await queries(
            trial("Kayak.searchFlights", executed=failed("empty")),
            trial("Air.op1", executed=failed("irrelevant")),
            trial("Air.op2", executed=failed("unsafe_method")),
            trial("Gone.away", executed=failed("timeout")),
            trial("Air.op3"),
        )
        == []
    )


async def test_they_are_few_short_and_each_once() -> None:
    twins = [
        trial(name, planned=refusal(name, "code")) for name in ("Pro.search", "Kayak.searchFlights")
    ]
    found = await queries(
        *twins,
        trial("Pro.search", executed=failed("timeout")),
        *(trial(f"Air.op{number}", executed=failed("timeout")) for number in range(9)),
    )

    assert len(found) == MAX_QUERIES
    assert [each.text for each in found].count("code") == 1
    assert all(len(each.text) <= MAX_CHARS for each in found)


async def test_earlier_turns_are_in_view() -> None:
    from gretel.contracts.ranking import Message

    turns = (Message(role="user", content="What is the weather in Oslo?"),)
    asked = request("And in Bergen?").model_copy(update={"messages": turns})
    found = await FeedbackRewriter(Catalog.from_tools(TOOLS)).rewrite(asked)

    assert found[0].text == "What is the weather in Oslo?\nAnd in Bergen?"
