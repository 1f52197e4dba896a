"""Requests that need no tool, within a run."""

from pathlib import Path
from typing import Any

import pytest
from small_runs import WordRetriever, small_dataset, small_evaluation

from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Retrieval
from gretel.datasets.judged import JudgedRequest
from gretel.evaluation.runs.compare import compare_runs, read_run
from gretel.evaluation.runs.folder import read_metrics
from gretel.evaluation.runs.rows import read_rows


class Doubtful(WordRetriever):
    """Knows that poems are no matter for tools."""

    async def retrieve(self, queries: Any, *, k: int) -> Retrieval:
        found = await super().retrieve(queries, k=k)
        sure = 0.0001 if "poem" in queries[0].text else 0.9
        return found.model_copy(update={"answerable": sure})


NO_TOOL = tuple(
    JudgedRequest(f"chat {number}", text, frozenset())
    for number, text in enumerate(["A poem on rain", "A poem on snow", "What is love?"])
)


async def run(out: Path, **options: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"retriever": Doubtful(small_dataset().catalog), "faults": {}}
    await small_evaluation(6, **{**given, "no_tool": NO_TOOL, **options}).run(out)
    return read_metrics(out)


@pytest.fixture(scope="module")
async def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of requests of both kinds."""
    out = tmp_path_factory.mktemp("both")
    await run(out)
    return out


@pytest.mark.slow
async def test_offers_to_no_tool_requests_are_counted(both: Path) -> None:
    found = read_metrics(both)
    assert (found["n"], found["n_no_tool"]) == (6, 3)
    assert found["abstention"]["false_offers"] == 1
    assert found["abstention"]["before_trials"]["auroc"] == pytest.approx((12 + 3) / 18)
    rows = read_rows(both / "rows.jsonl")
    assert (rows["chat 0"].status, rows["chat 0"].trials) == ("abstained", ())
    assert rows["chat 2"].status == "answered"
    assert rows["chat 0"].rankings == {}


@pytest.mark.slow
async def test_rankings_are_measured_as_without_them(both: Path, tmp_path: Path) -> None:
    found, alone = read_metrics(both), await run(tmp_path, no_tool=())
    for same in ("measures", "measures_all_gold", "n", "trials", "recognition", "compat"):
        assert found[same] == alone[same]
    assert found["digests"]["no_tool"] != alone["digests"]["no_tool"] is None
    pairs = compare_runs(read_run(both), read_run(tmp_path))
    assert {pair.result.difference for pair in pairs} == {0}


@pytest.mark.slow
async def test_a_run_does_not_go_on_with_other_no_tool_requests(both: Path) -> None:
    with pytest.raises(InputError, match="no_tool digest"):
        await run(both, no_tool=NO_TOOL[:1])


@pytest.mark.slow
async def test_the_limit_holds_for_either_kind(tmp_path: Path) -> None:
    found = await run(tmp_path, limit=2)
    assert (found["n"], found["n_no_tool"]) == (2, 2)


async def test_two_requests_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two requests have the id chat 0"):
        await run(tmp_path, no_tool=(*NO_TOOL, NO_TOOL[0]))
