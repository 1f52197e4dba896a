"""How attacks on the child process are run, and how survivors are looked for."""

import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hostile_callables
import hostile_reach

from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import CallableBinding, Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan, CallResult
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.process.settings import ProcessSettings

BRAND = os.environ.get("BRAND") or f"gretel-test-{uuid.uuid4().hex}"
"""Stands in the environment of every process that a test starts."""
BUDGET = Budget(call_s=10.0, bytes_decoded=200_000)


async def attack(
    function: str | Callable[..., Any],
    arguments: dict[str, Any] | None = None,
    *,
    seconds: float = 10.0,
    **settings: Any,
) -> CallResult:
    """Call a hostile callable in the sandbox, as a tool that the user marked safe."""
    name = function if isinstance(function, str) else function.__name__
    home = hostile_reach if hasattr(hostile_reach, name) else hostile_callables
    tool = Tool(
        tool_id=ToolId(f"hostile.{name}"),
        toolkit="hostile",
        operation=name,
        binding=CallableBinding(target=f"{home.__name__}:{name}"),
    )
    options = {"environment": {"BRAND": BRAND}, **settings}
    executor = CallableExecutor(
        Catalog.from_tools([tool]),
        Policy(safe_tools=frozenset({tool.tool_id})),
        ProcessSettings(**options),
    )
    budget = BUDGET.model_copy(update={"call_s": seconds})
    return await executor.call(planned(tool, arguments or {}), budget=budget)


def planned(tool: Tool, arguments: dict[str, Any]) -> CallPlan:
    values = {name: Argument(value=value, source="context") for name, value in arguments.items()}
    return plan(tool.tool_id).model_copy(update={"arguments": values})


def survivors() -> list[str]:
    """Processes of this test run that are alive, after giving the dying a moment."""
    for _ in range(100):
        if not alive():
            return []
        time.sleep(0.05)
    return alive()


def alive() -> list[str]:
    """Ids of the processes of this test run."""
    return [place.name for place in Path("/proc").iterdir() if _is_ours(place)]


def _is_ours(place: Path) -> bool:
    try:
        dead = (place / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
        return not dead and BRAND.encode() in (place / "environ").read_bytes()
    except (OSError, IndexError):
        return False
