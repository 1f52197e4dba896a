"""The four steps that ask a model, each as one call, for tests and benchmarks of true replies."""

from collections.abc import Awaitable, Callable
from typing import Any

from fakes import FakeReranker, failure, param, plan, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.llm.model import StructuredModel
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator

SEARCH = tool(
    "Sky.search",
    "Search flights between two airports on a day.",
    params=[
        param("from", {"type": "string", "pattern": "^[A-Z]{3}$"}, required=True),
        param("date", {"type": "string", "format": "date"}, required=True),
        param("cabin", {"type": "string", "enum": ["economy", "business"]}),
    ],
)
"""What is mostly asked about."""


def asking(model: StructuredModel, about: Tool) -> dict[str, Callable[[Request], Awaitable[Any]]]:
    """What each step makes of the model's reply to a request, by step; `about` is its tool."""
    catalog = Catalog.from_tools([about, *(tool(f"T{number}.x") for number in range(3))])
    trials = [trial(each.tool_id, place) for place, each in enumerate(catalog, 1)]
    simulator = LlmSimulator(model, catalog)
    call, why = plan(about.tool_id), failure("timeout")
    return {
        "rewrite": LlmRewriter(model).rewrite,
        "plan": lambda asked: LlmPlanner(model).plan(asked, about),
        "simulate": lambda asked: simulator.simulate(call, why, seed=len(asked.text)),
        "rerank": lambda asked: LlmReranker(model, catalog, FakeReranker()).rerank(asked, trials),
    }
