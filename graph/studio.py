"""The graphs that `langgraph.json` names, `gretel` and `agent`, composed from the environment."""

from pathlib import Path

from gretel.graph.agent import build_agent
from gretel.graph.agent_parts import agent_parts
from gretel.graph.build import build_graph
from gretel.graph.compose import compose
from gretel.graph.settings import load_catalog, make_policy, read_settings
from gretel.graph.sources import Source

EXAMPLE = Path("examples/flights/specs")
"""The catalogue where `GRETEL_CATALOG` names none; `langgraph dev` runs in the checkout's root."""

_settings = read_settings()
_catalog = load_catalog(_settings.catalogs() or [Source(EXAMPLE)])

_parts = compose(
    _catalog,
    retriever=_settings.retriever,
    artifact=_settings.artifact,
    candidates=_settings.candidates,
    model=_settings.opened_model(),
    calibration=_settings.calibration,
    plan_batch=_settings.plan_batch,
    policy=make_policy(_catalog, _settings.hosts(), _settings.base_url, _settings),
    index=_settings.index,
)
graph = build_graph(_parts)
agent = build_agent(agent_parts(_parts))
