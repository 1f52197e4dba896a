"""What honest tools do works in the child process: libraries, threads, files, programs."""

import sys
from typing import Any

import pytest

import callable_uses
from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import CallableBinding, Tool, ToolId
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.process.settings import ProcessSettings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="callables run on Linux only")

USES: dict[str, tuple[Any, dict[str, Any]]] = {
    "numbers": (3.0, {}),
    "database": (36, {}),
    "files": (["second", "third"], {}),
    "waiting": ("ab", {}),
    "certificates": (True, {}),
    "programs": (["a", "b", "c"], {"subprocesses": True}),
    "tensors": (300.0, {"memory_bytes": 8 << 30}),
}


SELDOM = {"files", "waiting", "certificates", "tensors"}
"""Uses that `make check` alone tries."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in SELDOM else n for n in USES]
)
async def test_an_honest_use_works(name: str) -> None:
    await _check(name)


async def test_a_user_without_a_home_folder_has_tools_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("os.getuid", lambda: 54_321)  # whom no file of users names

    await _check("numbers")


async def _check(name: str) -> None:
    expected, settings = USES[name]
    tool = Tool(
        tool_id=ToolId(f"uses.{name}"),
        toolkit="uses",
        operation=name,
        binding=CallableBinding(target=f"{callable_uses.__name__}:{name}"),
    )
    executor = CallableExecutor(
        Catalog.from_tools([tool]),
        Policy(safe_tools=frozenset({tool.tool_id})),
        ProcessSettings(**settings),
    )

    result = await executor.call(
        plan(tool.tool_id).model_copy(update={"arguments": {}}), budget=Budget(call_s=30.0)
    )

    failure = result.outcome.failure
    if failure is None or failure.kind != "sandbox_unavailable":  # refused, for want of layers
        assert result.body == expected, result
