"""`RoutedExecutor`: hands each plan to the executor of its tool's kind."""

from collections.abc import Mapping

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.protocols import Executor
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, CallResult, Outcome


class RoutedExecutor:
    """One executor for tools of several kinds."""

    def __init__(
        self, catalog: Catalog, default: Executor, by_kind: Mapping[str, Executor]
    ) -> None:
        """Route by the `kind` of a tool's binding; what `by_kind` does not name goes to `default`,
        and so does a tool that the catalogue does not have.
        """
        self._catalog = catalog
        self._default = default
        self._by_kind = by_kind

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """See `Executor.execute`."""
        return await self._for(plan.tool_id).execute(plan, budget=budget)

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """See `Executor.call`."""
        return await self._for(plan.tool_id).call(plan, budget=budget)

    def _for(self, tool_id: ToolId) -> Executor:
        if tool_id not in self._catalog:
            return self._default
        return self._by_kind.get(self._catalog[tool_id].binding.kind, self._default)
