"""What the deterministic planner makes of a request, as plain values."""

from collections.abc import Mapping

from gretel.contracts.ranking import Message, Request
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan
from gretel.nodes.plan.deterministic import DeterministicPlanner

TODAY = "2026-11-20"


async def planned_arguments(
    tools: Mapping[str, Tool], text: str, name: str, *earlier: str
) -> dict[str, object] | None:
    """The planned arguments for the tool called `name`; None for a refusal."""
    messages = tuple(Message(role="user", content=turn) for turn in earlier)
    asked = Request(text=text, messages=messages, today=TODAY)
    result = await DeterministicPlanner().plan(asked, tools[name])
    return dict(result.values()) if isinstance(result, CallPlan) else None
