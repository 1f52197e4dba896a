"""GRETEL: pick the right tools out of thousands by trying them.

    import gretel
    catalog = gretel.Catalog.from_openapi("flights.yaml")
    selection = gretel.Selector(catalog).select("Find me a one-way flight …")

`gretel.errors` has every exception, `gretel.protocols` every part that can be replaced.
Names are loaded on first use, so that `import gretel` is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gretel import errors, protocols
    from gretel.catalog import Catalog
    from gretel.contracts.budget import Budget, Usage
    from gretel.contracts.errors import GretelError
    from gretel.contracts.ranking import Selection
    from gretel.contracts.tool import Tool
    from gretel.graph.agent_facade import Agent
    from gretel.graph.selector import Selector
    from gretel.sandbox.network.gate import OriginLimits
    from gretel.sandbox.permission.policy import Policy
    from gretel.sandbox.process.settings import ProcessSettings

    __version__: str

_HOMES = {
    "Agent": "gretel.graph.agent_facade",
    "Budget": "gretel.contracts.budget",
    "Catalog": "gretel.catalog",
    "GretelError": "gretel.contracts.errors",
    "OriginLimits": "gretel.sandbox.network.gate",
    "Policy": "gretel.sandbox.permission.policy",
    "ProcessSettings": "gretel.sandbox.process.settings",
    "Selection": "gretel.contracts.ranking",
    "Selector": "gretel.graph.selector",
    "Tool": "gretel.contracts.tool",
    "Usage": "gretel.contracts.budget",
}

__all__ = (
    "Agent",
    "Budget",
    "Catalog",
    "GretelError",
    "OriginLimits",
    "Policy",
    "ProcessSettings",
    "Selection",
    "Selector",
    "Tool",
    "Usage",
    "errors",
    "protocols",
)

_MODULES = ("errors", "protocols")


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("gretel")
    if name in _MODULES:
        return import_module(f"gretel.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'gretel' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
