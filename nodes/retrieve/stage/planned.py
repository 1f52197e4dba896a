"""The best candidates in the order that counts what a call of each would take of the request.

A retriever reads what tools are about; a plan reads what they take. Who says a flight number means
a tool that has a place for one, and hardly one that still lacks two values. So the calls of the
best candidates are planned before it is settled which of them are tried, and nothing is sent; the
planner remembers these plans, and trials use them. Scores stay those of the retriever, because the
re-ranker weighs each plan itself, beside what came of the call.

A tool that came after the catalogue was pinned keeps its place (`flood.py`), and one that says
something else by now is not read. `training/planned.py` fits what each kind of evidence weighs.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias, get_args

import numpy as np

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import PlanResult
from gretel.nodes.fitted import fitted_weights
from gretel.nodes.plan_evidence import grounded, refusing, shares, taken_by
from gretel.nodes.retrieve.odds import Array, log_odds
from gretel.nodes.retrieve.semantic.fusion import is_named
from gretel.workers import off_loop

Shown: TypeAlias = Literal["refused", "share", "grounding"]
"""As `nodes/rerank/weight.py` has them, save that a refusal takes what its call would have had."""
SHOWN: tuple[Shown, ...] = get_args(Shown)
DEPTH = 50
"""Candidates whose calls are planned; with 30 fewer right tools were among the first ten."""
PLANNING_S = 5.0
"""Seconds of processor time behind the first call after which no other is planned; fifty usual ones
take a twentieth of a second. By the thread's own clock: a busy machine plans the same calls as an
idle one."""

Plan: TypeAlias = Callable[[Request, Tool], PlanResult]
Plans: TypeAlias = Mapping[ToolId, PlanResult]


class PlannedOrder:
    """Orders candidates by the retriever's odds and what their plans weigh."""

    depth = DEPTH

    def __init__(self, plan: Plan, catalog: Catalog) -> None:
        """Plan with `plan`, in a worker thread; `catalog` has the tools."""
        self._plan = plan
        self._catalog = catalog

    async def ordered(self, request: Request, found: Sequence[Candidate]) -> list[Candidate]:
        """See `CandidateOrder.ordered`."""
        own = [each for each in found[:DEPTH] if not each.parts.get("later")]
        weighed = await off_loop(self._weighed, request, own)
        odds = log_odds([each.score for each in own]) + weighed
        best = sorted(range(len(own)), key=lambda row: (-is_named(own[row]), -odds[row]))
        moved = iter([_with(own[row], float(weighed[row])) for row in best])
        places = [
            each if each.parts.get("later") else next(moved) for each in found[:DEPTH]
        ] + list(found[DEPTH:])
        return [each.model_copy(update={"rank": rank}) for rank, each in enumerate(places, 1)]

    def _weighed(self, request: Request, own: Sequence[Candidate]) -> Array:
        """What the plan of each weighs."""
        plans = self._plans(request, own)
        weights = np.array([planned_weights()[name] for name in SHOWN])
        shown = evidence(plans, [each.tool_id for each in own], self._catalog)
        return np.asarray(shown @ weights, dtype=np.float64)

    def _plans(self, request: Request, own: Sequence[Candidate]) -> Plans:
        plans, end = {}, float("inf")
        for tool_id, digest in ((each.tool_id, each.digest) for each in own):
            if time.thread_time() > end:
                break
            try:
                if digest in (None, self._catalog.digest_of(tool_id)):
                    plans[tool_id] = self._plan(request, self._catalog[tool_id])
                    # Behind the first: a process's first plan loads what planners read.
                    end = min(end, time.thread_time() + PLANNING_S)
            except Exception:  # it shows nothing; if the tool is tried, its trial says what broke
                continue
        return plans


def _with(candidate: Candidate, weighed: float) -> Candidate:
    return candidate.model_copy(update={"parts": {**candidate.parts, "planned": weighed}})


def evidence(plans: Plans, names: Sequence[ToolId], catalog: Catalog) -> Array:
    """What the plan of each of `names` shows, a column a name of `SHOWN`; without one, nothing."""
    consumed = {name: taken_by(plans[name]) if name in plans else {} for name in names}
    parts, own = shares(consumed), grounded(consumed, consumed.keys())
    rows = []
    for name in names:
        refused = refusing(plans[name], catalog[name]) if name in plans else 0.0
        rows.append([refused, parts[name], own[name]])
    return np.array(rows, dtype=np.float64).reshape(-1, len(SHOWN))


@cache
def planned_weights() -> Mapping[Shown, float]:
    """What each kind of evidence adds to the log-odds: the fitted weights of the package."""
    return fitted_weights("retrieve/stage/planned.json", SHOWN)
