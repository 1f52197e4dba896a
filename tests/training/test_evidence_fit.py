"""Weights of soft evidence, learnt from finished runs."""

import json
from pathlib import Path

import numpy as np
import pytest

from fakes import plan, refusal, succeeded, trial
from gretel.contracts.errors import InputError
from gretel.contracts.trial import Trial
from gretel.nodes.rerank.weight import SOFT
from gretel.training import evidence
from gretel.training.evidence import described, fit, loss, read_runs

REFUSED = SOFT.index("refused")


def tried(tool_id: str, rank: int, *, refused: bool) -> Trial:
    """Two tools that retrieval cannot tell apart."""
    planned = refusal(tool_id, "code") if refused else plan(tool_id)
    return trial(tool_id, rank, planned=planned, executed=succeeded()).model_copy(
        update={"retrieval_score": 0.5}
    )


def run(folder: Path, rows: list[dict[str, object]], *, half: str | None = "dev") -> Path:
    folder.mkdir(parents=True)
    settings = {"seed": 30, "faults": {}}
    about = {"data": "callnavi", "qrels": "test", "half": half, "settings": settings}
    (folder / "run.json").write_text(json.dumps(about))
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def row(*trials: Trial, gold: list[str], functioning: list[str]) -> dict[str, object]:
    return {
        "text": "What is new?",
        "trials": [each.model_dump(mode="json") for each in trials],
        "gold": gold,
        "functioning": functioning,
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "callnavi"
    folder.mkdir(parents=True)
    tools = [
        {"_id": f"{name}.get", "title": name, "text": f"About {name}.", "metadata": {}}
        for name in ("A", "B", "C")
    ]
    (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(tool)}\n" for tool in tools))
    return folder.parent


def ids(data: Path) -> list[str]:
    from gretel.catalog import Catalog

    return [tool.tool_id for tool in Catalog.from_jsonl(data / "callnavi" / "corpus.jsonl")]


def refused_when_wrong(data: Path) -> list[dict[str, object]]:
    """Five requests whose wrong tool was refused, and whose right one was not."""
    a, b, _ = ids(data)
    trials = tried(a, 1, refused=True), tried(b, 2, refused=False)
    return [row(*trials, gold=[b], functioning=[a, b])] * 5


def test_refusals_that_hit_wrong_tools_weigh_against_a_tool(data: Path, tmp_path: Path) -> None:
    collections = read_runs(data, [run(tmp_path / "run", refused_when_wrong(data))])
    weights = fit(collections)
    requests = collections["callnavi"]

    assert len(requests) == 5
    assert weights[REFUSED] < -1
    assert loss(requests, weights) < loss(requests, np.zeros(len(SOFT)))


def test_refusals_that_hit_right_tools_weigh_nothing(data: Path, tmp_path: Path) -> None:
    a, b, _ = ids(data)
    rows = [
        row(tried(a, 1, refused=True), tried(b, 2, refused=False), gold=[a], functioning=[a, b])
    ]
    weights = fit(read_runs(data, [run(tmp_path / "run", rows)]))

    assert weights[REFUSED] == 0


def test_a_broken_right_tool_is_a_wrong_one(data: Path, tmp_path: Path) -> None:
    a, b, c = ids(data)
    tools = [tried(each, rank, refused=False) for rank, each in enumerate((a, b, c), 1)]
    rows = [
        row(*tools, gold=[a, b], functioning=[b, c]),
        row(*tools, gold=[a], functioning=[b, c]),
    ]
    (requests,) = read_runs(data, [run(tmp_path / "run", rows)]).values()

    assert [one.right.tolist() for one in requests] == [[False, True, False]]


def test_the_half_for_reports_is_refused(data: Path, tmp_path: Path) -> None:
    folder = run(tmp_path / "run", [], half="report")
    with pytest.raises(InputError, match="--half dev"):
        read_runs(data, [folder])


def test_a_run_may_bring_its_own_tools(data: Path, tmp_path: Path) -> None:
    """As the trials of real services do, which are no data set."""
    a, b, _ = ids(data)
    folder = run(
        tmp_path / "run",
        [row(tried(a, 1, refused=True), tried(b, 2, refused=False), gold=[b], functioning=[b])],
    )
    (data / "callnavi" / "corpus.jsonl").rename(folder / "corpus.jsonl")

    assert len(read_runs(data, [folder])["callnavi, test"]) == 1


def test_a_run_is_named_by_what_it_holds(tmp_path: Path) -> None:
    one, other = run(tmp_path / "one", []), run(tmp_path / "other", [{"trials": []}])
    assert described(one)["rows"] != described(other)["rows"]
    assert described(one)["data"] == "callnavi" and described(one)["seed"] == 30


def test_the_script_writes_the_shipped_fields_the_same_for_the_same_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a small run: the runs of the shipped file are not kept, only their digests."""
    folder = run(tmp_path / "run", refused_when_wrong(data))
    written = []
    for name in ("one.json", "other.json"):
        words = ("--data", data, "--runs", folder, "--out", tmp_path / name)
        monkeypatch.setattr("sys.argv", ["evidence", *map(str, words)])
        evidence.main()
        written.append(json.loads((tmp_path / name).read_text()))

    shipped = json.loads(evidence.FILE.read_text("utf-8"))
    assert written[0] == written[1]
    assert written[0].keys() == shipped.keys() - SOFT
    assert list(written[0]["weights"]) == list(shipped["weights"])
    assert all(one["half"] == "dev" for one in shipped["runs"] if one["data"] in evidence.HALVED)
    assert not any(one["half"] == "report" for one in shipped["runs"])


def test_one_kind_is_fitted_and_the_others_stay_as_they_are_shipped(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = run(tmp_path / "run", refused_when_wrong(data)), tmp_path / "one.json"
    words = ("--data", data, "--runs", folder, "--out", out, "--only", "refused")
    monkeypatch.setattr("sys.argv", ["evidence", *map(str, words)])
    evidence.main()

    written, shipped = (json.loads(each.read_text("utf-8")) for each in (out, evidence.FILE))
    refused = written["weights"].pop("refused")
    assert refused < shipped["weights"].pop("refused")
    assert written["weights"] == shipped["weights"]
    assert written["runs"] == shipped["runs"]
    assert written["refused"]["runs"] == [described(folder)]
