"""`Selector`: the entry point of the Python API."""

from collections.abc import Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.calibration import Calibration
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import Executor, QueryRewriter, Retriever
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool, ToolId
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.calling import BoundSelection, BoundTool, Caller
from gretel.graph.compose import compose
from gretel.graph.loop import LoopThread
from gretel.graph.parts import Model, Parts
from gretel.graph.runs import Runs, given_of, read_context
from gretel.nodes.context import Context
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.nodes.spending import total
from gretel.nodes.stored import read_end
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.settings import ProcessSettings
from gretel.sandbox.secrets.credentials import CredentialResolver
from gretel.workers import off_loop

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from gretel.nodes.retrieve.encoding.embed import Progress

__all__ = ["BoundSelection", "BoundTool", "Selector"]

T = TypeVar("T")


class Selector:
    """Selects tools of a catalogue for requests, by trial.

    Example:
        >>> selector = Selector(Catalog.from_openapi("flights.yaml"))  # doctest: +SKIP
        >>> selector.select("a one-way flight to Oslo").tools[0].tool_id  # doctest: +SKIP

    Attributes:
        catalog: the tools; change it through `add` and `remove`, which also update the retriever.
        graph: the compiled LangGraph.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        retriever: str | Retriever = "semantic",
        candidates: CandidateStage | None = None,
        rewriter: str | Path | QueryRewriter | None = None,
        model: "Model | None" = None,
        calibration: Calibration | Path | str | None = None,
        plan_batch: int = 1,
        policy: Policy | None = None,
        credentials: CredentialResolver | None = None,
        executor: Executor | None = None,
        executors: Mapping[str, Executor] | None = None,
        process: ProcessSettings | None = None,
        encoder: str | None = None,
        index: Path | str | None = None,
        artifact: Path | str | None = None,
        progress: "Progress | None" = None,
        checkpointer: "BaseCheckpointSaver[Any] | None" = None,
    ) -> None:
        """Build the graph. Encoders, indexes and models are loaded by the first selection.

        Args:
            catalog: the tools to choose from.
            retriever: `"semantic"`, `"masstool"` or `"toolgen"` with its `artifact`, or any object
                with the `Retriever` protocol.
            candidates: switches of the candidate stage; all are on by default.
            rewriter: `"llm"`, `"feedback"` (later rounds search for what was missing or failed),
                `"none"`, a folder written by `gretel train rewriter`, or a `QueryRewriter`.
                Default: as `calibration` says.
            model: `"openai:NAME"` or a LangChain chat model. Without one, rules do all steps.
            calibration: which steps ask the model: a file or record from `gretel calibrate`,
                `"all"` (the default), or `"none"`.
            plan_batch: maximum number of calls planned in one request to the model.
            policy: what trials may call; by default nothing leaves the process. Its marks apply to
                the tools as they are now.
            credentials: a function, sync or async, that gives a credential when a call is sent.
                Default: the environment.
            executor: one executor for all tools, instead of the sandboxes.
            executors: executors for more kinds of binding, by kind (`{"mcp": servers}`).
            process: what a Python callable may use in its child process.
            encoder: sentence-transformers model of the semantic retriever, by name or path.
            index: folder where the semantic retriever keeps its embeddings.
            artifact: folder written by `gretel train masstool` or `toolgen`.
            progress: called with (tools encoded, tools in all) while the first selection encodes
                the catalogue, from a worker thread.
            checkpointer: keeps runs that wait for a person (`approve="ask"`).

        Raises:
            ConfigurationError: a name is unknown, the model or calibration is unusable, a mark of
                `policy` fits no tool or too many, or `catalog` or `policy` has another type.
        """
        _check(
            "catalog", catalog, Catalog, "Load one: Catalog.from_openapi(path), from_tools(tools)."
        )
        _check("policy", policy or Policy(), Policy, "Give gretel.Policy(allow_hosts=…).")
        self.catalog = catalog
        self._parts = compose(
            catalog,
            retriever=retriever,
            candidates=candidates,
            rewriter=rewriter,
            model=model,
            calibration=calibration,
            plan_batch=plan_batch,
            policy=policy,
            credentials=credentials,
            executor=executor,
            executors=executors,
            process=process,
            encoder=encoder,
            index=index,
            artifact=artifact,
            progress=progress,
        )
        self.graph: SelectionGraph = build_graph(self._parts, checkpointer)
        self._runs = Runs(self.graph)
        self._caller = Caller(catalog, self._parts.executor, self._parts.policy)
        self._loop = LoopThread()

    def select(self, request: str, **options: Any) -> BoundSelection:
        """Select tools for `request`; the synchronous form of `aselect`, with its options."""
        return self._loop.run(self.aselect(request, **options))

    async def aselect(
        self,
        request: str,
        *,
        k: int | None = None,
        messages: Sequence[Any] | None = None,
        context: JsonObject | None = None,
        budget: Budget | None = None,
        **run: Any,
    ) -> BoundSelection:
        """Select at most `k` tools for `request`, best first, or abstain with a reason.

        Args:
            request: what the user asked.
            k: maximum number of tools offered; 5 by default.
            messages: earlier turns, oldest first: dicts with role and content, or LangChain's.
            context: known values for arguments, by name.
            budget: limits of this selection.
            **run: other fields of `nodes.context.Context`: `depth`, `rounds`, `today`,
                `timezone`, `locale`, `simulate`, `approve`, `abstain_below`, `seed`, `prompt_*`.

        Raises:
            InputError: the request or an option is unusable; it says which, and what to do.
            ServiceUnreachable: the model that was named does not answer.
            ApprovalNeeded: with `approve="ask"`, a person must answer first; see `aresume`.
        """
        settings = read_context({"k": k, "budget": budget, **run}, Context)
        given = given_of(request, messages, context)
        return await off_loop(read_end, self._bound, await self._runs.start(given, settings))

    def resume(self, thread_id: str, answers: Mapping[str, bool]) -> BoundSelection:
        """Continue a run that waits for a person; the synchronous form of `aresume`."""
        return self._loop.run(self.aresume(thread_id, answers))

    async def aresume(self, thread_id: str, answers: Mapping[str, bool]) -> BoundSelection:
        """Continue a run that waits: `answers` by the ids of `ApprovalNeeded.requests`.

        An approved call is made once, even if the run is resumed or replayed later.

        Raises:
            InputError: no such run is waiting, or an answer is to something that was not asked.
            ApprovalNeeded: there are more questions, or not all were answered.
        """
        return await off_loop(read_end, self._bound, await self._runs.resume(thread_id, answers))

    def add(self, tools: Iterable[Tool], *, replace: bool = False) -> None:
        """Add tools to the catalogue and the index; only changed texts are encoded.

        A tool that changed loses the marks of the policy, and a new one gets none. One that is
        there already stays as it is: who lists it once more does not vouch for what it says by now.

        New tools may only take places 1, 6, 11 … of the candidates, so that a flood of them pushes
        nothing out. `gretel index`, or a new selector without an index, pins them like the
        others.

        Raises:
            DuplicateToolError: a different tool has one of these ids, and `replace` is False.
        """
        added = list(tools)
        new = dict.fromkeys(t.tool_id for t in added if replace or t.tool_id not in self.catalog)
        self.catalog.add(tools if isinstance(tools, Catalog) else added, replace=replace)
        self._loop.run(self._parts.retriever.add([self.catalog[tool_id] for tool_id in new]))

    def remove(self, ids: Iterable[str]) -> None:
        """Remove tools, or one tool; unknown ids are ignored."""
        gone = [ToolId(tool_id) for tool_id in ([ids] if isinstance(ids, str) else ids)]
        self._loop.run(self._parts.retriever.remove(gone))
        self.catalog.remove(gone)

    @property
    def parts(self) -> Parts:
        """The exchangeable parts that the graph was built from."""
        return self._parts

    def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What `coroutine` gives, run on the loop of the selector's synchronous calls."""
        return self._loop.run(coroutine)

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        await self._parts.aclose()

    def close(self) -> None:
        """Close the connections of synchronous calls and stop their loop."""
        self._loop.run(self.aclose())
        self._loop.close()

    def __enter__(self) -> "Selector":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _bound(self, state: dict[str, Any]) -> BoundSelection:
        usage = state.get("usage") or {}
        bound = BoundSelection.model_validate(
            {
                **state["selection"],
                "usage": total(usage),
                "usage_by_step": usage,
                "ranking": state.get("ranking"),
                "trials": state.get("trials") or (),
            }
        )
        for tool in bound.tools:
            tool._caller, tool._loop = self._caller, self._loop
        return bound


def _check(field: str, value: object, kind: type, remedy: str) -> None:
    if not isinstance(value, kind):
        what = f"is a {type(value).__name__}, not a {kind.__name__}"
        raise ConfigurationError(what, field=field, remedy=remedy)
