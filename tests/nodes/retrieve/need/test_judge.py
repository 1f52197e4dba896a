"""Whether a tool is needed and fits is judged for every retriever, in one pass of the encoder."""

import asyncio
from collections.abc import Sequence

import pytest

from fakes import FakeRetriever, tool
from gretel import Selector
from gretel.catalog import Catalog
from gretel.contracts.ranking import Chances, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool
from gretel.nodes.context import ABSTAIN_BELOW
from gretel.nodes.retrieve.encoding.encoder import Embeddings, Encoder
from gretel.nodes.retrieve.need.judge import FittedJudge
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.select.node import gated
from lanes import every

TOOLS = [
    tool("sky.forecast", "Weather forecast of a city for the coming days.", params=["city"]),
    tool("sky.alerts", "Storm and flood alerts of a region.", params=["region"]),
    tool("bank.rates", "Exchange rates between currencies.", params=["base", "quote"]),
]
SERVED = "What is the weather forecast for Oslo?"
IDLE = "Tell me a joke about autumn leaves."


@pytest.mark.parametrize(
    ("request_", "reason"), [(SERVED, None), (IDLE, "no_tool_needed")], ids=["served", "idle"]
)
async def test_a_callers_own_retriever_abstains_without_saying_a_probability(
    request_: str, reason: str | None
) -> None:
    selector = Selector(Catalog.from_tools(TOOLS), retriever=FakeRetriever(TOOLS))
    selection = await selector.aselect(request_, k=3)

    assert selection.needs_tool is not None and selection.answerable is not None
    assert (selection.abstention.reason if selection.abstention else None) == reason


async def judged(retrieval: Retrieval, *texts: str, tools: Sequence[Tool] = TOOLS) -> Retrieval:
    queries = [RetrievalQuery(text=text) for text in texts]
    return await FittedJudge(Catalog.from_tools(tools)).judge(queries, retrieval)


async def found(*texts: str) -> Retrieval:
    queries = [RetrievalQuery(text=text) for text in texts]
    return await FakeRetriever(TOOLS).retrieve(queries, k=3)


@pytest.mark.slow
async def test_signals_measured_here_are_those_that_the_semantic_retriever_gives() -> None:
    catalog = Catalog.from_tools(TOOLS)
    query = RetrievalQuery(text=SERVED)
    semantic = await SemanticRetriever.build(catalog)
    said = await judged(await semantic.retrieve([query], k=3), SERVED)
    measured = await judged(await found(SERVED), SERVED)

    assert said.needs_tool == pytest.approx(measured.needs_tool, abs=1e-4)
    assert said.answerable == pytest.approx(measured.answerable, abs=1e-4)


async def test_what_the_retriever_says_itself_stands() -> None:
    told = (await found(IDLE)).model_copy(update={"needs_tool": 0.9})

    assert await judged(told, IDLE) == told


async def test_where_nothing_was_found_nothing_is_judged() -> None:
    nothing = Retrieval(candidates=((),))

    assert await judged(nothing, IDLE) == nothing
    assert (await judged(await found(IDLE), IDLE, tools=[])).needs_tool is None


async def test_words_are_counted_again_after_the_catalogue_changed() -> None:
    catalog = Catalog.from_tools(TOOLS[:2])
    judge, query = FittedJudge(catalog), RetrievalQuery(text="exchange rates between currencies")
    retrieval = Retrieval(candidates=((await found("x")).candidates[0],))
    before = await judge.judge([query], retrieval)
    catalog.add(TOOLS[2:])
    after = await judge.judge([query], retrieval)

    assert before.answerable is not None and after.answerable is not None
    assert after.answerable > before.answerable


