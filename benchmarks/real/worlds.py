"""What the same trials would do in worlds that are less kind, on parts that are developed on.

    python benchmarks/real/measure.py --part develop --out FILE --run RUN     # keeps the trials
    python benchmarks/real/worlds.py RUN…

The services that we develop on hold data, and most may be tried; those of others need not. So the
trials of each request are changed for the service that serves it, and all is ranked again:

- `as tried`: nothing is changed;
- `kept back`: no tool of the service was called, as where its host is not allowed, or it is an MCP
  server;
- `holds nothing`: an answer to a call that somebody's value narrows is empty, any other that there
  are none, as on the first day;
- `says nothing`: every answer is empty;
- `half broken`: the answers of every other tool are, by a hash of its id. Those tools do not work,
  and still count as right here: it says what a fault costs.

Answerable requests of services that were tried, save in the first row; before → after trials, and
in brackets after them with nothing credited (`nodes/rerank/unshown.py`).
"""

import argparse
import asyncio
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from gretel.catalog import Catalog
from gretel.catalog.ownership import owner_of
from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Failure, Outcome, Trial
from gretel.nodes.rerank import evidence
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.unshown import Unshown

Change = Callable[[Trial, Tool], Outcome]
"""What comes of a call that was planned."""
EMPTY = Failure(kind="empty", detail="The answer holds no data.", fault="tool")
UNKNOWN = EMPTY.model_copy(update={"fault": "request"})
KEPT_BACK = Failure(kind="unsafe_method", detail="Not tried.", fault="ours")


class Asked(NamedTuple):
    """An answerable request with its trials."""

    service: str
    text: str
    trials: Sequence[Trial]
    right: frozenset[str]
    catalog: Catalog

    @property
    def before(self) -> int | None:
        """Place of the best right tool before trials."""
        return min((t.rank_before for t in self.trials if t.tool_id in self.right), default=None)


def as_tried(trial: Trial, tool: Tool) -> Outcome:
    """Nothing is changed."""
    return trial.executed


def kept_back(trial: Trial, tool: Tool) -> Outcome:
    """It was not called."""
    if trial.executed.status == "unavailable":
        return trial.executed
    return Outcome(status="unavailable", source="none", failure=KEPT_BACK)


def holds_nothing(trial: Trial, tool: Tool) -> Outcome:
    """The service knows no value, and its lists are empty."""
    if trial.executed.status != "succeeded":
        return trial.executed
    named = isinstance(trial.plan, CallPlan) and trial.plan.named(tool)
    none = {"status": "empty", "failure": UNKNOWN} if named else {"says_none": True}
    return trial.executed.model_copy(update={**none, "oddness": 0.0})


def says_nothing(trial: Trial, tool: Tool) -> Outcome:
    """Its answers are empty."""
    if trial.executed.status != "succeeded":
        return trial.executed
    return trial.executed.model_copy(update={"status": "empty", "failure": EMPTY, "oddness": 0.0})


def half_broken(trial: Trial, tool: Tool) -> Outcome:
    """Those of every other tool are."""
    odd = hashlib.sha256(trial.tool_id.encode()).digest()[-1] % 2
    return says_nothing(trial, tool) if odd else trial.executed


WORLDS: tuple[Change, ...] = (as_tried, kept_back, holds_nothing, says_nothing, half_broken)


def kept(run: Path) -> Iterator[Asked]:
    """The answerable requests of a run of `measure.py`."""
    catalog = Catalog.from_jsonl(run / "corpus.jsonl")
    with (run / "rows.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["kind"] == "answerable":
                trials = [Trial.model_validate(each) for each in row["trials"]]
                yield Asked(row["service"], row["text"], trials, frozenset(row["gold"]), catalog)


def changed(asked: Asked, change: Change) -> Asked:
    """The request where its service is as `change` says."""
    owners = {owner_of(asked.catalog[each]) for each in asked.right}

    def there(trial: Trial) -> Trial:
        tool = asked.catalog[trial.tool_id]
        if owner_of(tool) not in owners or not isinstance(trial.plan, CallPlan):
            return trial
        executed = change(trial, tool)
        same = executed is trial.executed
        return trial if same else trial.model_copy(update={"executed": executed, "simulated": None})

    return asked._replace(trials=[there(trial) for trial in asked.trials])


def after(asked: Asked) -> int | None:
    """Place of the best right tool when all is ranked again; None where none was tried."""
    request = Request(text=asked.text, today="2026-01-01")
    ranking = asyncio.run(EvidenceReranker(asked.catalog).rerank(request, asked.trials))
    return min((each.rank for each in ranking.tools if each.tool_id in asked.right), default=None)


def uncredited(asked: Asked) -> int | None:
    """The same where what could not be shown counts as not being there."""

    def nothing(trials: Sequence[Trial], *_: object) -> dict[str, Unshown]:
        return {trial.tool_id: Unshown() for trial in trials}

    with patch.object(evidence, "unshown", nothing):
        return after(asked)


def line(name: str, requests: Sequence[Asked]) -> str:
    """One row: first, in three, MRR, and how many services lost by their trials."""
    places = [[each.before for each in requests], *(map(f, requests) for f in (after, uncredited))]
    before, now, bare = (list(each) for each in places)
    within = [
        f"{_within(before, depth)} → {_within(now, depth)} ({_within(bare, depth)})"
        for depth in (1, 3)
    ]
    mrr = f"{_mrr(before):.3f} → {_mrr(now):.3f} ({_mrr(bare):.3f})"
    cells = (*within, mrr, f"{_worse(requests, now)} ({_worse(requests, bare)})")
    return f"{name:16}{len(requests):5}" + "".join(f"{cell:>24}" for cell in cells)


def _within(places: Sequence[int | None], depth: int) -> int:
    return sum(place is not None and place <= depth for place in places)


def _mrr(places: Sequence[int | None]) -> float:
    return sum(1 / place for place in places if place) / max(1, len(places))


def _worse(requests: Sequence[Asked], places: Sequence[int | None]) -> int:
    """Services whose right tools stand further behind than before, by MRR."""
    found = 0
    for service in {each.service for each in requests}:
        own = [n for n, each in enumerate(requests) if each.service == service]
        before, now = _mrr([requests[n].before for n in own]), _mrr([places[n] for n in own])
        found += now < before - 1e-9
    return found


def main() -> None:
    """Rank the trials of the runs that the command line names in every world."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+", help="folders of `measure.py --run`")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    requests = [each for run in options.runs for each in kept(run)]
    heads = ("first", "in three", "MRR", "services that lost")
    print(f"{'':16}{'n':>5}" + "".join(f"{head:>24}" for head in heads))
    tried = {
        each.service
        for each in requests
        if any(t.tool_id in each.right and t.executed.source == "executed" for t in each.trials)
    }
    for world in WORLDS:
        some = [r for r in requests if world is as_tried or r.service in tried]
        print(line(world.__name__.replace("_", " "), [changed(each, world) for each in some]))


if __name__ == "__main__":
    main()
