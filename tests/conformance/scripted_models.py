"""A model of its own for one test, behind a scripted server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gretel.contracts.protocols import Planner, Simulator
from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Failure, Outcome, PlanResult
from gretel.llm.model import StructuredModel
from gretel.nodes.fallback import with_fallback
from llm_server import LlmServer, Script


@asynccontextmanager
async def scripted_model(**scripts: Script) -> AsyncIterator[StructuredModel]:
    """A model that answers each step by its script, else as any catalogue can be answered."""
    with LlmServer() as server:
        for step, script in scripts.items():
            server.script(step, script)
        model = server.model()
        try:
            yield model
        finally:
            await model.aclose()


class BackedPlanner:
    """A planner with its twin, as the graph's node asks them."""

    def __init__(self, first: Planner, twin: Planner) -> None:
        self._first, self._twin = first, twin

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """What either gives."""
        result, _ = await with_fallback(
            lambda: self._first.plan(request, tool),
            lambda: self._twin.plan(request, tool),
            step="step",
            instead="done by rule",
        )
        return result


class BackedSimulator:
    """A simulator with its twin, as the graph's node asks them."""

    def __init__(self, first: Simulator, twin: Simulator) -> None:
        self._first, self._twin = first, twin

    async def simulate(self, plan: CallPlan, failure: Failure, *, seed: int) -> Outcome:
        """What either gives."""
        outcome, _ = await with_fallback(
            lambda: self._first.simulate(plan, failure, seed=seed),
            lambda: self._twin.simulate(plan, failure, seed=seed),
            step="step",
            instead="done by rule",
        )
        return outcome
