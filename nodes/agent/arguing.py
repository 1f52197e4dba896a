"""The arguments of a call: a model's, weighed and checked as those of a trial; else the rules'."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from langgraph.runtime import Runtime

from gretel.catalog import Catalog
from gretel.contracts.agent import AgentStep, Progress
from gretel.contracts.protocols import AgentModel
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import ArgumentSource, CallPlan, PlanResult, Refusal
from gretel.nodes.agent.asking import asked
from gretel.nodes.agent.progress import progress_of
from gretel.nodes.agent.state import AgentState, agent_context_of
from gretel.nodes.context import Context
from gretel.nodes.plan.provenance import facts_of, heard
from gretel.nodes.plan.retelling import parted, retold, words_told
from gretel.nodes.plan.standing import leaves_spans
from gretel.nodes.request import request_hash
from gretel.nodes.signatures import Node
from gretel.nodes.state import Json, Update
from gretel.workers import off_loop

Weigh = Callable[[PlanResult, PlanResult, Tool, Mapping[ArgumentSource, float]], PlanResult]
"""One plan of the rules' and the model's, by `Calibration.trust`."""
Origin = Callable[[Tool], str | None]
"""The server that a tool is called at."""


def argue_node(
    model: AgentModel,
    twin: AgentModel,
    catalog: Catalog,
    weigh: Weigh,
    trust: Mapping[ArgumentSource, float],
    origin: Origin,
) -> Node[AgentState]:
    """The node that plans the call of the chosen tool, from all that was said and answered.

    A value that only a tool's answer holds is marked as such: nobody asked for it, so it gives no
    leave, and it counts as a fact for servers that are not the one which told it.
    """

    async def argue(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        context = agent_context_of(runtime)
        progress = await off_loop(progress_of, state, context)
        candidate = Candidate.model_validate(state["candidate"])
        if candidate.tool_id not in catalog:
            return {"plan": _gone(candidate.tool_id), "planned_for": asked_hash(state)}
        tool = catalog[candidate.tool_id]
        said = await off_loop(catalog.digest_of, tool.tool_id)
        digest = candidate.digest or said
        if digest != said:  # `execute` will not call it
            unread = CallPlan(tool_id=tool.tool_id, arguments={}, confidence=0.0, digest=digest)
            return {"plan": unread.model_dump(mode="json"), "planned_for": asked_hash(state)}

        async def plan(each: AgentModel) -> PlanResult:
            given = await each.argue(progress, tool)
            if each is twin:
                return given
            return weigh(await twin.argue(progress, tool), given, tool, trust)

        result, spent = await asked(
            plan, model, twin, state, context, step="argue", instead="planned by rule"
        )
        if isinstance(result, CallPlan):
            # Off the loop: turns and answers may be of any length.
            result = await off_loop(_settled, result, progress, origin(tool), tool)
            result = result.model_copy(update={"digest": digest})
        return {**spent, "plan": result.model_dump(mode="json"), "planned_for": asked_hash(state)}

    return argue


def _settled(plan: CallPlan, progress: Progress, server: str | None, tool: Tool) -> CallPlan:
    """`plan`, with which of its values are whose, and which of them are facts to `server`."""
    own = _answers_of(progress.steps, server)
    facts = facts_of(plan, progress.request, tool, own)
    plan = marked(plan, progress.request, progress.steps, server, tool)
    facts = tuple(dict.fromkeys((*facts, *plan.facts)))
    return heard(plan, progress.request).model_copy(update={"facts": facts})


def _gone(tool_id: ToolId) -> Json:
    """The refusal to plan a call of what the catalogue held when it was offered."""
    return Refusal(
        tool_id=tool_id,
        reason="planner_failed",
        detail="the catalogue no longer has this tool",
        confidence=0.0,
    ).model_dump(mode="json")


def marked(
    plan: CallPlan,
    request: Request,
    steps: Sequence[AgentStep],
    server: str | None,
    tool: Tool | None = None,
) -> CallPlan:
    """`plan`, whose values that only answers hold say so; those of other servers are its facts.

    Of a value that the user said, the names within it may still be another's words.
    """
    said = "\n".join([request.text, *(message.content for message in request.messages)])
    others = cache(partial(_of_others, steps, said, server))
    arguments, facts = dict(plan.arguments), []
    for name, argument in plan.arguments.items():
        value, fact = argument.value, False
        if argument.source == "message" and not leaves_spans(value, said):
            arguments[name] = argument.model_copy(update={"source": "answer", "span": None})
            fact = server not in _tellers(value, steps)
        if fact or retold(name, argument, others, tool):
            facts.append(name)
    facts = facts or [*parted(plan, others)]
    return plan.model_copy(update={"arguments": arguments, "facts": tuple(facts)})


def _tellers(value: JsonValue, steps: Sequence[AgentStep]) -> set[str | None]:
    """The servers whose answers hold a value as it is."""
    told = (step for step in steps if leaves_spans(value, step.told))
    return {step.outcome.host for step in told}


def _of_others(steps: Sequence[AgentStep], said: str, server: str | None) -> set[str]:
    """The words that other servers alone answered: neither the user nor `server` has them."""
    told: list[JsonValue] = [step.told for step in steps if step.outcome.host != server]
    return words_told(told, said, *_answers_of(steps, server))


def _answers_of(steps: Sequence[AgentStep], server: str | None) -> list[str]:
    """What `server` answered itself."""
    return [step.told for step in steps if step.outcome.host == server]


def asked_hash(state: AgentState) -> str:
    """Content hash of what a plan is made for."""
    given: Json = {name: state.get(name) for name in ("request", "messages", "context")}
    return request_hash(given)
