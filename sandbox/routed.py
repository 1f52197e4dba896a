"""`RoutedExecutor`: hands each plan to the executor of its tool's kind.

One that the caller brought has a policy of its own, or none: a tool that is marked unsafe here is
handed to nobody.
"""

from collections.abc import Mapping

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.protocols import Executor
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, CallResult, Outcome
from gretel.sandbox.answers.results import unavailable
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.permission.refusals import unsafe


class RoutedExecutor:
    """One executor for tools of several kinds."""

    def __init__(
        self,
        catalog: Catalog,
        policy: Policy,
        default: Executor,
        by_kind: Mapping[str, Executor],
    ) -> None:
        """Route by the `kind` of a tool's binding; what `by_kind` does not name goes to `default`,
        and so does a tool that the catalogue does not have.
        """
        self._catalog = catalog
        self._policy = policy
        self._default = default
        self._by_kind = by_kind

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """See `Executor.execute`."""
        refused = self._refused(plan.tool_id)
        if refused is not None:
            return refused.outcome
        return await self._for(plan.tool_id).execute(plan, budget=budget)

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """See `Executor.call`."""
        refused = self._refused(plan.tool_id)
        return refused or await self._for(plan.tool_id).call(plan, budget=budget)

    def _refused(self, tool_id: ToolId) -> CallResult | None:
        """What comes of a call of a tool that the user marked unsafe."""
        if tool_id not in self._catalog or not self._policy.forbidden(self._catalog[tool_id]):
            return None
        return unavailable(unsafe("The user marked this tool unsafe"))

    def _for(self, tool_id: ToolId) -> Executor:
        if tool_id not in self._catalog:
            return self._default
        return self._by_kind.get(self._catalog[tool_id].binding.kind, self._default)
