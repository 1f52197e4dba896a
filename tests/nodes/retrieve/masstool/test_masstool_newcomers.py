"""A newcomer is ranked beside the model's own reading, by the tools as they were then."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from fakes import tool
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from masstool_models import retriever_of

FERRY = tool("Ferry.search", "Search ferries between two ports.")
CROSSING = [RetrievalQuery(text="search ferries between two ports")]


@pytest.fixture
async def retriever(tools: list[Tool]) -> MassToolRetriever:
    """With a newcomer that was asked for once, so that everything is open."""
    retriever = retriever_of(tools)
    await retriever.add([FERRY])
    await retriever.retrieve(CROSSING, k=10)
    return retriever


async def test_both_readings_of_a_request_are_made_at_once(
    retriever: MassToolRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await retriever.retrieve(CROSSING, k=10)
    both = threading.Barrier(2)

    def meeting(work: Callable[..., Any]) -> Callable[..., Any]:
        def met(*args: Any, **settings: Any) -> Any:
            both.wait(timeout=20)  # broken where the other begins only after this one
            return work(*args, **settings)

        return met

    monkeypatch.setattr(SemanticRetriever, "_retrieve", meeting(SemanticRetriever._retrieve))
    backbone = retriever._opened.backbone
    monkeypatch.setattr(backbone, "encode", meeting(backbone.encode))

    assert await retriever.retrieve(CROSSING, k=10) == before


async def test_newcomers_are_ranked_as_they_were_when_it_was_asked(
    retriever: MassToolRetriever,
) -> None:
    asked = retriever._new.ranked(CROSSING, {FERRY.tool_id}, 10)
    await retriever.remove([FERRY.tool_id])

    assert [one.tool_id for one in (await asked)[0]] == [FERRY.tool_id]
    assert FERRY.tool_id not in [
        one.tool_id for one in (await retriever.retrieve(CROSSING, k=10)).candidates[0]
    ]
