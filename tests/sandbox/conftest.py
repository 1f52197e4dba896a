"""Executors that are closed again."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sandbox_runs import MakeExecutor

from gretel.catalog import Catalog
from gretel.contracts.tool import Tool
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy


@pytest.fixture
async def executor() -> AsyncIterator[MakeExecutor]:
    """Makes executors of tools and allowed hosts; all are closed at the end."""
    async with AsyncExitStack() as stack:

        def make(*tools: Tool, allow: tuple[str, ...] = (), **options: Any) -> HttpExecutor:
            rules = options.pop("policy", None) or Policy(allow_hosts=frozenset(allow))
            made = HttpExecutor(Catalog.from_tools(tools), rules, **options)
            stack.push_async_callback(made.aclose)
            return made

        yield make
