"""`gretel mock`: a catalogue as a live API, with seeded faults."""

import signal
import threading
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gretel.cli.options import CatalogPaths, FaultRate, Faults, FaultUnit, Seed, Strict, Toolkits
from gretel.cli.saying import say

if TYPE_CHECKING:
    from gretel.evaluation.mock.environment import Environment


def mock(
    catalog: CatalogPaths = None,
    toolkit: Toolkits = None,
    faults: Faults = "none",
    fault_rate: FaultRate = None,
    fault_unit: FaultUnit = "toolkit",
    seed: Seed = 7,
    port: Annotated[int, typer.Option(help="Port; 0 picks a free one.", min=0, max=65_535)] = 0,
    strict: Strict = False,
) -> None:
    """Serve the catalogue as a mock API on loopback until interrupted.

    Calls are checked against the tools' contracts. Every tool has its own place, /{tool_id}. Tools
    of the StableToolBench protocol also answer at /virtual, and the paths of a document also
    without /{tool_id} if no other document shares them. Every value of the right kind is accepted.
    """
    from gretel.cli.sources import open_catalog
    from gretel.evaluation.mock.environment import Environment
    from gretel.evaluation.mock.faults import draw_faults, read_mix
    from gretel.graph.settings import read_settings

    tools = open_catalog(catalog, read_settings(), strict=strict, toolkits=toolkit)
    mix = read_mix(faults, percent=fault_rate)
    drawn = draw_faults(tools, mix=mix, unit=fault_unit, seed=seed)
    with Environment(tools, drawn, seed=seed, port=port, waits=True) as environment:
        _tell(environment)
        _wait()


def _tell(environment: "Environment") -> None:
    kinds = Counter(environment.faults.values())
    broken = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) or "none"
    say(f"{len(environment.catalog)} tools on {environment.server_url}, broken: {broken}")
    say(f"try: gretel select … --base-url '{environment.base_url}'")


def _wait() -> None:
    """Return at the first SIGINT or SIGTERM."""
    ended = threading.Event()

    def end(number: int, frame: Any) -> None:
        ended.set()

    before = {each: signal.signal(each, end) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        ended.wait()
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
