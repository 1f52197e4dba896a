"""Scripted stand-ins of every protocol, and short builders of records, for all tests.

Each fake keeps the promises of its protocol (`tests/conformance` runs them) and records its calls.
A script says what comes back for one tool or one text; an exception in it is raised. What is not
scripted gets a plain, repeatable answer.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import jsonschema_rs

from gretel.contracts.agent import Ending, Progress
from gretel.contracts.budget import Budget
from gretel.contracts.ranking import (
    Candidate,
    RankedTool,
    Ranking,
    Request,
    Retrieval,
    RetrievalQuery,
)
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import (
    Binding,
    HttpBinding,
    Location,
    Parameter,
    SecurityScheme,
    Tool,
    ToolId,
)
from gretel.contracts.trial import (
    Argument,
    CallPlan,
    CallResult,
    Failure,
    FailureKind,
    Fault,
    MissingField,
    Outcome,
    PlanResult,
    Refusal,
    Trial,
)

T = TypeVar("T")
Script: TypeAlias = Mapping[str, T | Exception]
"""tool_id or text → what comes back, or what is raised."""

SERVER = "http://127.0.0.1:9"
"""Nothing listens there: the discard port."""


class Call(NamedTuple):
    """One call that a fake received."""

    method: str
    arguments: dict[str, Any]


class Recorder:
    """Keeps the calls of a fake, and how many ran at once.

    Attributes:
        calls: every call, in the order of arrival.
    """

    def __init__(self, *, delay_s: float = 0.0) -> None:
        self.calls: list[Call] = []
        self._delay_s = delay_s

    async def _record(self, method: str, **arguments: Any) -> None:
        self.calls.append(Call(method, arguments))
        await asyncio.sleep(self._delay_s)


def scripted(script: Script[T], key: str, default: T) -> T:
    """What `script` says about `key`; an exception is raised."""
    answer = script.get(key, default)
    if isinstance(answer, Exception):
        raise answer
    return answer


class Scripted(Recorder, Generic[T]):
    """A fake that answers with what is scripted for a tool, if anything is."""

    def __init__(self, script: Script[T] | None = None, *, delay_s: float = 0.0) -> None:
        super().__init__(delay_s=delay_s)
        self._script = script or {}


class FakeRetriever(Recorder):
    """Answers each query with the scripted tools, or with all tools in order of their ids."""

    def __init__(
        self,
        tools: Sequence[Tool] = (),
        script: Script[Sequence[str]] | None = None,
        *,
        needs_tool: float | None = None,
        answerable: float | None = None,
        delay_s: float = 0.0,
    ) -> None:
        super().__init__(delay_s=delay_s)
        self.tools = {tool.tool_id: tool for tool in tools}
        self._script = script or {}
        self._needs_tool = needs_tool
        self._answerable = answerable

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        await self._record("retrieve", queries=tuple(queries), k=k)
        return Retrieval(
            candidates=tuple(self._candidates(query.text, k) for query in queries),
            needs_tool=self._needs_tool,
            answerable=self._answerable,
        )

    def _candidates(self, text: str, k: int) -> tuple[Candidate, ...]:
        wanted = scripted(self._script, text, sorted(self.tools))
        found = [ToolId(tool_id) for tool_id in wanted if tool_id in self.tools][:k]
        return tuple(candidate(tool_id, rank) for rank, tool_id in enumerate(found, start=1))

    async def add(self, tools: Sequence[Tool]) -> None:
        await self._record("add", tools=tuple(tools))
        self.tools.update({tool.tool_id: tool for tool in tools})

    async def remove(self, ids: Sequence[ToolId]) -> None:
        await self._record("remove", ids=tuple(ids))
        self.tools = {key: tool for key, tool in self.tools.items() if key not in set(ids)}


class FakeRewriter(Recorder):
    """Answers with the request's own text, and what failed of it."""

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        await self._record("rewrite", request=request, feedback=feedback)
        if feedback:
            failed = ", ".join(sorted(trial.tool_id for trial in feedback))
            return [RetrievalQuery(text=f"{request.text} (not {failed})", origin="feedback")]
        return [RetrievalQuery(text=request.text, origin="rewrite")]


