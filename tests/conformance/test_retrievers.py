"""What every `Retriever` promises."""

from collections.abc import Awaitable, Callable, Sequence
from uuid import uuid4

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId

Make = Callable[[Sequence[Tool]], Awaitable[Retriever]]


async def fake(tools: Sequence[Tool]) -> Retriever:
    return FakeRetriever(tools)


async def semantic(tools: Sequence[Tool]) -> Retriever:
    from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever

    return await SemanticRetriever.build(Catalog.from_tools(tools))


async def staged(tools: Sequence[Tool]) -> Retriever:
    from gretel.nodes.retrieve.stage.retriever import StagedRetriever
    from gretel.nodes.retrieve.stage.switches import CandidateStage

    return StagedRetriever(await semantic(tools), Catalog.from_tools(tools), CandidateStage())


async def staged_with_later(tools: Sequence[Tool]) -> Retriever:
    """The second half came after the catalogue was pinned."""
    from gretel.nodes.retrieve.stage.pins import Pins
    from gretel.nodes.retrieve.stage.retriever import StagedRetriever
    from gretel.nodes.retrieve.stage.switches import CandidateStage

    pins = Pins()
    pins.add(tools[: len(tools) // 2])
    pins.add(tools)
    catalog = Catalog.from_tools(tools)
    return StagedRetriever(FakeRetriever(tools), catalog, CandidateStage(), pins)


async def masstool(tools: Sequence[Tool]) -> Retriever:
    """All tools are known by use."""
    from masstool_models import retriever_of

    return retriever_of(tools)


async def masstool_partly_new(tools: Sequence[Tool]) -> Retriever:
    """Every other tool is ranked by what it says."""
    from masstool_models import retriever_of

    return retriever_of(tools, {one.tool_id: 3 for one in tools[::2]})


async def toolgen(tools: Sequence[Tool]) -> Retriever:
    """All tools were learnt from requests."""
    from toolgen_models import retriever_of

    return retriever_of(tools)


async def toolgen_partly_new(tools: Sequence[Tool]) -> Retriever:
    """Every other tool is known by its document."""
    from toolgen_models import retriever_of

    return retriever_of(tools, {one.tool_id for one in tools[1::2]})


async def toolgen_coded(tools: Sequence[Tool]) -> Retriever:
    """Tools are several words each."""
    from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
    from toolgen_models import coded

    return ToolGenRetriever(coded(tools, "residual"), Catalog.from_tools(tools))


async def chroma(tools: Sequence[Tool]) -> Retriever:
    """A collection that holds rows of others, too."""
    import chromadb
    from chromadb.config import Settings

    from gretel.integrations.chroma import ChromaRetriever
    from gretel.nodes.retrieve.encoding.encoder import Encoder

    client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        uuid4().hex, embedding_function=None, metadata={"hnsw:space": "cosine"}
    )
    encode = Encoder().documents
    collection.add(ids=["others"], embeddings=encode(["Search flights."]), documents=["Mine."])
    return await ChromaRetriever.build(collection, tools, encode)


MAKERS: dict[str, Make] = {
    "fake": fake,
    "semantic": semantic,
    "staged": staged,
    "staged_with_later": staged_with_later,
    "chroma": chroma,
    "masstool": masstool,
    "masstool_partly_new": masstool_partly_new,
    "toolgen": toolgen,
    "toolgen_partly_new": toolgen_partly_new,
    "toolgen_coded": toolgen_coded,
}


SELDOM = {
    "semantic",
    "chroma",
    "staged_with_later",
    "masstool_partly_new",
    "toolgen_partly_new",
    "toolgen_coded",
}
"""Put through it in `make check` alone: variants, and what `staged` holds or is rarely chosen."""


@pytest.fixture(
    params=[pytest.param(n, marks=[pytest.mark.slow] if n in SELDOM else []) for n in MAKERS]
)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


async def retrieve(retriever: Retriever, *texts: str, k: int = 10) -> Retrieval:
    return await retriever.retrieve([RetrievalQuery(text=text) for text in texts], k=k)


def ids(candidates: Sequence[Candidate]) -> list[ToolId]:
    return [candidate.tool_id for candidate in candidates]


async def test_candidates_are_few_unique_and_known(
    make: Make, tools: list[Tool], text: str
) -> None:
    retriever = await make(tools)
    for k in (1, 3, 100):
        (found,) = (await retrieve(retriever, text, k=k)).candidates

        assert len(found) <= min(k, len(tools))
        assert len(set(ids(found))) == len(found)
        assert set(ids(found)) <= {tool.tool_id for tool in tools}


async def test_candidates_stand_by_score_then_id(make: Make, tools: list[Tool], text: str) -> None:
    (found,) = (await retrieve(await make(tools), text)).candidates

    assert list(found) == sorted(found, key=lambda c: (-c.score, c.tool_id))
    assert [candidate.rank for candidate in found] == list(range(1, len(found) + 1))
    assert all(0 <= candidate.score <= 1 for candidate in found)


async def test_each_query_has_its_candidates_in_its_place(make: Make, tools: list[Tool]) -> None:
    retriever = await make(tools)
    texts = ("flights", "a hotel", "flights")
    together = await retrieve(retriever, *texts)
    alone = [await retrieve(retriever, text) for text in texts]

    assert [ids(found) for found in together.candidates] == [
        ids(retrieval.candidates[0]) for retrieval in alone
    ]


async def test_no_query_gives_no_candidates(make: Make, tools: list[Tool]) -> None:
    assert (await retrieve(await make(tools))).candidates == ()


async def test_an_empty_catalogue_gives_empty_tuples(make: Make) -> None:
    assert (await retrieve(await make([]), "flights", "hotels")).candidates == ((), ())


async def test_probabilities_are_probabilities(make: Make, tools: list[Tool]) -> None:
    retrieval = await retrieve(await make(tools), "flights")

    for probability in (retrieval.needs_tool, retrieval.answerable):
        assert probability is None or 0 <= probability <= 1


async def test_an_added_tool_is_found(make: Make, tools: list[Tool]) -> None:
    retriever = await make(tools)
    await retriever.add([tool("Ferry.search", "Search ferries between two ports.")])

    (found,) = (await retrieve(retriever, "search ferries between two ports")).candidates
    assert "Ferry.search" in ids(found)


async def test_a_tool_added_to_nothing_is_found(make: Make) -> None:
    retriever = await make([])
    await retriever.add([tool("Ferry.search", "Search ferries.")])

    (found,) = (await retrieve(retriever, "ferries")).candidates
    assert ids(found) == ["Ferry.search"]


async def test_a_known_tool_is_replaced(make: Make, tools: list[Tool]) -> None:
    retriever = await make(tools)
    await retriever.add([tool("Twins.b", "Convert money between currencies."), *tools[:2]])

    (found,) = (await retrieve(retriever, "convert money", k=100)).candidates
    assert sorted(ids(found)) == sorted(set(ids(found)))
    assert set(ids(found)) <= {tool.tool_id for tool in tools}


async def test_a_removed_tool_is_forgotten(make: Make, tools: list[Tool]) -> None:
    retriever = await make(tools)
    await retriever.remove([ToolId("Kayak.search_flights"), ToolId("Nobody.knows")])

    (found,) = (await retrieve(retriever, "search one-way flights", k=100)).candidates
    assert "Kayak.search_flights" not in ids(found)
    assert "Skyscanner.get_flights" in ids(found)


async def test_nothing_is_left_when_all_are_removed(make: Make, tools: list[Tool]) -> None:
    retriever = await make(tools)
    await retriever.remove([tool.tool_id for tool in tools])

    assert (await retrieve(retriever, "flights")).candidates == ((),)


async def test_the_same_query_gives_the_same_candidates(make: Make, tools: list[Tool]) -> None:
    retriever = await make(tools)

    assert await retrieve(retriever, "flights") == await retrieve(retriever, "flights")
