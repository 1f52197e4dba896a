"""The chart of a soak: memory, sockets and CPU time over the run, as one SVG."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

WIDTH, HEIGHT, MARGIN = 900, 160, 60
_MOST = 900
"""Points of a line; each is the largest value of its stretch."""


class Sample(Protocol):
    """What is drawn of one selection."""

    @property
    def second(self) -> float:
        """Since the start."""
        ...

    @property
    def rss_mb(self) -> float:
        """Resident memory."""
        ...

    @property
    def sockets(self) -> int:
        """Open ones."""
        ...

    @property
    def own_ms(self) -> float:
        """CPU time of the selection."""
        ...


def draw(rows: Sequence[Sample], path: Path) -> None:
    """Write the chart of `rows` to `path`."""
    seconds = [row.second for row in rows]
    panels = {
        "resident memory, MB": [row.rss_mb for row in rows],
        "open sockets": [float(row.sockets) for row in rows],
        "CPU time of a selection, ms": [row.own_ms for row in rows],
    }
    parts = [_panel(n, name, seconds, values) for n, (name, values) in enumerate(panels.items())]
    size = f'viewBox="0 0 {WIDTH} {HEIGHT * len(parts)}"'
    style = "<style>text{font:12px sans-serif}polyline{fill:none;stroke:#2563eb}</style>"
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}{"".join(parts)}</svg>\n'
    )


def _panel(number: int, name: str, seconds: Sequence[float], values: Sequence[float]) -> str:
    """One line over its own axis, which begins at zero."""
    top, bottom = number * HEIGHT + 25, (number + 1) * HEIGHT - 20
    end, most = seconds[-1] or 1.0, max(values) or 1.0
    step = -(-len(values) // _MOST)
    points = " ".join(
        f"{MARGIN + seconds[at] / end * (WIDTH - MARGIN - 10):.1f},"
        f"{bottom - max(values[at : at + step]) / most * (bottom - top):.1f}"
        for at in range(0, len(values), step)
    )
    return (
        f'<text x="{MARGIN}" y="{top - 8}">{name}</text>'
        f'<text x="{MARGIN - 6}" y="{top + 4}" text-anchor="end">{most:.0f}</text>'
        f'<text x="{MARGIN - 6}" y="{bottom}" text-anchor="end">0</text>'
        f'<text x="{WIDTH - 10}" y="{bottom + 14}" text-anchor="end">{end:.0f} s</text>'
        f'<path d="M{MARGIN} {top}V{bottom}H{WIDTH - 10}" fill="none" stroke="#999"/>'
        f'<polyline points="{points}"/>'
    )
