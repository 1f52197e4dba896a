"""A small evaluation, for commands that read a run's folder."""

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId
from gretel.datasets.judged import Dataset, JudgedRequest
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.settings import RunSettings


def evaluation() -> Evaluation:
    tools = [tool(f"Kit.{name}", f"About {name}.", params=["city"]) for name in "abc"]
    requests = tuple(
        JudgedRequest(f"q{n}", f"About {name} in Oslo", frozenset({ToolId(f"Kit.{name}")}))
        for n, name in enumerate("abcab")
    )
    settings = RunSettings(retriever="fake", pipelines=("retrieval", "full"), depth=3)
    data = Dataset("small", Catalog.from_tools(tools), requests, "digest", ())
    return Evaluation(data, settings, retriever=FakeRetriever(tools, needs_tool=1.0))
