"""What re-ranking costs grows with the trials and their arguments, not with their pairs."""

import pytest

from fakes import param, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.trial import Argument, CallPlan, Trial
from gretel.nodes.rerank.evidence import EvidenceReranker
from growth import LINEAR, growth

WORDS = [f"word{n:03}" for n in range(60)]
TEXT = " ".join(WORDS)
PLACES = [(8 * n, 8 * n + 7) for n in range(60)]


def trials(count: int) -> tuple[Catalog, list[Trial]]:
    """Calls that take all of a long request each, and are answered."""
    tools = [
        tool(f"T{n}.find", params=[param(word) for word in WORDS], server=f"https://t{n}.example")
        for n in range(count)
    ]
    arguments = {
        word: Argument(value=word, source="request", span=place, confidence=0.9)
        for word, place in zip(WORDS, PLACES, strict=True)
    }
    made = [
        trial(
            each.tool_id,
            rank,
            planned=CallPlan(tool_id=each.tool_id, arguments=arguments, confidence=0.9),
            executed=succeeded(latency_ms=10.0 + rank),
        )
        for rank, each in enumerate(tools, 1)
    ]
    return Catalog.from_tools(tools), made


@pytest.mark.slow
def test_it_does_not_grow_with_pairs() -> None:
    made = {size + run: trials(size + run) for size in (20, 80) for run in range(3)}

    def work(size: int) -> None:
        catalog, tried = made[size]
        EvidenceReranker(catalog)._ranked(request(TEXT), tried)

    assert growth(work, 80) < LINEAR
