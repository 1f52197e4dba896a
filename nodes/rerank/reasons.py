"""One sentence a tool: what its trial showed, for a person."""

import json

from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Outcome, Refusal, Trial

MAX_VALUES = 5
MAX_VALUE_CHARS = 40


def reason_for(trial: Trial, *, slower_than: ToolId | None = None) -> str:
    """Why the tool stands where it stands; `slower_than`: the faster one for the same need."""
    if isinstance(trial.plan, Refusal):
        return _refused(trial.plan)
    said = _with_values(trial.plan)
    executed = trial.executed
    if executed.status == "succeeded":
        return _succeeded(executed, said, trial.plan, slower_than)
    if executed.status == "empty":
        return f"called with {said}: {_nothing(executed)}"
    why = executed.failure.detail.rstrip(". ") if executed.failure else "no answer"
    if trial.simulated is not None:
        return f"{why}; the planned call ({said}) is valid and was simulated"
    if executed.status == "unavailable":
        return f"{why}; planned with {said}, not tried"
    if executed.source == "none":
        return why
    kind = executed.failure.kind.replace("_", " ") if executed.failure else "failure"
    return f"failed ({kind}): {why}; called with {said}"


def _refused(plan: Refusal) -> str:
    names = ", ".join(f"{f.name} (a file)" if f.file else f.name for f in plan.missing)
    providers = sorted({tool for field in plan.missing for tool in field.provided_by})
    if plan.reason == "needs_other_tool" and providers:
        verb = "provides" if len(providers) == 1 else "provide"
        return f"needs {names}, which {', '.join(providers[:3])} {verb}"
    if plan.reason == "missing_required" and names:
        verb = "is" if len(plan.missing) == 1 else "are"
        return f"refused: {names} {verb} required and found nowhere in the request"
    return f"refused: {plan.detail.rstrip('. ')}"


def _nothing(executed: Outcome) -> str:
    """What an empty answer says: that the server does not know our value, or nothing at all."""
    failure = executed.failure
    if failure is not None and failure.fault == "request":
        return failure.detail.rstrip(". ")
    return "the answer was empty"


def _succeeded(executed: Outcome, said: str, plan: CallPlan, slower_than: ToolId | None) -> str:
    took = "" if executed.latency_ms is None else f" in {executed.latency_ms:.0f} ms"
    text = f"succeeded{took} with {said}"
    if executed.says_none:
        text += ": there are none"
    for source, words in (("example", "only from a sample"), ("invented", "made up by the model")):
        names = [name for name in plan.unmet if plan.arguments[name].source == source]
        text += f"; {', '.join(names)} {words}" if names else ""
    if slower_than is not None:
        text += f"; slower than {slower_than}"
    return text


def _with_values(plan: CallPlan) -> str:
    values = plan.values()
    if not values:
        return "no arguments"
    shown = [f"{name}={_short(value)}" for name, value in list(values.items())[:MAX_VALUES]]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1] + "…"
