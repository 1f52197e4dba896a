"""Made-up finished runs for the tests of the report."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gretel.contracts.budget import Usage
from gretel.contracts.trial import (
    FAILURE_CLASS,
    Argument,
    CallPlan,
    Failure,
    FailureKind,
    Outcome,
    Refusal,
    Trial,
)
from gretel.evaluation.runs.folder import ROWS, write_metrics
from gretel.evaluation.runs.metrics import metrics_of
from gretel.evaluation.runs.rows import Row, RowKey
from gretel.evaluation.runs.settings import (
    Manifest,
    RunDigests,
    RunSettings,
    write_manifest,
)
from gretel.files import make_folder

KEY = RowKey(config="c", catalog="k", seed=7)
PIPELINES = ("retrieval", "full", "oracle")


def trial(tool_id: str, rank: int, failure: FailureKind | None = None, **more: Any) -> Trial:
    """An executed trial that succeeded, or met `failure`."""
    made = failure and Failure(kind=failure, detail=f"{failure} it was", fault="tool")
    if failure and FAILURE_CLASS[failure] == "policy":
        outcome = Outcome(status="unavailable", source="none", failure=made)
    else:
        outcome = Outcome(
            status="failed" if failure else "succeeded",
            source="executed",
            failure=made or None,
            http_status=200,
            latency_ms=30,
            excerpt=more.pop("excerpt", f"answer of {tool_id}"),
        )
    plan = CallPlan(tool_id=tool_id, arguments={"city": Argument(value="Oslo", source="request")})
    return _trial(tool_id, rank, plan, outcome, **more)


def refusal(tool_id: str, rank: int, reason: Any = "missing_required") -> Trial:
    """A trial without a plan."""
    plan = Refusal(tool_id=tool_id, reason=reason, detail="city is not said")
    return _trial(tool_id, rank, plan, Outcome(status="refused", source="none"))


def _trial(tool_id: str, rank: int, plan: Any, executed: Outcome, **more: Any) -> Trial:
    return Trial(
        tool_id=tool_id,
        round=1,
        rank_before=rank,
        retrieval_score=0.5,
        plan=plan,
        executed=executed,
        **more,
    )


def row(request_id: str, gold: Iterable[str] = ("a",), base: str = "abcdef", **more: Any) -> Row:
    """A request whose candidates are the letters of `base`; `full` leaves them as they came."""
    given = {
        "status": "answered",
        "functioning": tuple({*base, *gold}),
        "rankings": {name: tuple(base) for name in PIPELINES},
        "usage": {"execute": Usage(tool_calls=1, ms=3)},
        **more,
    }
    return Row(request_id=request_id, key=KEY, gold=tuple(gold), **given)


def reranked(request_id: str, base: str, after: str, gold: str = "a", **more: Any) -> Row:
    """A request that `full` and `oracle` rank as `after`."""
    rankings = {"retrieval": tuple(base), "full": tuple(after), "oracle": tuple(after)}
    return row(request_id, gold, base, rankings=rankings, **more)


def write_run(
    folder: Path,
    rows: Iterable[Row],
    *,
    command: str | None = "gretel evaluate --out RUN",
    pipelines: Any = PIPELINES,
    depth: int = 6,
    seed: int = 7,
    faults: Any = None,
    world: Any = "kind",
    values: str | None = None,
    **manifest: Any,
) -> Path:
    """A finished run in `folder`."""
    found = {each.request_id: each for each in rows}
    made = Manifest(
        data=manifest.pop("data", "made-up"),
        qrels="test",
        settings=RunSettings(
            pipelines=pipelines,
            depth=depth,
            seed=seed,
            world=world,
            faults={"dead": 10.0} if faults is None else faults,
        ),
        digests=RunDigests(
            data=manifest.pop("digest", "d1"), catalog="c2", faults="f", values=values, code="e"
        ),
        total=len(found),
        **manifest,
    )
    make_folder(folder)
    write_manifest(folder, made)
    (folder / ROWS).write_text("".join(f"{each.line()}\n" for each in found.values()))
    write_metrics(folder, metrics_of(made, found, command=command))
    return folder
