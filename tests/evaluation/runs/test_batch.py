"""Batches: every request has its row, and no kill, restart or split changes the report."""

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_runs import FAULTS, WordRetriever, small_dataset, small_evaluation

from gretel.contracts.budget import Usage
from gretel.contracts.calibration import EVERY_STEP
from gretel.contracts.errors import BudgetSpent, IndexCorrupt, InputError, ServiceUnreachable
from gretel.contracts.ranking import Retrieval
from gretel.evaluation.runs.budget import RunBudget
from gretel.evaluation.runs.compare import read_run
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.merge import merge_runs
from gretel.evaluation.runs.rows import Row, RowKey, read_rows, report_digest
from gretel.evaluation.runs.sampling import Shard
from llm_server import LlmServer

HERE = Path(__file__).parent.parent


async def run(out: Path, size: int = 24, **options: Any) -> dict[str, Any]:
    """`metrics.json` of a run into `out`."""
    await small_evaluation(size, **options).run(out)
    return metrics(out)


def metrics(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "metrics.json").read_text())
    return content


def digest(out: Path) -> str:
    return str(metrics(out)["digests"]["report"])


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


@pytest.fixture(scope="module")
async def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of 24 requests; to be read only."""
    out = tmp_path_factory.mktemp("whole")
    await run(out)
    return out


@pytest.fixture
def finished(whole: Path, tmp_path: Path) -> Path:
    """The same in a folder of the test's own."""
    return Path(shutil.copytree(whole, tmp_path / "finished"))


class Faulty(WordRetriever):
    """Raises for the requests whose text holds a scripted word."""

    def __init__(self, script: dict[str, Exception]) -> None:
        super().__init__(small_dataset().catalog)
        self._script = script

    async def retrieve(self, queries: Any, *, k: int) -> Retrieval:
        for word, error in self._script.items():
            if word in queries[0].text:
                raise error
        return await super().retrieve(queries, k=k)


async def test_a_run_has_a_row_for_every_request_and_measures(tmp_path: Path) -> None:
    told: list[int] = []
    await small_evaluation().run(tmp_path, progress=told.append)
    found = metrics(tmp_path)
    assert (found["n"], sum(found["requests"].values())) == (24, 24)
    assert sorted(read_rows(tmp_path / "rows.jsonl")) == sorted(f"q {n}" for n in range(24))
    assert list(found["measures"]) == ["retrieval", "no-simulation", "full", "oracle"]
    assert found["measures"]["oracle"]["Viable@3"] > found["measures"]["retrieval"]["Viable@3"]
    assert found["measures"]["full"]["R@10"] >= found["measures"]["full"]["R@5"] > 0
    assert 0 < found["n_without_gold"] < 24
    assert told[0] == 0
    assert told[-1] == 24


@pytest.mark.slow
async def test_requests_that_fail_have_rows_and_count_as_nothing_found(tmp_path: Path) -> None:
    errors = {
        "number 3": ValueError("bad request"),
        "number 5": IndexCorrupt("torn"),
        "number 7": TimeoutError(),
    }
    found = await run(tmp_path / "a", retriever=Faulty(errors), faults={})
    rows = read_rows(tmp_path / "a" / "rows.jsonl")
    assert (rows["q 3"].status, rows["q 3"].reason) == ("failed", "ValueError: bad request")
    assert (rows["q 5"].status, rows["q 5"].reason) == ("infrastructure", "torn")
    assert rows["q 7"].status == "timed_out"
    assert [found["requests"][s] for s in ("failed", "infrastructure", "timed_out")] == [1, 1, 1]
    await run(tmp_path / "b", faults={})
    whole = read_run(tmp_path / "b")
    for pipeline, values in found["measures"].items():
        recall = whole.measured(pipeline).values["R@5"]
        lost = sum(recall[name] for name in ("q 3", "q 5", "q 7"))
        assert values["R@5"] == pytest.approx((sum(recall.values()) - lost) / 24) != 0


@pytest.mark.slow
async def test_workers_change_nothing(tmp_path: Path, whole: Path) -> None:
    one, many = await run(tmp_path, workers=1), metrics(whole)
    assert one["digests"] == many["digests"]
    assert one["measures"] == many["measures"]


