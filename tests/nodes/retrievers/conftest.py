"""Tiny catalogues, and the real encoder, loaded once."""

from collections.abc import Callable

import pytest

from gretel.contracts.tool import NoBinding, Parameter, Tool, ToolId
from gretel.nodes.retrievers.encoder import Encoder


def _make_tool(
    operation: str, description: str, *, toolkit: str = "demo", parameters: tuple[str, ...] = ()
) -> Tool:
    return Tool(
        tool_id=ToolId(f"{toolkit}.{operation}"),
        toolkit=toolkit,
        operation=operation,
        description=description,
        parameters=tuple(
            Parameter(
                name=name,
                wire_name=name,
                location="query",
                required=True,
                json_schema={"type": "string"},
            )
            for name in parameters
        ),
        binding=NoBinding(),
    )


@pytest.fixture
def make_tool() -> Callable[[str, str], Tool]:
    return _make_tool


@pytest.fixture
def tools() -> list[Tool]:
    return [
        _make_tool("get_forecast", "Weather forecast of a city.", toolkit="Sky"),
        _make_tool("search_flights", "Find flights between two airports.", toolkit="Kayak"),
        _make_tool("search_hotels", "Find hotel rooms in a city.", toolkit="Kayak"),
        _make_tool("convert", "Convert an amount of money between currencies.", toolkit="Bank"),
        _make_tool("погода", "Получить прогноз погоды для города.", toolkit="Метео"),
        _make_tool("机票", "查询两个城市之间的航班和机票价格。", toolkit="携程"),
    ]


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder()
