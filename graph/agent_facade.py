"""`Agent`: the Python API of the agent, on top of a selector."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gretel.contracts.agent import AgentResult
from gretel.contracts.budget import Budget
from gretel.contracts.protocols import AgentModel
from gretel.contracts.record import JsonObject
from gretel.graph.agent import AgentGraph, build_agent
from gretel.graph.agent_parts import agent_parts
from gretel.graph.runs import Runs, given_of, read_context
from gretel.graph.selector import Selector
from gretel.nodes.agent.state import AgentContext
from gretel.nodes.spending import total
from gretel.nodes.stored import read_end

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver


class Agent:
    """Answers requests with the tools of a selector, step by step.

    It calls tools as trials do: a call that may change something needs permission
    (`Policy.safe_tools`, `Policy.callable_tools`, or `approve="ask"`).

    Example:
        >>> agent = Agent(Selector(Catalog.from_openapi("flights.yaml")))  # doctest: +SKIP
        >>> agent.run("a one-way flight to Oslo").answer  # doctest: +SKIP

    Attributes:
        selector: its catalogue, retriever, policy and sandbox are used.
        graph: the compiled LangGraph.
    """

    def __init__(
        self,
        selector: Selector,
        *,
        model: AgentModel | None = None,
        offered: str = "selection",
        checkpointer: "BaseCheckpointSaver[Any] | None" = None,
    ) -> None:
        """Build the graph. Encoders, indexes and models are loaded by the first run.

        Args:
            selector: gives the tools; the caller closes it.
            model: what thinks and chooses. Default: the selector's artefact if it was trained as
                an agent (`gretel train toolgen --stages …,agent`), else its chat model, else
                rules.
            offered: which tools a run may use: `"selection"`, those that the selector offers after
                its trials; `"candidates"`, the untried candidates of its retriever; `"all"`, the
                whole catalogue, for a model that knows it.
            checkpointer: keeps runs that wait for a person (`approve="ask"`).

        Raises:
            ConfigurationError: `offered` is unknown, or needs a model.
        """
        self.selector = selector
        parts = agent_parts(selector.parts, model=model, offered=offered)
        self.graph: AgentGraph = build_agent(parts, checkpointer)
        self._runs = Runs(self.graph)

    def run(self, request: str, **options: Any) -> AgentResult:
        """Answer `request`; the synchronous form of `arun`, with its options."""
        return self.selector.wait(self.arun(request, **options))

    async def arun(
        self,
        request: str,
        *,
        steps: int | None = None,
        messages: Sequence[Any] | None = None,
        context: JsonObject | None = None,
        budget: Budget | None = None,
        **run: Any,
    ) -> AgentResult:
        """Answer `request` in at most `steps` steps, or give up with the reason.

        Args:
            request: what the user asked.
            steps: maximum number of calls, and of tools for which none could be planned; default 8.
            messages: earlier turns, oldest first: dicts with role and content, or LangChain's.
            context: known values for arguments, by name.
            budget: limits of this run, the selection included.
            **run: other fields of `nodes.context.Context`, as in `Selector.aselect`.

        Raises:
            InputError: the request or an option is unusable; it says which, and what to do.
            ServiceUnreachable: the model that was named does not answer.
            ApprovalNeeded: with `approve="ask"`, a person must answer first; see `aresume`.
        """
        settings = read_context({"steps": steps, "budget": budget, **run}, AgentContext)
        given = given_of(request, messages, context)
        return read_end(_result, await self._runs.start(given, settings))

    def resume(self, thread_id: str, answers: Mapping[str, bool]) -> AgentResult:
        """Continue a run that waits for a person; the synchronous form of `aresume`."""
        return self.selector.wait(self.aresume(thread_id, answers))

    async def aresume(self, thread_id: str, answers: Mapping[str, bool]) -> AgentResult:
        """Continue a run that waits: `answers` by the ids of `ApprovalNeeded.requests`.

        Raises:
            InputError: no such run is waiting, or an answer is to something that was not asked.
            ApprovalNeeded: there are more questions.
        """
        return read_end(_result, await self._runs.resume(thread_id, answers))


def _result(state: dict[str, Any]) -> AgentResult:
    usage = state.get("usage") or {}
    return AgentResult.model_validate(
        {
            **state["result"],
            "steps": state.get("steps") or (),
            "usage": total(usage),
            "notes": state.get("notes") or (),
        }
    )