@pytest.mark.slow
async def test_no_more_requests_are_under_way_than_workers(tmp_path: Path) -> None:
    class Counting(WordRetriever):
        now = peak = 0

        async def retrieve(self, queries: Any, *, k: int) -> Retrieval:
            Counting.now += 1
            Counting.peak = max(Counting.peak, Counting.now)
            await asyncio.sleep(0.01)
            Counting.now -= 1
            return await super().retrieve(queries, k=k)

    await run(tmp_path, 8, retriever=Counting(small_dataset().catalog), workers=3, faults={})
    assert Counting.peak == 3


@pytest.mark.slow
async def test_a_finished_run_is_left_as_it_is(finished: Path) -> None:
    before = {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}
    idle = WordRetriever(small_dataset().catalog)
    await run(finished, retriever=idle)
    assert idle.asked == []
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
async def test_a_run_that_was_cut_short_does_only_what_is_missing(finished: Path) -> None:
    whole, rows = digest(finished), lines(finished / "rows.jsonl")
    trials = lines(finished / "trials.jsonl")
    (finished / "rows.jsonl").write_text("\n".join([*rows[:20], rows[20][:100]]))
    retriever = WordRetriever(small_dataset().catalog)
    await run(finished, retriever=retriever)
    assert len(retriever.asked) == 1 + 4
    assert digest(finished) == whole
    assert lines(finished / "rows.jsonl")[:20] == rows[:20]
    assert lines(finished / "trials.jsonl") == trials


@pytest.mark.slow
async def test_the_same_call_is_made_once(tmp_path: Path) -> None:
    """`list` takes no argument: of all requests that try it, one makes the call."""
    await run(tmp_path, faults={}, depth=10)
    tried = [
        trial.tool_id
        for row in read_rows(tmp_path / "rows.jsonl").values()
        for trial in row.trials
        if trial.executed.source == "executed" and not trial.plan.model_dump()["arguments"]
    ]
    assert len(tried) > len(set(tried))
    keys = [json.loads(line)["key"] for line in lines(tmp_path / "trials.jsonl")]
    assert len(keys) == len(set(keys)) < 24 * 6


@pytest.mark.slow
async def test_another_run_is_not_mixed_in(finished: Path) -> None:
    before = {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}
    others: list[tuple[dict[str, Any], str]] = [
        ({"depth": 5}, r"holds another run: other depth\."),
        ({"seed": 8}, r"holds another run: other faults digest, seed\."),
        ({"faults": {}}, r"holds another run: other faults, faults digest\."),
        ({"dataset": small_dataset(23)}, r"holds another run: other data digest\."),
        ({"shard": Shard(1, 2)}, r"holds another run: other shard\."),
        ({"limit": 9}, "holds 15 requests that are not asked for"),
    ]
    for options, said in others:
        with pytest.raises(InputError, match=said):
            await run(finished, **options)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
async def test_a_larger_limit_goes_on(tmp_path: Path, whole: Path) -> None:
    some = await run(tmp_path, limit=10)
    rows = lines(tmp_path / "rows.jsonl")
    assert (some["n"], len(rows)) == (10, 10)
    await run(tmp_path)
    assert lines(tmp_path / "rows.jsonl")[:10] == rows
    assert digest(tmp_path) == digest(whole)


@pytest.mark.slow
async def test_shards_merge_into_the_same_report(tmp_path: Path, whole: Path) -> None:
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        await run(part, shard=Shard(number, 3))
    merge_runs([parts[2], parts[0], parts[1]], tmp_path / "merged")
    once, merged = metrics(whole), metrics(tmp_path / "merged")
    for same in ("digests", "measures", "measures_all_gold", "n", "n_without_gold", "trials"):
        assert merged[same] == once[same]
    for trec in (whole / "runs").iterdir():
        assert (tmp_path / "merged" / "runs" / trec.name).read_bytes() == trec.read_bytes()
    await run(tmp_path / "merged", retriever=Faulty({"": ValueError("asked again")}))


