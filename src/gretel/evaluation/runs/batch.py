"""A batch: many requests at once in one event loop, each of which becomes a row."""

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from gretel.contracts.errors import (
    BudgetSpent,
    ConfigurationError,
    MachineError,
    ServiceUnreachable,
)
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import FAILURE_CLASS, CallPlan, Trial
from gretel.datasets.judged import JudgedRequest
from gretel.evaluation.mock.environment import Environment
from gretel.evaluation.mock.environment_executor import on_behalf_of
from gretel.evaluation.mock.faults import FaultKind, functioning
from gretel.evaluation.runs.budget import RunBudget
from gretel.evaluation.runs.pipelines import Judgement, Pipelines
from gretel.evaluation.runs.rows import Progress, Row, RowLog, RowStatus
from gretel.evaluation.runs.settings import RunSettings
from gretel.evaluation.runs.trial_store import StoredExecutor, TrialStore
from gretel.graph.parts import Parts
from gretel.llm.model import StructuredModel
from gretel.text.foreign import SENTENCE, foreign

REQUEST_S = 1_800.0
"""Seconds after which a request is given up as `timed_out`."""


@dataclass(frozen=True)
class Batch:
    """Everything that the requests of a run share."""

    parts: Parts
    """The executor in it is not used: trials go to the environment."""
    settings: RunSettings
    environment: Environment
    store: TrialStore
    log: RowLog
    model: StructuredModel | None = None
    budget: RunBudget = RunBudget()

    async def run(
        self, requests: Collection[JudgedRequest], *, workers: int, progress: Progress
    ) -> None:
        """Give each request its row, `workers` of them at a time.

        Raises:
            ServiceUnreachable, ConfigurationError: a named model or the retriever cannot be used.
                The rows that are done stay.
            BudgetSpent: nothing of `budget` is left; what was under way has its row.
        """
        # Built before the clock of any request runs, and before anything fails because of it.
        await self.parts.prepare()
        await self.parts.retriever.retrieve([RetrievalQuery(text="ready?")], k=1)
        progress(len(self.log.rows))
        pending = iter(requests)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(workers, len(requests))):
                    group.create_task(self._work(pending, progress))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        if next(pending, None) is not None:
            raise BudgetSpent(
                "the budget of this run is spent; the same command with a larger one goes on"
            )

    async def _work(self, pending: Iterator[JudgedRequest], progress: Progress) -> None:
        """One worker. Its own connections keep it from waiting for the calls of others."""
        calls = self.environment.executor()
        executor = StoredExecutor(self.store, calls)
        pipelines = Pipelines(
            replace(self.parts, executor=executor), self.settings, model=self.model
        )
        try:
            while not self.budget.reached(self.log.rows.values()):
                request = next(pending, None)
                if request is None:
                    return
                with on_behalf_of(request.request_id):
                    self.log.append(await self._row(pipelines, request))
                progress(len(self.log.rows))
        finally:
            await calls.aclose()

    async def _row(self, pipelines: Pipelines, request: JudgedRequest) -> Row:
        """The request's row, whatever becomes of it but for what would befall every request."""
        try:
            async with asyncio.timeout(REQUEST_S):
                judgement = await pipelines.judge(request, frozenset(self.environment.faults))
        except (ServiceUnreachable, ConfigurationError):
            raise
        except TimeoutError:
            return self._row_of(request, "timed_out", f"no ranking within {REQUEST_S:g} s")
        except MachineError as error:
            return self._row_of(request, "infrastructure", str(error))
        except Exception as error:  # one broken request must not end the others
            return self._row_of(
                request, "failed", foreign(f"{type(error).__name__}: {error}", SENTENCE)
            )
        return self._done(request, judgement)

    def _done(self, request: JudgedRequest, judgement: Judgement) -> Row:
        tools = request.gold.union(*judgement.rankings.values())
        return self._row_of(request, _status(judgement)).model_copy(
            update={
                **judgement._asdict(),
                "functioning": tuple(sorted(functioning(tools, self.environment.faults))),
                "faults": self._met(request, judgement.trials),
                "unknown": self._unknown(request, judgement.trials),
            }
        )

    def _row_of(self, request: JudgedRequest, status: RowStatus, reason: str = "") -> Row:
        return Row(
            request_id=request.request_id,
            text=request.text,
            key=self.log.key,
            status=status,
            reason=reason,
            gold=tuple(sorted(request.gold)),
            repeated=dict(request.repeated),
            functioning=tuple(sorted(functioning(request.gold, self.environment.faults))),
        )

    def _met(self, request: JudgedRequest, trials: Collection[Trial]) -> dict[ToolId, FaultKind]:
        """The faults that the trials came upon, or would have."""
        faults = self.environment.faults
        at = {t.tool_id: faults.at(t.tool_id, request.request_id) for t in trials}
        return {tool_id: fault for tool_id, fault in at.items() if fault}

    def _unknown(self, request: JudgedRequest, trials: Collection[Trial]) -> tuple[ToolId, ...]:
        """The tools that work and did not know what the trials sent."""
        environment, asked = self.environment, request.request_id
        return tuple(
            trial.tool_id
            for trial in trials
            if isinstance(trial.plan, CallPlan)
            if trial.executed.source == "executed"
            if environment.faults.at(trial.tool_id, asked) is None
            if not environment.knows(trial.plan, asked)
        )


def _status(judgement: Judgement) -> RowStatus:
    failures = (trial.executed.failure for trial in judgement.trials)
    if any(failure and FAILURE_CLASS[failure.kind] == "machine" for failure in failures):
        return "infrastructure"
    return "abstained" if judgement.abstention else "answered"
