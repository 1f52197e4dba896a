"""Parts that are asked each question once: what faults do not change is done once for all seeds."""

from collections.abc import Sequence
from dataclasses import replace

from gretel.contracts.protocols import Planner, Retriever
from gretel.contracts.ranking import Request, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import PlanResult
from gretel.graph.parts import Parts


class RememberedRetriever:
    """A retriever that is asked each question once."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._found: dict[tuple[str, ...], Retrieval] = {}

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`."""
        key = (str(k), *(query.model_dump_json() for query in queries))
        if key not in self._found:
            self._found[key] = await self._retriever.retrieve(queries, k=k)
        return self._found[key]

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`."""
        self._found.clear()
        await self._retriever.add(tools)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        self._found.clear()
        await self._retriever.remove(ids)


class RememberedPlanner:
    """A planner that plans each call once."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._plans: dict[tuple[str, ToolId], PlanResult] = {}

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """See `Planner.plan`."""
        key = (request.model_dump_json(), tool.tool_id)
        if key not in self._plans:
            self._plans[key] = await self._planner.plan(request, tool)
        return self._plans[key]


def remembering(parts: Parts) -> Parts:
    """Parts whose retriever and planner do nothing twice."""
    return replace(
        parts,
        retriever=RememberedRetriever(parts.retriever),
        planner=RememberedPlanner(parts.planner),
    )