class FakePlanner(Scripted[PlanResult]):
    """Takes each value from the context; refuses where a required one is missing."""

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        await self._record("plan", request=request, tool=tool)
        return scripted(self._script, tool.tool_id, self._from_context(request, tool))

    def _from_context(self, request: Request, tool: Tool) -> PlanResult:
        known = request.context
        values = {p.name: known[p.name] for p in tool.fillable if p.name in known}
        schemas = {p.name: p.json_schema for p in tool.fillable}
        wrong = [n for n, value in values.items() if not jsonschema_rs.is_valid(schemas[n], value)]
        if wrong:
            return Refusal(
                tool_id=tool.tool_id, reason="invalid_value", detail=f"{wrong[0]} is not valid."
            )
        missing = [p.name for p in tool.fillable if p.required and p.name not in values]
        return refusal(tool.tool_id, *missing) if missing else plan(tool.tool_id, **values)


class FakeExecutor(Scripted[Outcome]):
    """Answers with the outcome scripted for the tool, else with success in ten milliseconds."""

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        await self._record("execute", plan=plan, budget=budget)
        return scripted(self._script, plan.tool_id, succeeded())

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        outcome = await self.execute(plan, budget=budget)
        return CallResult(outcome=outcome, body=json.loads(outcome.excerpt or "null"))


class FakeSimulator(Scripted[Outcome]):
    """Answers with the outcome scripted for the tool, else with a made-up success."""

    async def simulate(self, plan: CallPlan, failure: Failure, *, seed: int) -> Outcome:
        await self._record("simulate", plan=plan, failure=failure, seed=seed)
        made_up = Outcome(status="succeeded", source="simulated", excerpt=f'{{"seed": {seed}}}')
        return scripted(self._script, plan.tool_id, made_up)


class FakeReranker(Recorder):
    """Usable tools first, each group in the order of retrieval."""

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        await self._record("rerank", request=request, trials=tuple(trials))
        order = sorted(
            trials, key=lambda t: (t.outcome.status != "succeeded", t.rank_before, t.tool_id)
        )
        return Ranking(tools=tuple(place(trial, rank) for rank, trial in enumerate(order, start=1)))


class FakeAgent(Recorder):
    """Takes the scripted tools in turn, then finishes; an exception in the script is raised.

    What is scripted is said whether it is offered or not: the graph has to see to that.
    """

    def __init__(
        self,
        acts: Sequence[str | Exception] = (),
        *,
        arguments: Script[PlanResult] | None = None,
        ending: Ending | Exception | None = None,
        thought: str | Exception = "Let me see.",
        forever: bool = False,
        delay_s: float = 0.0,
    ) -> None:
        super().__init__(delay_s=delay_s)
        self._acts = list(acts)
        self._arguments = arguments or {}
        self._ending = ending or Ending(answer="Done.")
        self._thought = thought
        self._forever = forever

    async def think(self, progress: Progress) -> str:
        await self._record("think", progress=progress)
        return scripted({"": self._thought}, "", "")

    async def act(self, progress: Progress, tools: Sequence[Tool]) -> ToolId | None:
        await self._record("act", progress=progress, tools=[tool.tool_id for tool in tools])
        asked = sum(call.method == "act" for call in self.calls) - 1
        if self._forever:
            asked %= len(self._acts)
        if asked >= len(self._acts):
            return None
        return ToolId(str(scripted({"": self._acts[asked]}, "", "")))

    async def argue(self, progress: Progress, tool: Tool) -> PlanResult:
        await self._record("argue", progress=progress, tool=tool)
        known = {each.name: progress.request.context.get(each.name) for each in tool.fillable}
        values = {name: value for name, value in known.items() if value is not None}
        missing = [e.name for e in tool.fillable if e.required and e.name not in values]
        own = refusal(tool.tool_id, *missing) if missing else plan(tool.tool_id, **values)
        return scripted(self._arguments, tool.tool_id, own)

    async def finish(self, progress: Progress) -> Ending:
        await self._record("finish", progress=progress)
        return scripted({"": self._ending}, "", Ending(answer=""))


