"""Functions and LangChain tools that catalogues are made of in tests; importable by name."""

import datetime
from collections.abc import Callable
from typing import Any, Literal

from langchain_core.tools import BaseTool, StructuredTool, tool


def forecast(city: str, days: int = 3) -> dict[str, Any]:
    """Weather forecast of a city.

    Args:
        city: name of the city.
        days: how many days.
    """
    return {"city": city, "days": days, "sky": "clear"}


def day_of(day: datetime.date, unit: Literal["name", "number"] = "name") -> dict[str, Any]:
    """Weekday of a date."""
    return {"day": day, "weekday": day.strftime("%A") if unit == "name" else day.isoweekday()}


async def later(city: str) -> dict[str, str]:
    """Weather, after a while."""
    return {"city": city, "sky": "cloudy"}


def undocumented(city: str) -> str:
    return city


def make() -> Callable[[str], dict[str, str]]:
    """A factory of a callable."""

    def made(city: str) -> dict[str, str]:
        """Weather by a client that a factory makes."""
        return {"city": city, "sky": "rain"}

    return made


class Client:
    """Stands for a live connection."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def search(self, city: str) -> dict[str, str]:
        """Search by a live client."""
        self.asked.append(city)
        return {"city": city, "sky": "live"}

    def as_tool(self) -> BaseTool:
        """A closure over this client."""
        return StructuredTool.from_function(self.search, name="live_search")


@tool
def named_tool(city: str) -> dict[str, str]:
    """A LangChain tool at the top of its module."""
    return {"city": city, "sky": "named"}
