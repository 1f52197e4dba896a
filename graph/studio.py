"""The graphs that `langgraph.json` names, `gretel` and `agent`, composed from the environment."""

from pathlib import Path

from gretel.contracts.errors import ConfigurationError
from gretel.graph.agent import build_agent
from gretel.graph.agent_parts import agent_parts
from gretel.graph.build import build_graph
from gretel.graph.compose import compose
from gretel.graph.settings import Settings, load_catalog, make_policy, read_settings
from gretel.graph.sources import Source

EXAMPLE = Path("examples/flights/specs")
"""The catalogue where `GRETEL_CATALOG` names none, and `langgraph dev` runs in the checkout."""


def _sources(settings: Settings) -> list[Source]:
    """What to serve.

    Raises:
        ConfigurationError: nothing is named, and the example is not here.
    """
    named = settings.catalogs()
    if not named and not EXAMPLE.exists():
        remedy = "Name a catalogue in it: PATH, or PATH@URL of the service."
        raise ConfigurationError("is not set", field="GRETEL_CATALOG", remedy=remedy)
    return named or [Source(EXAMPLE)]


_settings = read_settings()
_catalog = load_catalog(_sources(_settings))

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
