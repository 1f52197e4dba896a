"""The planner without a model: typed extraction from the request against the tool's schema."""

import hashlib
import threading
from collections.abc import Callable

from gretel.catalog.arguments import argument_problems
from gretel.contracts.ranking import Request
from gretel.contracts.tool import Parameter, Tool
from gretel.contracts.trial import Argument, CallPlan, MissingField, PlanResult, Refusal
from gretel.nodes.plan.carried import carried
from gretel.nodes.plan.filling.assembly import Assembled, as_argument, assemble, only_value
from gretel.nodes.plan.filling.assignment import assign
from gretel.nodes.plan.filling.context import fill_from_context, fitting
from gretel.nodes.plan.filling.files import is_file, without_words
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.filling.fillings import Fillings
from gretel.nodes.plan.filling.own_pattern import pasted_json
from gretel.nodes.plan.matching.profile import Profile, read_profile
from gretel.nodes.plan.matching.scoring import load_weights
from gretel.nodes.plan.matching.view import View, read_view
from gretel.nodes.plan.mentions.calendar_words import calendar_words
from gretel.nodes.plan.mentions.gazetteer import gazetteer
from gretel.nodes.plan.provenance import UNSUPPORTED
from gretel.nodes.plan.recent import Recent
from gretel.prompts import one_line
from gretel.workers import off_loop

REQUESTS_KEPT, TOOLS_KEPT, PLANS_KEPT = 16, 4_096, 1_024


class DeterministicPlanner:
    """Plans calls by rule: CPU only, repeatable, about a millisecond a tool.

    A value is taken from the context, the request or the conversation, and is never made
    up: a required value that stands nowhere is a refusal that names the field. A true default and
    an enum with one member count as known. Samples are sent only where documents call
    parameters required that are not, marked `source=example` and listed in `unmet`.
    """

    def __init__(self) -> None:
        self._views: Recent[View] = Recent(REQUESTS_KEPT)
        self._profiles: Recent[tuple[Tool, Profile]] = Recent(TOOLS_KEPT)
        self._plans: Recent[tuple[Tool, PlanResult]] = Recent(PLANS_KEPT)

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """A call that is valid against the tool's schema, or a refusal.

        All of it in a thread, for the tool is a stranger's; the first call also loads the gazetteer
        (about two seconds).
        """
        return await off_loop(self.planned, request, tool)

    def planned(self, request: Request, tool: Tool) -> PlanResult:
        """As `plan`, for a worker thread; a plan that was made lately is not made again."""
        _load_tables()
        said = _key(request)

        def made() -> tuple[Tool, PlanResult]:
            view = self._views.get_or_make(said, lambda: read_view(request))
            _, profile = self._profiles.get_or_make(id(tool), lambda: (tool, read_profile(tool)))
            return tool, plan_call(request, view, profile, self._read)

        # The tool is kept with its plan: an id is only its own while it lives.
        return self._plans.get_or_make((said, id(tool)), made)[1]

    def _read(self, request: Request) -> View:
        return self._views.get_or_make(_key(request), lambda: read_view(request))


def _key(request: Request) -> bytes:
    """What is kept of a request to know it again: of its words there may be two million."""
    return hashlib.sha256(request.model_dump_json().encode()).digest()


_LOADING = threading.Lock()
"""Trials run at once; the first one loads for all."""


def _load_tables() -> None:
    with _LOADING:
        gazetteer()
        calendar_words()
        load_weights()


def plan_call(
    request: Request,
    view: View,
    profile: Profile,
    read: Callable[[Request], View] = read_view,
) -> PlanResult:
    """Plan one tool's call from a conversation that was read already; `read` reads its beginning,
    where that is needed.
    """
    tool = profile.tool
    known = fill_from_context(profile, request)
    pasted = pasted_json(view, profile)
    fillings = assign(view, profile, fitting(profile, known), pasted)
    leaves = known | fillings.found | carried(request, fillings, read)
    found = without_words({profile.cues[index].slot: leaf for index, leaf in leaves.items()})
    found |= {(pasted.name,): pasted.filling} if pasted else {}
    assembled: dict[str, Assembled] = {}
    unmet: list[str] = []
    lacking: list[tuple[Parameter, Assembled]] = []
    keys = {key.name for key in tool.implied_keys}
    for parameter in (each for each in tool.fillable if each.name not in keys):
        value = assemble((parameter.name,), parameter.json_schema, found)
        if value.lacking and parameter.required:
            value = _completed(tool, parameter, value, unmet)
            if value.lacking:
                lacking.append((parameter, value))
                continue
        if value.lacking or not parameter.required and _is_default(value):
            continue
        assembled[parameter.name] = value
    if lacking:
        return _refusal(profile, fillings, lacking, found)
    for key in tool.implied_keys:
        if isinstance(given := request.context.get(key.name), str):
            filling = Filling(given, "context")
            assembled[key.name] = Assembled(given, (filling,), ())
    arguments = {name: as_argument(value) for name, value in assembled.items()}
    result = _checked(tool, arguments, unmet)
    if isinstance(result, Refusal):
        return result
    facts = tuple(name for name in result.arguments if _tells(assembled[name], view))
    return result.model_copy(update={"facts": facts})


