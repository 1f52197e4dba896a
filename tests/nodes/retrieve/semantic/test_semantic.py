import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import IndexCorrupt
from gretel.contracts.ranking import Candidate, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.encoding.encoder import Encoder, Matrix, default_model_path
from gretel.nodes.retrieve.need.judge import FittedJudge
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from lanes import every

BATCH = 64
"""Texts that a build encodes at a time."""


@pytest.fixture
async def retriever(tools: list[Tool]) -> SemanticRetriever:
    return await SemanticRetriever.build(Catalog.from_tools(tools))


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts of tools that were encoded since, in order."""
    seen: list[str] = []
    real = Encoder.documents

    def documents(self: Encoder, texts: Sequence[str]) -> Matrix:
        seen.extend(text for text in texts if not text.startswith("Find the weather"))
        return real(self, texts)

    monkeypatch.setattr(Encoder, "documents", documents)
    return seen


async def found(retriever: SemanticRetriever, text: str, k: int = 3) -> tuple[Candidate, ...]:
    retrieval = await retriever.retrieve([RetrievalQuery(text=text)], k=k)
    return retrieval.candidates[0]


@pytest.mark.parametrize(
    ("request_text", "tool_id"),
    every(2, [
        ("Will it rain in Oslo tomorrow?", "Sky.get_forecast"),
        ("I want to fly from Rome to Oslo", "Kayak.search_flights"),
        ("How much are 100 euros in yen?", "Bank.convert"),
        ("Какая погода завтра в Москве?", "Метео.погода"),
        ("查询北京到上海的航班", "携程.机票"),
        ("select:Kayak.search_hotels for the weather forecast", "Kayak.search_hotels"),
    ]),
)  # fmt: skip
async def test_the_right_tool_comes_first(
    retriever: SemanticRetriever, request_text: str, tool_id: str
) -> None:
    assert (await found(retriever, request_text))[0].tool_id == tool_id


async def test_candidates_say_what_their_score_is_made_of(retriever: SemanticRetriever) -> None:
    named, other = (await found(retriever, "Kayak.search_flights to Oslo"))[:2]

    assert set(named.parts) == {"dense", "sparse", "exact", "weight"}
    assert (named.parts["exact"], other.parts["exact"]) == (1.0, 0.0)
    assert 0 <= named.parts["weight"] <= 1


async def test_an_unreadable_script_leaves_the_ranking_to_the_words(
    retriever: SemanticRetriever,
) -> None:
    first = (await found(retriever, "прогноз погоды"))[0]

    assert first.parts["weight"] == 0
    assert first.parts["sparse"] > 0


async def test_several_queries_keep_their_order(retriever: SemanticRetriever) -> None:
    queries = [RetrievalQuery(text=text) for text in ("weather forecast", "exchange currencies")]

    retrieval = await retriever.retrieve(queries, k=1)

    assert [row[0].tool_id for row in retrieval.candidates] == ["Sky.get_forecast", "Bank.convert"]


@pytest.mark.parametrize(
    "text", ["", "?!", "the of", pytest.param("weather " * 13_000, marks=pytest.mark.slow)]
)
async def test_odd_requests_give_full_sane_lists(retriever: SemanticRetriever, text: str) -> None:
    candidates = await found(retriever, text, k=10)

    assert len({candidate.tool_id for candidate in candidates}) == 6
    assert all(0 <= candidate.score <= 1 for candidate in candidates)


async def test_an_empty_catalogue_gives_empty_lists() -> None:
    retriever = await SemanticRetriever.build(Catalog.from_tools([]))

    assert await found(retriever, "weather") == ()
    assert (await retriever.retrieve([], k=3)).candidates == ()


async def test_a_catalogue_may_grow_from_nothing_to_one_tool(tools: list[Tool]) -> None:
    retriever = await SemanticRetriever.build(Catalog.from_tools([]))
    await retriever.add(tools[:1])

    assert [candidate.rank for candidate in await found(retriever, "rain")] == [1]


async def test_add_and_remove_encode_only_what_changed(
    retriever: SemanticRetriever, tools: list[Tool], encoded: list[str]
) -> None:
    changed = tools[0].model_copy(update={"description": "Tells how the sea is."})
    await retriever.add([changed, tools[1]])
    await retriever.remove([tools[2].tool_id, ToolId("un.known")])

    assert encoded == ["Sky: get forecast: Tells how the sea is."]
    ids = {candidate.tool_id for candidate in await found(retriever, "a city", k=10)}
    assert ids == {tool.tool_id for tool in tools} - {tools[2].tool_id}


@pytest.mark.slow
async def test_a_stored_index_encodes_only_what_changed(
    tools: list[Tool], tmp_path: Path, encoded: list[str]
) -> None:
    await SemanticRetriever.build(Catalog.from_tools(tools), index=tmp_path)
    encoded.clear()
    changed = tools[0].model_copy(update={"description": "Tells how the sea is."})
    catalog = Catalog.from_tools([changed, *tools[1:]])

    retriever = await SemanticRetriever.build(catalog, index=tmp_path)
    await SemanticRetriever.build(catalog, index=tmp_path)

    assert encoded == ["Sky: get forecast: Tells how the sea is."]
    assert (await found(retriever, "waves of the sea"))[0].tool_id == tools[0].tool_id


async def test_stored_and_fresh_vectors_rank_alike(
    retriever: SemanticRetriever, tools: list[Tool], tmp_path: Path
) -> None:
    await SemanticRetriever.build(Catalog.from_tools(tools), index=tmp_path)
    stored = await SemanticRetriever.build(Catalog.from_tools(tools), index=tmp_path)

    assert await found(stored, "rain in Oslo", k=6) == await found(retriever, "rain in Oslo", k=6)


def things(count: int) -> Catalog:
    return Catalog.from_tools(tool(f"demo.op{n}", f"Does thing {n}.") for n in range(count))


@pytest.mark.slow
async def test_an_interrupted_build_resumes(tmp_path: Path, encoded: list[str]) -> None:
    catalog = things(150)

    def interrupt(done: int, total: int) -> None:
        if done >= BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await SemanticRetriever.build(catalog, index=tmp_path, progress=interrupt)
    reports: list[tuple[int, int]] = []
    await SemanticRetriever.build(
        catalog, index=tmp_path, progress=lambda done, total: reports.append((done, total))
    )

    assert len(encoded) == len(set(encoded)) == 150
    assert (reports[0], reports[-1]) == ((BATCH, 150), (150, 150))


async def test_a_cancelled_build_stops_after_its_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    cancelled = threading.Event()

    def documents(self: Encoder, texts: Sequence[str]) -> Matrix:
        begun.append(len(texts))
        assert cancelled.wait(30)
        return np.ones((len(texts), 384), np.float32)

    monkeypatch.setattr(Encoder, "documents", documents)
    build = asyncio.create_task(SemanticRetriever.build(things(3 * BATCH)))
    while not begun:
        await asyncio.sleep(0.01)
    build.cancel()
    with pytest.raises(asyncio.CancelledError):
        await build
    cancelled.set()
    await asyncio.sleep(0.3)

    assert begun == [BATCH]


async def test_another_encoder_than_the_index_has_is_refused(
    tools: list[Tool], tmp_path: Path
) -> None:
    catalog = Catalog.from_tools(tools)
    await SemanticRetriever.build(catalog, index=tmp_path)

    with pytest.raises(IndexCorrupt, match="was made by the encoder"):
        await SemanticRetriever.build(catalog, model=str(default_model_path()), index=tmp_path)


@pytest.mark.parametrize("changed", [slice(None), slice(384, None)], ids=["all", "fine-tuned"])
async def test_other_weights_under_the_same_name_are_refused(
    tools: list[Tool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: slice
) -> None:
    catalog = Catalog.from_tools(tools)
    await SemanticRetriever.build(catalog, index=tmp_path)
    real = Encoder.documents

    def other(self: Encoder, texts: Sequence[str]) -> Matrix:
        vectors = real(self, texts).copy()
        vectors[:, changed] += np.roll(vectors[:, changed], 1, axis=1) / 3
        vectors[:, changed] *= 0.95  # about as long as before
        return vectors

    monkeypatch.setattr(Encoder, "documents", other)

    with pytest.raises(IndexCorrupt, match="other weights"):
        await SemanticRetriever.build(catalog, index=tmp_path)


async def test_chances_are_high_for_a_served_request_and_low_for_others(
    retriever: SemanticRetriever,
) -> None:
    async def chances(*texts: str) -> tuple[float | None, float | None]:
        queries = [RetrievalQuery(text=text) for text in texts]
        judge = FittedJudge(Catalog())
        found = await judge.judge(queries, await retriever.retrieve(queries, k=1))
        return found.needs_tool, found.answerable

    served = await chances("What is the weather forecast for Oslo?")
    no_tool = await chances("Write me a poem about autumn")
    mixed = await chances("Write me a poem about autumn", "weather forecast of a city")

    for high, both, low in zip(served, mixed, no_tool, strict=True):
        assert high is not None and low is not None and both is not None
        assert high > 0.5 > 0.18 > low
        assert both > low
    assert await chances("Какая погода завтра?") == (None, None)


@pytest.mark.slow
async def test_only_the_bundled_encoder_tells_whether_a_tool_is_needed(tools: list[Tool]) -> None:
    catalog = Catalog.from_tools(tools)
    retriever = await SemanticRetriever.build(catalog, model=str(default_model_path()))

    queries = [RetrievalQuery(text="weather forecast of a city")]
    found = await FittedJudge(catalog).judge(queries, await retriever.retrieve(queries, k=1))

    assert found.needs_tool is None
    assert found.answerable is not None