def place(trial: Trial, rank: int) -> RankedTool:
    """The tool of `trial` at `rank`."""
    return RankedTool(
        tool_id=trial.tool_id,
        rank=rank,
        rank_before=trial.rank_before,
        score=trial.retrieval_score,
        reason=f"Its trial {trial.outcome.status}.",
    )


def request(text: str = "Find me a flight.", **context: Any) -> Request:
    """A request on a fixed day, that knows `context`."""
    return Request(text=text, context=context, today="2026-11-20")


def param(
    name: str,
    schema: str | JsonObject = "string",
    *,
    required: bool = False,
    location: Location = "query",
    **fields: Any,
) -> Parameter:
    """A parameter; `schema` is a JSON Schema or just its type."""
    return Parameter(
        name=name,
        wire_name=name,
        location=location,
        required=required,
        json_schema={"type": schema} if isinstance(schema, str) else schema,
        **fields,
    )


def tool(
    tool_id: str,
    description: str = "",
    *,
    params: Sequence[Parameter | str] = (),
    method: str = "GET",
    server: str = SERVER,
    binding: Binding | None = None,
    **fields: Any,
) -> Tool:
    """A tool of id `toolkit.operation`; a parameter given by name is a required string."""
    toolkit, _, operation = tool_id.partition(".")
    return Tool(
        tool_id=ToolId(tool_id),
        toolkit=toolkit,
        operation=operation,
        description=description,
        parameters=tuple(param(p, required=True) if isinstance(p, str) else p for p in params),
        binding=binding or HttpBinding(method=method, path=f"/{operation}", servers=(server,)),
        **fields,
    )


def keyed(parameter: str, *, path: str = "/read", server: str = SERVER) -> HttpBinding:
    """A GET whose API key goes into the query as `parameter`, which tools may declare too."""
    scheme = SecurityScheme(name="key", kind="apiKey", location="query", parameter=parameter)
    return HttpBinding(method="GET", path=path, servers=(server,), security=((scheme,),))


def candidate(tool_id: str, rank: int = 1) -> Candidate:
    """A candidate whose score falls with its rank."""
    return Candidate(tool_id=ToolId(tool_id), score=1 / rank, rank=rank)


def plan(tool_id: str, **values: Any) -> CallPlan:
    """A plan whose values the caller gave."""
    arguments = {name: Argument(value=value, source="context") for name, value in values.items()}
    return CallPlan(tool_id=ToolId(tool_id), arguments=arguments)


def refusal(tool_id: str, *missing: str) -> Refusal:
    """A refusal for want of required values."""
    fields = tuple(MissingField(tool_id=ToolId(tool_id), name=name) for name in missing)
    return Refusal(
        tool_id=ToolId(tool_id),
        reason="missing_required",
        detail=f"No value for {', '.join(missing)}.",
        missing=fields,
    )


def succeeded(excerpt: str = '{"ok": true}', *, latency_ms: float = 10.0) -> Outcome:
    """An executed success."""
    return Outcome(
        status="succeeded",
        source="executed",
        http_status=200,
        latency_ms=latency_ms,
        excerpt=excerpt,
    )


def failure(kind: FailureKind = "server_error", fault: Fault = "tool") -> Failure:
    """A failure of `kind`."""
    return Failure(kind=kind, detail=f"It was a {kind}.", fault=fault)


def failed(
    kind: FailureKind = "server_error", fault: Fault = "tool", http_status: int | None = None
) -> Outcome:
    """An executed failure."""
    return Outcome(
        status="failed", source="executed", failure=failure(kind, fault), http_status=http_status
    )


def trial(
    tool_id: str,
    rank: int = 1,
    *,
    planned: PlanResult | None = None,
    executed: Outcome | None = None,
    simulated: Outcome | None = None,
    round: int = 1,
    **fields: Any,
) -> Trial:
    """A trial that succeeded, unless said otherwise."""
    return Trial(
        tool_id=ToolId(tool_id),
        round=round,
        rank_before=rank,
        retrieval_score=1 / rank,
        plan=planned or plan(tool_id),
        executed=executed or succeeded(),
        simulated=simulated,
        **fields,
    )