@pytest.mark.slow
async def test_parts_that_make_no_run_are_refused(tmp_path: Path) -> None:
    one, two, other = tmp_path / "one", tmp_path / "two", tmp_path / "other"
    await run(one, shard=Shard(1, 2))
    await run(two, shard=Shard(2, 2))
    await run(other, shard=Shard(2, 2), depth=5)
    for parts, said in (
        ([one], r"have \d+ of 24 requests"),
        ([one, two, two], "stand in another shard, too"),
        ([one, other], "of another run than .*one: other depth"),
        ([one, tmp_path], "is not a finished run"),
    ):
        with pytest.raises(InputError, match=said):
            merge_runs(parts, tmp_path / "merged")
    with pytest.raises(InputError, match=r"holds another run: other shard\."):
        merge_runs([one, two], one)


async def test_an_empty_shard_is_refused(tmp_path: Path) -> None:
    shards = [Shard(number, 40) for number in range(1, 41)]
    data = small_dataset(2)
    kept = [shard for shard in shards if any(shard.holds(r.request_id) for r in data.requests)]
    assert 1 <= len(kept) <= 2
    empty = next(shard for shard in shards if shard not in kept)
    with pytest.raises(InputError, match=f"shard {empty}: holds no request"):
        await run(tmp_path, 2, shard=empty)


@pytest.mark.slow
async def test_a_service_that_is_gone_ends_the_run_and_rows_stay(
    tmp_path: Path, whole: Path
) -> None:
    gone = Faulty({"number 9": ServiceUnreachable("no answer from the model")})
    with pytest.raises(ServiceUnreachable, match="no answer"):
        await run(tmp_path, retriever=gone, workers=1)
    assert len(lines(tmp_path / "rows.jsonl")) == 9
    assert not (tmp_path / "metrics.json").exists()
    await run(tmp_path)
    assert digest(tmp_path) == digest(whole)


@pytest.mark.slow
async def test_a_budget_stops_the_run_and_a_larger_one_goes_on(
    tmp_path: Path, llm: LlmServer
) -> None:
    model = llm.model()

    def evaluation(tokens: int) -> Evaluation:
        return small_evaluation(
            4,
            pipelines=("retrieval", "llm-rerank"),
            model=model,
            faults={},
            budget=RunBudget(tokens=tokens),
            workers=1,
        )

    with pytest.raises(BudgetSpent, match="the same command with a larger one goes on"):
        await evaluation(200).run(tmp_path)
    assert len(lines(tmp_path / "rows.jsonl")) == 2
    await evaluation(10_000).run(tmp_path)
    found = metrics(tmp_path)
    assert found["cost"]["llm-rerank"]["llm_calls"] == 4
    assert found["cost"]["llm-rerank"]["money_usd"] is None
    assert len(llm.requests) == 4


def test_a_budget_counts_money_and_tokens_of_all_stages() -> None:
    usage = {"plan": Usage(llm_calls=1, prompt_tokens=60, completion_tokens=20, money_usd=0.5)}
    key = RowKey(config="c", catalog="k", seed=7)
    row = Row(request_id="q", key=key, status="answered", gold=(), functioning=(), usage=usage)
    assert [RunBudget(tokens=n).reached([row, row]) for n in (160, 161)] == [True, False]
    assert [RunBudget(money_usd=n).reached([row, row]) for n in (1.0, 1.01)] == [True, False]
    assert not RunBudget().reached([row])


@pytest.mark.slow
async def test_a_model_serves_all_pipelines_and_workers_change_nothing(
    tmp_path: Path, llm: LlmServer
) -> None:
    names = ("retrieval", "llm-rerank", "no-simulation", "full", "oracle")
    found = [
        await run(
            tmp_path / str(workers),
            4,
            pipelines=names,
            model=llm.model(),
            calibration=EVERY_STEP,
            workers=workers,
        )
        for workers in (1, 3)
    ]
    assert tuple(found[0]["measures"]) == names
    assert found[0]["cost"]["plan"]["llm_calls"] == 4 * 6
    assert found[0]["digests"] == found[1]["digests"]


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    with Journal(tmp_path / "rows.jsonl") as journal:
        journal.append("{}")
        with pytest.raises(InputError, match="another process writes it"):
            Journal(tmp_path / "rows.jsonl")
    with Journal(tmp_path / "rows.jsonl") as journal:
        assert [*journal.lines] == [b"{}"]


