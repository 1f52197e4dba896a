"""The chart of a soak: memory, sockets and CPU time over the run, as one SVG."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure


class Row(NamedTuple):
    """One selection."""

    second: float
    """Since the start."""
    rss_mb: float
    sockets: int
    wall_ms: float
    own_ms: float
    """CPU time."""


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write the chart of `rows` to `path`; every axis begins at zero."""
    figure = Figure(figsize=(12, 7), layout="constrained")
    panels = {
        "resident memory, MB": [row.rss_mb for row in rows],
        "open sockets": [row.sockets for row in rows],
        "CPU time of a selection, ms": [row.own_ms for row in rows],
    }
    seconds = [row.second for row in rows]
    for axes, (name, values) in zip(figure.subplots(3, sharex=True), panels.items(), strict=True):
        axes.plot(seconds, values, linewidth=1)
        axes.set_ylabel(name)
        axes.set_ylim(bottom=0)
    axes.set_xlabel("seconds")
    figure.savefig(path, metadata={"Date": None})
