"""Rule and model plan the same call; of each value the surer one is taken."""

from collections.abc import Mapping

from gretel.catalog.arguments import argument_problems
from gretel.contracts.protocols import Planner
from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.contracts.trial import Argument, ArgumentSource, CallPlan, PlanResult
from gretel.nodes.plan.provenance import plan_of

LIKELY = 0.5
"""A value that the rules have no other for is taken where it is right more often than not."""
UNSHOWN = 0.5
"""How sure a value of a model is that was not measured, where the rules have another: Laplace's
rule of succession without a case. A value that stands in the request can be the wrong one of it."""


class WeighedPlanner:
    """The plan of the rules, with the values of a model where these are the surer ones.

    The rules say how sure they are (a fitted log-linear model), a model does not: its values are as
    sure as those from the same source were on judged requests. Of a model that was not measured, a
    value that the rules have another for counts as much as a coin. What the model leaves out, or
    calls off topic, stays as the rules have it: a refusal cannot be weighed value by value.
    """

    def __init__(
        self, rules: Planner, model: Planner, trust: Mapping[ArgumentSource, float] | None = None
    ) -> None:
        """Weigh by `trust`; what is from a source that is not in it was not measured."""
        self._rules = rules
        self._model = model
        self._trust = trust or {}

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """See `Planner.plan`.

        Raises:
            ModelReplyError: the model gave nothing usable; the caller then asks the rules alone.
            GretelError: as `StructuredModel.reply` says.
        """
        said = await self._model.plan(request, tool)
        return weighed(await self._rules.plan(request, tool), said, tool, self._trust)


def weighed(
    rules: PlanResult, said: PlanResult, tool: Tool, trust: Mapping[ArgumentSource, float]
) -> PlanResult:
    """One plan of two: `said` is the model's."""
    own = rules.arguments if isinstance(rules, CallPlan) else rules.found
    others = said.arguments if isinstance(said, CallPlan) else {}
    chosen = {
        name: value
        for name in (parameter.name for parameter in tool.fillable)
        if (value := _surer(own.get(name), others.get(name), trust))
    }
    values = {name: argument.value for name, argument in chosen.items()}
    if chosen == own or argument_problems(tool, values):
        return rules
    return plan_of(tool, chosen, rules.facts if isinstance(rules, CallPlan) else ())


def _surer(
    own: Argument | None, other: Argument | None, trust: Mapping[ArgumentSource, float]
) -> Argument | None:
    if other is None or (own is not None and own.value == other.value):
        return own
    unshown = other.confidence if own is None else min(other.confidence, UNSHOWN)
    sure = trust.get(other.source, unshown)
    if sure <= (LIKELY if own is None else own.confidence):
        return own
    return other.model_copy(update={"confidence": sure})
