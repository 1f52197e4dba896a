"""`gretel mock`: a catalogue as a live API, with seeded faults."""

import signal
import threading
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gretel.cli.options import CatalogPaths, Strict

if TYPE_CHECKING:
    from gretel.evaluation.environment import Environment


class Unit(StrEnum):
    """What a fault is drawn for."""

    tool = "tool"
    toolkit = "toolkit"


def mock(
    catalog: CatalogPaths = None,
    faults: Annotated[
        str,
        typer.Option(metavar="none|default|FILE", help="Mix of faults; FILE: JSON, shares of 100."),
    ] = "none",
    fault_unit: Annotated[Unit, typer.Option(help="What a fault is drawn for.")] = Unit.tool,
    seed: Annotated[int, typer.Option(help="Decides faults, answers and latencies.")] = 7,
    port: Annotated[int, typer.Option(help="0: a free one.", min=0, max=65_535)] = 0,
    strict: Strict = False,
) -> None:
    """Serve the catalogue on loopback until interrupted; contracts are enforced.

    Every tool has its own place, /{tool_id}; tools of the StableToolBench protocol also answer at
    /virtual, and the paths of a document also without /{tool_id} where no other shares them.
    """
    from gretel.cli.sources import open_catalog
    from gretel.evaluation.environment import Environment
    from gretel.evaluation.faults import draw_faults
    from gretel.graph.settings import read_settings

    tools = open_catalog(catalog, read_settings(), strict=strict)
    drawn = draw_faults(tools, mix=faults, unit=fault_unit.value, seed=seed)
    with Environment(tools, drawn, seed=seed, port=port, waits=True) as environment:
        _tell(environment)
        _wait()


def _tell(environment: "Environment") -> None:
    kinds = Counter(fault.kind for fault in environment.faults.values())
    broken = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) or "none"
    typer.echo(f"{len(environment.catalog)} tools on {environment.server_url}, broken: {broken}")
    typer.echo(f"try: gretel select … --base-url '{environment.base_url}'")


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