def _tells(value: Assembled, view: View) -> bool:
    """Whether a fact is in it: of the context, or of what a tool answered in an earlier turn."""
    segments = view.document.segments
    return any(
        leaf.source == "context"
        or (leaf.segment is not None and segments[leaf.segment].role == "tool")
        for leaf in value.leaves
    )


def _is_default(value: Assembled) -> bool:
    """Whether nothing but defaults is in it: the server knows them itself."""
    return all(leaf.source == "default" for leaf in value.leaves)


def _completed(tool: Tool, parameter: Parameter, value: Assembled, unmet: list[str]) -> Assembled:
    """A required parameter without a value: its only possible value, or a sample where
    documents require what is not.
    """
    filling = only_value(parameter)
    if filling is None and tool.binding.requires_loosely:
        for example in parameter.examples:
            problems = argument_problems(tool, {parameter.name: example})
            if not any(p.field == parameter.name and p.kind == "invalid_value" for p in problems):
                filling = Filling(example, "example", confidence=UNSUPPORTED)
                unmet.append(parameter.name)
                break
    return value if filling is None else Assembled(filling.value, (filling,), ())


def _refusal(
    profile: Profile,
    fillings: Fillings,
    lacking: list[tuple[Parameter, Assembled]],
    found: dict[tuple[str, ...], Filling],
) -> Refusal:
    tool = profile.tool
    doubts = {profile.cues[i].slot.path: doubt for i, doubt in fillings.doubt.items()}
    broken = {profile.cues[i].slot.path: how for i, how in fillings.broken.items()}
    files = {cues.slot.path for cues in profile.cues if is_file(cues.slot)}
    missing, confidence, invalid = [], 0.0, []
    for parameter, value in lacking:
        said = one_line(parameter.description, 300)
        for path in value.lacking:
            name = _dotted(path)
            field = MissingField(tool_id=tool.tool_id, name=name, description=said)
            missing.append(field.model_copy(update={"file": path in files}))
            confidence = max(confidence, 1.0 if path in files else doubts.get(path, 0.7))
            if path in broken:
                invalid.append(f"{name}: {broken[path]}")
    names = ", ".join(field.name for field in missing)
    detail = "; ".join(invalid) or f"the conversation does not say: {names}"
    return Refusal(
        tool_id=tool.tool_id,
        reason="invalid_value" if invalid else "missing_required",
        detail=detail,
        missing=tuple(missing),
        found={
            _dotted(path): as_argument(Assembled(leaf.value, (leaf,), ()))
            for path, leaf in found.items()
        },
        confidence=0.8 if invalid else min(confidence, 0.97),
    )


def _dotted(path: tuple[str, ...]) -> str:
    """A leaf's path as a person reads it."""
    return ".".join(step for step in path if step != "[]")


def _checked(tool: Tool, arguments: dict[str, Argument], unmet: list[str]) -> PlanResult:
    """The plan, without optional arguments that break the schema; a required one is a refusal."""
    required = {parameter.name for parameter in tool.fillable if parameter.required}
    for _ in range(2):
        values = {name: argument.value for name, argument in arguments.items()}
        problems = argument_problems(tool, values)
        fatal = [p for p in problems if p.field in required or p.field not in arguments]
        if fatal:
            return Refusal(
                tool_id=tool.tool_id,
                reason="invalid_value",
                detail="; ".join(f"{p.field}: {p.detail}" for p in fatal),
                missing=tuple(MissingField(tool_id=tool.tool_id, name=p.field) for p in fatal),
                found={
                    n: each for n, each in arguments.items() if n not in {p.field for p in fatal}
                },
                confidence=0.7,
            )
        if not problems:
            break
        for problem in problems:
            arguments.pop(problem.field, None)
    return CallPlan(
        tool_id=tool.tool_id,
        arguments=arguments,
        unmet=tuple(unmet),
        confidence=_confidence([a for n, a in arguments.items() if n in required], len(unmet)),
    )


def _confidence(needed: list[Argument], unmet: int) -> float:
    """The geometric mean of the required arguments' confidence, lowered by each unmet one."""
    product = 1.0
    for argument in needed:
        product *= max(argument.confidence, 0.01)
    return float(product ** (1 / len(needed)) if needed else 1.0) * 0.7**unmet
