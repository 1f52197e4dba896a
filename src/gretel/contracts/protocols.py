"""What each exchangeable part promises; every promise is a test in `tests/conformance`."""

from collections.abc import Sequence
from typing import Protocol

from gretel.contracts.agent import Ending, Progress
from gretel.contracts.budget import Budget
from gretel.contracts.ranking import Candidate, Ranking, Request, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, CallResult, Failure, Outcome, PlanResult, Trial


class Retriever(Protocol):
    """Finds candidates for queries."""

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """At most `k` candidates per query: unique, in the catalogue, score descending in [0, 1],
        ties by tool_id, ranks from 1. An empty catalogue gives empty tuples.
        """
        ...

    async def add(self, tools: Sequence[Tool]) -> None:
        """Make `tools` retrievable; a known tool_id is replaced. Only changed texts are encoded."""
        ...

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """Remove these tools; unknown ids are ignored."""
        ...


class NeedJudge(Protocol):
    """Judges whether a request needs a tool, and whether one of the catalogue fits."""

    async def judge(self, queries: Sequence[RetrievalQuery], retrieval: Retrieval) -> Retrieval:
        """`retrieval` with `needs_tool` and `answerable`; what the retriever says is kept."""
        ...


class CandidateOrder(Protocol):
    """Decides which candidates are tried, if there are more than can be."""

    @property
    def depth(self) -> int:
        """How many of the best it looks at."""
        ...

    async def ordered(self, request: Request, found: Sequence[Candidate]) -> list[Candidate]:
        """A permutation of `found` with ranks from 1 and unchanged scores; nothing is sent.

        A tool that came after the catalogue was pinned keeps its place, and a tool that the request
        names stays before those that it does not.
        """
        ...


class QueryRewriter(Protocol):
    """Turns a request into retrieval queries."""

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """Queries, never none. With `feedback` (trials that did not help) they aim elsewhere.

        Raises:
            ModelReplyError: a model's reply stayed unusable; the node takes the request itself.
        """
        ...


class Planner(Protocol):
    """Plans a call of one tool."""

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """A call whose arguments are valid against the tool's schema, or a refusal.

        Raises:
            ModelReplyError: a model's reply stayed unusable; the node asks the deterministic twin.
        """
        ...


class Executor(Protocol):
    """Executes a plan."""

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """The outcome; a failure of the tool is a value, not an exception.

        Raises:
            SandboxUnavailable: only if the executor itself broke.
        """
        ...

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, under the same policy, with the whole answer besides the outcome.

        Raises:
            SandboxUnavailable: only if the executor itself broke.
        """
        ...


class Simulator(Protocol):
    """Makes up the answer of a call that could not be executed."""

    async def simulate(self, plan: CallPlan, failure: Failure, *, seed: int) -> Outcome:
        """An outcome whose source is always `simulated`; the same seed gives the same outcome.

        Raises:
            ModelReplyError: a model's reply stayed unusable; the node asks the deterministic twin.
        """
        ...


class Reranker(Protocol):
    """Orders all tried tools by the evidence of their trials."""

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        """A permutation of the trials' tools with a reason each; the same input, in any order,
        gives the same ranking from a deterministic re-ranker.

        Raises:
            ModelReplyError: a model's reply stayed unusable; the node asks the deterministic twin.
        """
        ...


class AgentModel(Protocol):
    """Thinks, chooses and answers for the agent, one question at a time.

    The graph, and never a reply, decides which of these is asked: no text becomes a tool.
    """

    async def think(self, progress: Progress) -> str:
        """What to do next, in words; may be empty. It names no tool that anything acts on.

        Raises:
            ModelReplyError: a model gave nothing usable; the node asks the deterministic twin.
        """
        ...

    async def act(self, progress: Progress, tools: Sequence[Tool]) -> ToolId | None:
        """One of `tools`, which is never empty and has the most promising first; None: finish.

        Raises:
            ModelReplyError: as in `think`.
        """
        ...

    async def argue(self, progress: Progress, tool: Tool) -> PlanResult:
        """As `Planner.plan`, given the progress of the request so far.

        Raises:
            ModelReplyError: as in `think`.
        """
        ...

    async def finish(self, progress: Progress) -> Ending:
        """An answer from what was observed, or that the request cannot be served, and why.

        Raises:
            ModelReplyError: as in `think`.
        """
        ...