@pytest.mark.slow
@pytest.mark.parametrize("own", [False, True], ids=["semantic", "own"])
async def test_a_round_makes_one_pass_of_the_encoder_also_after_add(
    own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[int] = []
    real = Encoder.embeddings

    def counted(self: Encoder, texts: Sequence[str]) -> Embeddings:
        passes.append(len(texts))
        return real(self, texts)

    catalog = Catalog.from_tools(TOOLS[:2])
    selector = Selector(catalog, retriever=FakeRetriever(TOOLS[:2]) if own else "semantic")
    await selector.aselect(SERVED)
    monkeypatch.setattr(Encoder, "embeddings", counted)
    monkeypatch.delattr(Encoder, "queries")
    await selector.aselect(f"{SERVED} Are there storm alerts for the coast?")
    assert len(passes) == 1

    await asyncio.to_thread(selector.add, TOOLS[2:])
    await selector.aselect(f"{SERVED} Which exchange rates hold for the euro?")
    assert len(passes) == 2


@pytest.mark.parametrize("own", every(2, [False, True]), ids=["semantic", "own"])
@pytest.mark.parametrize(
    ("request_", "language"),
    [
        ("Wie wird das Wetter morgen in Oslo?", "German"),
        ("Quel temps fera-t-il demain à Oslo ?", "French"),
        ("奥斯陆明天天气怎么样?", "Chinese"),
    ],
)
async def test_a_request_in_another_language_is_not_declined_and_said_to_be_so_once(
    own: bool, request_: str, language: str
) -> None:
    selector = Selector(
        Catalog.from_tools(TOOLS), retriever=FakeRetriever(TOOLS) if own else "semantic"
    )
    selection = await selector.aselect(f"{request_} {request_}", k=3)

    assert selection.needs_tool is None and selection.answerable is None
    assert selection.abstention is None or not selection.abstention.reason.startswith("no_tool")
    assert [language in note for note in selection.notes].count(True) == 1


async def test_an_english_request_says_nothing_of_languages() -> None:
    selection = await Selector(Catalog.from_tools(TOOLS)).aselect(SERVED, k=3)

    assert not any("English" in note for note in selection.notes)


HARBOUR = [
    tool("port.listFerries", "List ferries", params=["state", "limit"]),
    tool("port.getBerth", "Get berth", params=["berth_id"]),
    tool("port.getCargo", "Get cargo item", params=["cargo_id"]),
    tool("port.searchCargo", "", params=["q"]),
    tool("port.getTides", "Tide table of one day", params=["date"]),
    tool("port.createBerth", "Create berth", params=["name"]),
    tool("files.read", "Read a file", params=["path"]),
    tool("files.tree", "Tree of the files in a folder", params=["path"]),
]
"""Terse, as the documents of real services are."""


async def is_declined(text: str) -> bool:
    """Whether the tools of the harbour are not tried for a request."""
    catalog = Catalog.from_tools(HARBOUR)
    query = RetrievalQuery(text=text)
    retriever = await SemanticRetriever.build(catalog)
    judged_ = await FittedJudge(catalog).judge([query], await retriever.retrieve([query], k=3))
    return gated(Chances(judged_.needs_tool, judged_.answerable), ABSTAIN_BELOW) is not None


@pytest.mark.parametrize(
    "request_",
    [
        "Which boats are late, and why?",
        "HOIST-9 came up. What is it, and is the cargo off?",
        "The captain says cargo C-771 is gone. What do we have about it?",
        "What do we know about berth 12?",
        "print /srv/harbour/notes.txt",
    ],
)
async def test_questions_about_a_services_own_records_are_not_declined(request_: str) -> None:
    assert not await is_declined(request_)


@pytest.mark.parametrize(
    "request_",
    [
        IDLE,
        "Who was the first emperor of China?",
        "Explain the difference between a mutex and a semaphore.",
        "Turn off the lights in the kitchen.",
        "Play some jazz in the living room.",
        "Convert 250 US dollars to euros.",
    ],
)
async def test_chat_and_requests_for_another_catalogues_tools_are_declined(request_: str) -> None:
    assert await is_declined(request_)
