"""A page of charts over settings, made like the reports: no network, no script, no other file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from gretel.evaluation.report.charts import LineChart
from gretel.evaluation.report.page import environment
from gretel.evaluation.runs.settings import write_whole

_TEMPLATE = "report_chart_page.html"


def write_chart_page(
    charts: Sequence[LineChart], out: Path, *, title: str, text: str, made: Mapping[str, str]
) -> Path:
    """Write the charts into the file `out`; returns its path.

    Args:
        charts: a line named `mean` stands out in each.
        out: the page.
        title: its heading.
        text: what the figures are of.
        made: how they were made.

    Raises:
        OSError: the file cannot be written.
    """
    page = environment().get_template(_TEMPLATE)
    write_whole(out, page.render(charts=charts, title=title, text=text, made=made))
    return out
