"""Callables that are no functions are called as they are described."""

from datetime import date
from functools import partial
from typing import Any

import pytest
from langchain_core.tools import Tool as LangTool

from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor


class Calendar:
    def __call__(self, day: date) -> str:
        """What is on a day."""
        return f"{day!r}"


def counted(unit: str, day: date, *rest: str, times: int = 1) -> str:
    """What is counted."""
    return f"{unit} {day.month} {times} {rest}"


@pytest.mark.parametrize(
    ("target", "given", "said"),
    [
        (Calendar(), {"day": "2026-12-04"}, "datetime.date(2026, 12, 4)"),
        (partial(counted, "m", times=2), {"day": "2026-12-04"}, "m 12 2 ()"),
        (LangTool("back", lambda text: text[::-1], "Turn a text."), {"text": "abc"}, "cba"),
        (LangTool("count", len, "Count letters."), {"tool_input": "abc"}, 3),
    ],
)  # fmt: skip
async def test_what_is_no_function_is_called_as_it_is_described(
    target: Any, given: dict[str, Any], said: Any
) -> None:
    (tool,) = catalog = Catalog.from_callables([target])
    assert catalog.live
    executor = CallableExecutor(catalog, Policy(safe_tools=frozenset({tool.tool_id})))

    assert (await executor.call(plan(tool.tool_id, **given), budget=Budget(call_s=10))).body == said
