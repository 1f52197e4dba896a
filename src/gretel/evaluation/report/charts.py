"""Line and bar charts, drawn by matplotlib as SVG that stands in a page without scripts."""

import io
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gretel.text.foreign import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _HEIGHT = 7.2, 4.0
"""Inches; the page scales the drawing to its column."""
_BAR_HEIGHT = 0.26
"""Inches for each bar."""
_MIN_SPAN = 0.02
"""The least that a vertical axis spans, so that noise does not look like a finding."""
_MOST_MARKERS = 24
"""Lines with more points have none marked."""
_STYLE = {
    "axes.edgecolor": "quiet",
    "axes.formatter.useoffset": False,
    "axes.labelcolor": "ink",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11,
    "grid.color": "rule",
    "legend.frameon": False,
    "savefig.transparent": True,
    "svg.fonttype": "none",
    "text.color": "ink",
    "text.parse_math": False,
    "xtick.color": "quiet",
    "ytick.color": "quiet",
}
"""Colours by their names in `report.css`; the font comes with matplotlib, so that the layout is the
same on every machine."""
_LINES = {
    "retrieval": ("base", "--", 2.0),
    "llm-rerank": ("llm", ":", 2.0),
    "plain-rule": ("other", (0, (1, 1)), 2.0),
    "no-simulation": ("bare", "-.", 2.0),
    "full": ("clear", "-", 2.6),
    "oracle": ("right", (0, (9, 3)), 2.0),
    "false abstentions": ("clear", "-", 2.6),
    "false offers": ("bare", "-.", 2.0),
    "mean": ("clear", "-", 2.6),
}
"""Colour, dashes and width by the name of a series."""
_OTHER_LINE = ("base", "-", 1.2)
_WORDS = 200
"""Characters of a name or a title."""
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


class Point(NamedTuple):
    """A value."""

    x: float
    y: float


class Series(NamedTuple):
    """Values that one line joins."""

    name: str
    points: tuple[Point, ...]


class LineChart(NamedTuple):
    """Lines over two axes."""

    title: str
    """What it shows, for those who cannot see it."""
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    """In the order of the legend; all with the same x."""
    y_range: tuple[float, float] | None = None
    """Ends of the vertical axis; None: about the values, not from zero."""

    @property
    def numbers(self) -> list[tuple[float, list[float]]]:
        """The values of every line at each x."""
        columns = zip(*(each.points for each in self.series), strict=True)
        return [(points[0].x, [point.y for point in points]) for points in columns]


class Bar(NamedTuple):
    """How many trials of right tools, and of others, ended in one way."""

    name: str
    right: int = 0
    other: int = 0

    @property
    def total(self) -> int:
        """Both."""
        return self.right + self.other


class BarChart(NamedTuple):
    """Horizontal bars, the first on top."""

    title: str
    x_label: str
    bars: tuple[Bar, ...]


Chart: TypeAlias = LineChart | BarChart


def line_chart(
    title: str,
    series: Iterable[Series],
    *,
    x_label: str,
    y_label: str,
    y_range: tuple[float, float] | None = None,
) -> LineChart | None:
    """A chart of the series that have points; None where none has."""
    drawn = tuple(each for each in series if each.points)
    return LineChart(title, x_label, y_label, drawn, y_range) if drawn else None


def svg(chart: Chart) -> str:
    """The chart as an `<svg>` element for a page that `report.css` styles.

    It holds text as text, no script and nothing to fetch; the same chart gives the same element.
    Colours are the page's variables, so that they follow its light or dark scheme.
    """
    from matplotlib.figure import Figure
    from matplotlib.style import context

    chart, palette = _seen(chart), _palette()
    style = {key: palette.get(str(value), value) for key, value in _STYLE.items()}
    height = _HEIGHT if isinstance(chart, LineChart) else 1 + _BAR_HEIGHT * len(chart.bars)
    text = io.StringIO()
    with context(["default", {**style, "svg.hashsalt": chart.title}]):
        figure = Figure(figsize=(_WIDTH, height))
        axes = figure.subplots()
        if isinstance(chart, LineChart):
            _draw_lines(axes, chart, palette)
        else:
            _draw_bars(axes, chart, palette)
        figure.legend(loc="outside upper left", ncols=5)
        figure.savefig(text, format="svg", metadata=_NO_METADATA)
    return _embedded(text.getvalue(), chart.title, palette)


def _seen(chart: Chart) -> Chart:
    """The chart with names and titles of one short line each, of what can be seen: matplotlib
    prints what it has no sign for, and measures all.
    """
    said = {"title": _short(chart.title), "x_label": _short(chart.x_label)}
    if isinstance(chart, LineChart):
        lines = tuple(each._replace(name=_short(each.name)) for each in chart.series)
        return LineChart(**said, y_label=_short(chart.y_label), series=lines, y_range=chart.y_range)
    bars = tuple(each._replace(name=_short(each.name)) for each in chart.bars)
    return BarChart(**said, bars=bars)


def _short(text: str) -> str:
    return one_line(text, _WORDS)


def _draw_lines(axes: "Axes", chart: LineChart, palette: Mapping[str, str]) -> None:
    for name, points in chart.series:
        colour, dashes, width = _LINES.get(name, _OTHER_LINE)
        axes.plot(
            [point.x for point in points],
            [point.y for point in points],
            label=name,
            color=palette[colour],
            linestyle=dashes,
            linewidth=width,
            marker="o" if len(points) <= _MOST_MARKERS else None,
            markersize=4,
            clip_on=False,
        )
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.grid(axis="y")
    low, high = chart.y_range or axes.get_ylim()
    missing = max(0.0, _MIN_SPAN - (high - low)) / 2
    axes.set_ylim(low - missing, high + missing)


def _draw_bars(axes: "Axes", chart: BarChart, palette: Mapping[str, str]) -> None:
    names, right, other = zip(*chart.bars, strict=True)
    places = range(len(names))
    axes.barh(places, right, label="right tools", color=palette["right"])
    bars = axes.barh(places, other, left=right, label="others", color=palette["other"])
    axes.bar_label(bars, [str(each.total) for each in chart.bars], padding=4)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlabel(chart.x_label)


@cache
def _palette() -> dict[str, str]:
    """The light colours of the page, by name."""
    css = files("gretel.evaluation.report").joinpath("report.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--(\w+): (#\w{6})", css.partition("}")[0]))


def _embedded(document: str, title: str, palette: Mapping[str, str]) -> str:
    """The element of an SVG document, without what only a file of its own needs."""
    body = document[document.index("<svg") :].partition("</defs>")[2]
    view_box = next(re.finditer(r'viewBox="[^"]*"', document))[0]  # a name may say one, too
    for name, colour in palette.items():
        body = body.replace(colour, f"var(--{name})")
    body = re.sub(r'<g id="[^"]*">', "<g>", body)  # would stand twice in a page of two charts
    return f'<svg {view_box} role="img" aria-label="{escape(title)}">{body}'