async def test_a_damaged_row_is_named(finished: Path) -> None:
    rows = lines(finished / "rows.jsonl")
    (finished / "rows.jsonl").write_text("\n".join([rows[0], rows[1][:50], *rows[2:], ""]))
    with pytest.raises(InputError, match=r"rows.jsonl:2: is not a row: .* Delete the line"):
        await run(finished)


@pytest.mark.slow
async def test_the_report_digest_covers_what_is_reported_and_no_times(whole: Path) -> None:
    rows = read_rows(whole / "rows.jsonl")
    name = next(name for name, row in rows.items() if row.trials)
    row = rows[name]
    trial = row.trials[0]

    def changed(**fields: Any) -> str:
        return report_digest({**rows, name: row.model_copy(update=fields)})

    slower = trial.executed.model_copy(update={"latency_ms": 12_345.0})
    ended = trial.executed.model_copy(update={"status": "unavailable"})
    same = report_digest(dict(reversed(rows.items())))
    assert report_digest(rows) == same == changed(usage={}, answerable=0.1)
    assert same == changed(trials=(trial.model_copy(update={"executed": slower}), *row.trials[1:]))
    others: list[dict[str, Any]] = [
        {"rankings": {**row.rankings, "full": row.rankings["full"][::-1]}},
        {"reasons": {}},
        {"trials": (trial.model_copy(update={"executed": ended}), *row.trials[1:])},
        {"status": "failed"},
    ]
    assert len({same, *(changed(**other) for other in others)}) == 5


def test_the_report_digest_knows_no_port() -> None:
    key = RowKey(config="c", catalog="d", seed=7)

    def of(address: str, **fields: Any) -> str:
        why = f"failed (protocol): {address} broke the HTTP protocol"
        row = Row(
            request_id="q",
            key=key,
            status="answered",
            gold=(),
            functioning=(),
            reasons={"full": (why,)},
            **fields,
        )
        return report_digest({"q": row})

    assert of("127.0.0.1:41833") == of("127.0.0.1:4183") != of("api.example.com:41833")
    assert of("127.0.0.1:1", reason="127.0.0.1:1 is gone") == of(
        "127.0.0.1:2", reason="127.0.0.1:3 is gone"
    )


@pytest.mark.slow
async def test_trec_files_have_the_ids_of_the_judgements(whole: Path) -> None:
    row: Row = read_rows(whole / "rows.jsonl")["q 2"]
    text = (whole / "runs" / "full.trec").read_text()
    found = [line.split(" ") for line in text.splitlines() if line.startswith("q%202 ")]
    assert [line[2] for line in found] == [
        f"doc%20{tool_id.replace('.', '%20')}" for tool_id in row.rankings["full"]
    ]
    assert [line[3] for line in found] == ["1", "2", "3", "4", "5", "6"]
    assert sorted((float(line[4]) for line in found), reverse=True) == [
        float(line[4]) for line in found
    ]


def ended(out: Path, size: int, *killed_at: int) -> int:
    """The exit code of a process that evaluates into `out`; see `small_runs.killed_at`."""
    path = os.pathsep.join(each for each in sys.path if each)
    command = [sys.executable, str(HERE / "small_runs.py"), str(out), str(size)]
    run = subprocess.run([*command, *map(str, killed_at)], env={**os.environ, "PYTHONPATH": path})
    return run.returncode


@pytest.mark.slow
async def test_kills_at_any_time_change_nothing(tmp_path: Path) -> None:
    """A run leaves nothing but its files, so it is killed between any two bytes that it writes."""
    chance, size = random.Random(7), 60
    for _ in range(2):
        before = len(lines(tmp_path / "killed" / "rows.jsonl"))
        assert ended(
            tmp_path / "killed", size, chance.randint(3, size // 2), chance.randrange(100)
        ) == (-signal.SIGKILL)
        assert before <= len(lines(tmp_path / "killed" / "rows.jsonl")) < size
    assert not (tmp_path / "killed" / "metrics.json").exists()
    assert ended(tmp_path / "killed", size) == 0
    await run(tmp_path / "whole", size)
    assert digest(tmp_path / "killed") == digest(tmp_path / "whole")
    keys = [json.loads(line)["key"] for line in lines(tmp_path / "killed" / "trials.jsonl")]
    assert len(keys) == len(set(keys))
    assert metrics(tmp_path / "killed")["settings"]["faults"] == FAULTS
