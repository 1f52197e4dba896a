"""What a model says in each step of one judged request, beside what the rules say."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from gretel.catalog import Catalog
from gretel.contracts.budget import Usage
from gretel.contracts.calibration import ModelStep
from gretel.contracts.errors import ModelReplyError, ServiceBusy
from gretel.contracts.record import Record, Sentence
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Outcome, PlanResult, Trial
from gretel.datasets.judged import JudgedRequest
from gretel.datasets.masking import masked
from gretel.evaluation.runs.pipelines import TRIAL_S, Pipelines
from gretel.evaluation.runs.planning import right_calls
from gretel.evaluation.runs.rows import Row
from gretel.evaluation.runs.settings import RunSettings
from gretel.graph.parts import Parts
from gretel.llm.ledger import collect_usage
from gretel.llm.model import StructuredModel
from gretel.nodes.fallback import UNUSABLE
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator
from gretel.text.foreign import SENTENCE, foreign


class Planned(Record):
    """One right tool: the rules' plan, and the model's; None where it gave nothing usable."""

    tool_id: ToolId
    masked: str | None = None
    """The parameter whose value was taken out of the request."""
    rules: PlanResult
    said: PlanResult | None = None


class Asked(Record):
    """One step of one request."""

    key: str
    """Digest of what it is valid for."""
    step: ModelStep
    request_id: str
    ranking: tuple[ToolId, ...] | None = None
    """Candidates for the rewritten queries; the order of the model, or that of the evidence over
    what the model simulated. None: it gave nothing usable."""
    planned: tuple[Planned, ...] = ()
    usage: Usage = Usage()
    notes: tuple[Sentence, ...] = ()
    """Why replies were of no use."""


Judged: TypeAlias = tuple[JudgedRequest, Row]
"""A request, and its row of a run without a model."""


class Steps(NamedTuple):
    """Asks the model in each step, as the graph would."""

    parts: Parts
    """Those without a model."""
    settings: RunSettings
    model: StructuredModel
    key: str

    async def asked(self, step: ModelStep, judged: Judged) -> Asked:
        """What came of one step; a reply that is of no use is a note.

        Raises:
            ServiceUnreachable, ConfigurationError: every step would meet it.
        """
        ways: dict[ModelStep, Callable[[Judged], Awaitable[Asked]]] = {
            "rewrite": self._rewritten,
            "plan": self._planned,
            "simulate": self._simulated,
            "rerank": self._reranked,
        }
        start = time.perf_counter()
        with collect_usage() as ledger:
            try:
                async with asyncio.timeout(TRIAL_S):
                    found = await ways[step](judged)
            except UNUSABLE as error:
                found = self._asked(step, judged, notes=(_words(error),))
        ms = (time.perf_counter() - start) * 1000
        usage = ledger.usage.model_copy(update={"ms": ms})
        return found.model_copy(update={"usage": usage})

    def _asked(self, step: ModelStep, judged: Judged, **said: object) -> Asked:
        given = {"key": self.key, "step": step, "request_id": judged[0].request_id}
        return Asked.model_validate({**given, **said})

    async def _rewritten(self, judged: Judged) -> Asked:
        """The candidates of the product's own stage; nothing is tried."""
        parts = replace(self.parts, rewriter=LlmRewriter(self.model))
        settings = self.settings.model_copy(update={"pipelines": ("retrieval",)})
        found = await Pipelines(parts, settings).judge(judged[0], frozenset())
        fell = tuple(note for note in found.notes if note.startswith("rewrite"))
        ranking = None if fell else found.rankings["retrieval"]
        return self._asked("rewrite", judged, ranking=ranking, notes=fell)

    async def _planned(self, judged: Judged) -> Asked:
        planned, notes = list[Planned](), list[str]()
        async for each, note in self._plans(judged[0]):
            planned.append(each)
            notes += [note] if note else []
        return self._asked("plan", judged, planned=planned, notes=notes)

    async def _plans(self, asked: JudgedRequest) -> AsyncIterator[tuple[Planned, str]]:
        """Plans of the right tools, each followed by its masked twin; and what went wrong."""
        request = asked.to_request(today=self.settings.today)
        model, rules = LlmPlanner(self.model), self.parts.deterministic.planner
        for tool, calls in right_calls(asked, self.parts.catalog):
            hidden = masked(request, tool, calls)
            variants = [(request, None)] + ([(hidden.request, hidden.parameter)] if hidden else [])
            for said_request, lacking in variants:
                plain = await rules.plan(said_request, tool)
                said, note = None, ""
                try:
                    said = await model.plan(said_request, tool)
                except (ModelReplyError, ServiceBusy) as error:
                    note = _words(error)
                yield Planned(tool_id=tool.tool_id, masked=lacking, rules=plain, said=said), note

    async def _simulated(self, judged: Judged) -> Asked:
        """The evidence order, over what the model made up where the rules made something up."""
        asked, row = judged
        simulator = LlmSimulator(self.model, self.parts.catalog)
        trials, notes = list[Trial](), list[str]()
        for trial in row.trials:
            failure = trial.executed.failure
            if trial.simulated and failure and isinstance(trial.plan, CallPlan):
                try:
                    made: Outcome = await simulator.simulate(
                        trial.plan, failure, seed=self.settings.seed
                    )
                    trial = trial.model_copy(update={"simulated": made})
                except (ModelReplyError, ServiceBusy) as error:
                    notes.append(_words(error))
            trials.append(trial)
        request = asked.to_request(today=self.settings.today)
        order = await EvidenceReranker(self.parts.catalog).rerank(request, trials)
        ids = [place.tool_id for place in order.tools]
        return self._asked("simulate", judged, ranking=ids, notes=notes)

    async def _reranked(self, judged: Judged) -> Asked:
        """The model's own order; how far it may leave that of the evidence is weighed later."""
        asked, row = judged
        base = EvidenceReranker(self.parts.catalog)
        request = asked.to_request(today=self.settings.today)
        order = await base.rerank(request, row.trials)
        model = LlmReranker(self.model, self.parts.catalog, base)
        verdict = await model.asked(request, row.trials, order)
        return self._asked("rerank", judged, ranking=verdict.order)


def steps_of(judged: Judged, catalog: Catalog) -> Sequence[ModelStep]:
    """The steps in which there is something to ask for a request."""
    asked, row = judged
    simulated = any(trial.simulated for trial in row.trials)
    there: dict[ModelStep, bool] = {
        "rewrite": True,
        "plan": bool(right_calls(asked, catalog)),
        "simulate": simulated,
        "rerank": len(row.trials) > 1,
    }
    return [step for step, something in there.items() if something]


def _words(error: Exception) -> str:
    return foreign(f"{type(error).__name__}: {error}", SENTENCE)
