"""What `metrics.json` says of given rows."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes import failed, refusal, succeeded, trial
from gretel.contracts.budget import Usage
from gretel.contracts.ranking import Abstention
from gretel.contracts.trial import Outcome
from gretel.evaluation.runs.metrics import metrics_of
from gretel.evaluation.runs.rows import Row, RowKey
from gretel.evaluation.runs.settings import Manifest, RunDigests, RunSettings, code_digest
from gretel.nodes.context import ABSTAIN_BELOW

KEY = RowKey(config="c", catalog="k", seed=7)
MANIFEST = Manifest(
    data="small",
    qrels="test",
    settings=RunSettings(pipelines=("retrieval", "full")),
    digests=RunDigests(data="d", catalog="k", faults="f", code="x"),
    total=3,
)
EMPTY = Outcome(status="empty", source="executed")


def row(name: str, **fields: Any) -> Row:
    rankings = {"retrieval": ("A.x", "A.gold"), "full": ("A.gold", "A.x")}
    given = {"status": "answered", "gold": ("A.gold",), "functioning": ("A.gold", "A.x")}
    return Row.model_validate(
        {"request_id": name, "key": KEY, "rankings": rankings, **given, **fields}
    )


def found(*rows: Row) -> dict[str, Any]:
    content = metrics_of(MANIFEST, {each.request_id: each for each in rows}, command="gretel x")
    read: dict[str, Any] = json.loads(json.dumps(content))
    return read


def test_measures_are_judged_on_what_functions() -> None:
    metrics = found(row("q1"), row("q2", functioning=("A.x",)))
    assert (metrics["n"], metrics["n_without_gold"]) == (2, 1)
    assert metrics["measures"]["retrieval"]["RR"] == 0.5
    assert metrics["measures"]["full"]["Pass@1"] == 1
    assert metrics["measures"]["full"]["Viable@1"] == 1
    assert metrics["measures_all_gold"]["full"]["Viable@1"] == 0.5
    assert "Pass@1" in metrics["measures_all_gold"]["full"]


def test_requests_without_a_ranking_count_as_nothing_found() -> None:
    metrics = found(row("q1"), row("q2", status="failed", reason="broke", rankings={}))
    assert metrics["measures"]["full"]["R@5"] == 0.5
    assert metrics["requests"] == {
        "answered": 1,
        "abstained": 0,
        "failed": 1,
        "timed_out": 0,
        "infrastructure": 0,
    }


def test_a_run_in_which_all_failed_still_has_its_numbers() -> None:
    metrics = found(row("q1", status="failed", rankings={}))
    assert metrics["measures"]["full"]["R@5"] == 0


def test_a_run_without_functioning_gold_has_no_measures() -> None:
    metrics = found(row("q1", functioning=()))
    assert metrics["measures"] == {"retrieval": {}, "full": {}}
    assert metrics["measures_all_gold"]["full"]["R@5"] == 1


def test_offers_and_abstentions_are_false_or_right() -> None:
    why = Abstention(reason="no_tool_fits", detail="far off")
    no_tool: dict[str, Any] = {"gold": (), "rankings": {}, "functioning": ()}
    metrics = found(
        row("q1", answerable=0.8),
        row("q2", abstention=why, answerable=0.1),
        row("q3", abstention=why, functioning=(), answerable=0.5),
        row("n1", abstention=why, answerable=0.05, **no_tool),
        row("n2", answerable=0.9, needs_tool=0.4, **no_tool),
        row("n3", status="failed", reason="broke", **no_tool),
    )
    assert metrics["abstention"] == {
        "served": 2,
        "false_abstentions": 1,
        "false_abstention_rate": 0.5,
        "no_tool": 3,
        "false_offers": 1,
        "false_offer_rate": pytest.approx(1 / 3),
        "before_trials": {
            "threshold": ABSTAIN_BELOW,
            "false_offers": 0.5,
            "false_abstentions": pytest.approx(1 / 3),
            "auroc": pytest.approx(5 / 6),  # of six pairs 0.1 loses to 0.4
            "served": 3,
            "others": 2,
        },
        "reasons": {"no_tool_fits": 3},
    }
    assert (metrics["n"], metrics["n_no_tool"], metrics["n_without_gold"]) == (3, 3, 1)
    assert metrics["measures"]["full"]["R@5"] == 1
    assert sum(metrics["requests"].values()) == 6


def test_a_run_without_no_tool_requests_says_nothing_of_offers() -> None:
    abstention = found(row("q1"))["abstention"]
    assert (abstention["no_tool"], abstention["false_offer_rate"]) == (0, None)
    assert abstention["before_trials"]["auroc"] is None


def test_other_peoples_counting_stands_apart() -> None:
    metrics = found(row("q1", repeated={"A.gold": 2}))
    assert metrics["compat"]["full"]["compat:colt:Completeness@5"] == 0
    assert metrics["measures"]["full"]["Completeness@5"] == 1
    assert not [name for name in metrics["measures"]["full"] if "compat" in name]


def test_trials_are_counted_by_how_they_ended_and_by_what_was_wrong() -> None:
    metrics = found(
        row(
            "q1",
            trials=(
                trial("A.gold"),
                trial("A.x", 2, executed=EMPTY),
                trial("A.y", 3, executed=failed("irrelevant")),
                trial("A.z", 4, executed=succeeded()),
                trial("A.w", 5, planned=refusal("A.w", "city"), executed=_refused()),
                trial("A.v", 6, executed=failed("timeout"), simulated=succeeded()),
            ),
            faults={"A.x": "empty", "A.z": "irrelevant", "A.v": "timeout"},
        )
    )
    assert metrics["trials"] == {
        "n": 6,
        "executed": {"succeeded": 2, "empty": 1, "failed": 2, "refused": 1},
        "refused": {"missing_required": 1},
        "simulated": 1,
        "failures": {"irrelevant": 1, "timeout": 1},
        "failure_classes": {"semantic_mismatch": 1, "execution_failure": 1},
    }
    assert metrics["recognition"] == {
        "empty": {"called": 1, "not_succeeded": 1, "semantic_mismatch": 1},
        "irrelevant": {"called": 1, "not_succeeded": 0, "semantic_mismatch": 0},
        "ok": {"called": 2, "not_succeeded": 1, "semantic_mismatch": 1},
        "timeout": {"called": 1, "not_succeeded": 1, "semantic_mismatch": 0},
    }


def _refused() -> Outcome:
    return Outcome(status="refused", source="none")


def test_cost_is_summed_by_stage_and_unknown_money_is_not_zero() -> None:
    rows = [
        row(
            f"q{number}",
            usage={
                "plan": Usage(llm_calls=2, prompt_tokens=10, money_usd=price, ms=number),
                "execute": Usage(tool_calls=number, ms=5),
            },
        )
        for number, price in ((1, 0.5), (2, None), (3, 0.25))
    ]
    cost = found(*rows)["cost"]
    assert cost["execute"]["tool_calls"] == 6
    assert (cost["plan"]["llm_calls"], cost["plan"]["prompt_tokens"]) == (6, 30)
    assert cost["plan"]["money_usd"] is None
    assert (cost["plan"]["ms_p50"], cost["plan"]["ms_p95"]) == (2, 3)
    assert found(rows[0], rows[2])["cost"]["plan"]["money_usd"] == 0.75
    assert cost["execute"]["money_usd"] == 0


def test_numbers_carry_what_they_were_made_with() -> None:
    metrics = found(row("q1"))
    assert metrics["command"] == "gretel x"
    assert metrics["digests"].keys() == {
        *("data", "no_tool", "catalog", "faults", "values", "code", "config", "report")
    }
    assert metrics["settings"]["seed"] == 7
    assert metrics["environment"]["gretel"]


def test_the_code_digest_covers_what_decides_a_row_and_no_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.as_posix()) or b"")
    code_digest.__wrapped__()
    for room in ("text", "datasets", "nodes/rerank", "sandbox/http", "evaluation/mock"):
        assert any(f"/{room}/" in path for path in read), room
    assert not [path for path in read if "/evaluation/report/" in path]
