"""Tools of made-up services, and what the rules plan for them."""

from collections.abc import Mapping
from typing import Any

from fakes import param, request, tool
from gretel.contracts.ranking import Message, Request
from gretel.contracts.tool import HttpBinding, Parameter, Tool
from gretel.contracts.trial import CallPlan, PlanResult
from gretel.nodes.plan.deterministic import DeterministicPlanner

PLANNER = DeterministicPlanner()


def made(about: str, path: str = "/x", /, *, needs: str = "", **given: Any) -> Tool:
    """A GET with these parameters, by their schema or its type; `needs` are required."""

    def one(name: str, schema: Any) -> Parameter:
        named = "{" + name + "}" in path
        return param(
            name,
            {"type": schema} if isinstance(schema, str) else schema,
            required=named or name in needs.split(),
            location="path" if named else "query",
            description=schema.get("description", "") if isinstance(schema, dict) else "",
        )

    params = [one(name, schema) for name, schema in given.items()]
    return tool("svc.get", about, params=params, binding=HttpBinding(method="GET", path=path))


def required(name: str, about: str = "", **schema: Any) -> Parameter:
    """A required parameter, a text unless the schema says otherwise."""
    return param(name, {"type": "string", **schema}, required=True, description=about)


async def planned(
    text: str, asked: Tool, *before: str, today: str = "2026-05-14", **context: Any
) -> PlanResult:
    """What the rules make of a request for a tool, behind other turns and with known values."""
    turns = tuple(Message(role="user", content=turn) for turn in before)
    return await PLANNER.plan(
        Request(text=text, messages=turns, today=today, context=context), asked
    )


async def planned_arguments(
    tools: Mapping[str, Tool], text: str, name: str, *before: str
) -> dict[str, object] | None:
    """What is planned for the tool called `name`, as plain values; None for a refusal."""
    result = await planned(text, tools[name], *before, today="2026-11-20")
    return dict(result.values()) if isinstance(result, CallPlan) else None


async def plan_of(asked: Request | str, *parameters: Parameter, **fields: Any) -> PlanResult:
    """What the rules make of a request for a tool with these parameters."""
    asked = request(asked) if isinstance(asked, str) else asked
    return await PLANNER.plan(asked, tool("Kit.operation", params=parameters, **fields))


def values(result: PlanResult) -> dict[str, object]:
    """The arguments of what must be a call."""
    assert isinstance(result, CallPlan), result
    return dict(result.values())
