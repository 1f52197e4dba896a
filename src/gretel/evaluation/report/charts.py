"""Charts as positions in SVG units; `report_charts.html` draws them."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 520, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 12, 44
"""Margins for the axes' labels."""
_TICKS = 5
_MIN_SPAN = 0.02
"""The least that a vertical axis spans, so that noise does not look like a finding."""


class Point(NamedTuple):
    """A value."""

    x: float
    y: float


class Series(NamedTuple):
    """Values that one line joins."""

    name: str
    points: tuple[Point, ...]


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    """In SVG units."""
    label: str


class Line(NamedTuple):
    """A series as it is drawn."""

    name: str
    dots: tuple[Point, ...]
    """In SVG units."""
    values: tuple[Point, ...]

    @property
    def path(self) -> str:
        """The attribute `points` of a polyline."""
        return " ".join(f"{dot.x:.1f},{dot.y:.1f}" for dot in self.dots)


class LineChart(NamedTuple):
    """Lines over two axes."""

    title: str
    x_label: str
    y_label: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]

    @property
    def numbers(self) -> list[tuple[float, list[float]]]:
        """The values of every line at each x."""
        columns = zip(*(line.values for line in self.lines), strict=True)
        return [(points[0].x, [point.y for point in points]) for points in columns]


class Axis(NamedTuple):
    """From values to SVG units."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where `value` stands."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> tuple[Tick, ...]:
        """About `_TICKS` round values within the axis."""
        step = _round_step((self.high - self.low) / _TICKS)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        values = [place * step for place in range(first, last + 1)]
        return tuple(Tick(round(self.at(v), 1), f"{v:.{digits}f}") for v in values)


def line_chart(
    title: str,
    series: Iterable[Series],
    *,
    x_label: str,
    y_label: str,
    y_range: tuple[float, float] | None = None,
) -> LineChart | None:
    """A chart of all series; None where there is no point.

    Args:
        title: what it shows, for those who cannot see it.
        series: the lines, in the order of the legend; all with the same x.
        x_label: name of the horizontal axis.
        y_label: name of the vertical axis.
        y_range: ends of the vertical axis; None: about the values, not from zero.
    """
    series = [each for each in series if each.points]
    if not series:
        return None
    xs = [point.x for each in series for point in each.points]
    ys = [point.y for each in series for point in each.points]
    low, high = y_range or _padded(ys)
    x = Axis(min(xs), max(xs) if max(xs) > min(xs) else min(xs) + 1, LEFT, WIDTH - RIGHT)
    y = Axis(low, high, HEIGHT - BOTTOM, TOP)
    lines = tuple(
        Line(each.name, tuple(Point(x.at(p.x), y.at(p.y)) for p in each.points), each.points)
        for each in series
    )
    return LineChart(title, x_label, y_label, x.ticks(), y.ticks(), lines)


def _padded(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    missing = max(0.0, _MIN_SPAN - (high - low)) / 2
    pad = (high - low) * 0.08 + missing
    return low - pad, high + pad


def _round_step(step: float) -> float:
    """1, 2 or 5 times a power of ten, at least `step`."""
    power: float = 10.0 ** math.floor(math.log10(step))
    return next(nice * power for nice in (1, 2, 5, 10) if nice * power >= step * (1 - 1e-9))
