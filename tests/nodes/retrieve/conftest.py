"""A tiny catalogue, and the real encoder, loaded once."""

import numpy as np
import pytest

from fakes import tool
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.signals import ToolIndex


@pytest.fixture
def tools() -> list[Tool]:
    return [
        tool("Sky.get_forecast", "Weather forecast of a city."),
        tool("Kayak.search_flights", "Find flights between two airports."),
        tool("Kayak.search_hotels", "Find hotel rooms in a city."),
        tool("Bank.convert", "Convert an amount of money between currencies."),
        tool("Метео.погода", "Получить прогноз погоды для города."),
        tool("携程.机票", "查询两个城市之间的航班和机票价格。"),
    ]


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder()


@pytest.fixture
def index() -> ToolIndex:
    """Two tools whose vectors have nothing in common."""
    tools = [tool("demo.forecast", "Weather forecast."), tool("demo.quote", "Price of a share.")]
    return ToolIndex(tools, np.eye(2, dtype=np.float32))
