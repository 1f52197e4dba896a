"""Pages that need no network, no script and no other file; `report.html` is that of a run."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gretel.evaluation.measures.significance import SIGNIFICANT
from gretel.evaluation.report.cases import cases
from gretel.evaluation.report.charts import Chart, LineChart, svg
from gretel.evaluation.report.curves import abstention_chart, cost_chart, depth_chart
from gretel.evaluation.report.failures import failures
from gretel.evaluation.report.results import BASE, MEASURE, ORACLE, read_results
from gretel.evaluation.report.tables import (
    ALL_GOLD,
    MAIN,
    PLACES,
    depth_tables,
    gain_by_faults,
    measure_table,
)
from gretel.evaluation.runs.folder import showing_metrics
from gretel.files import write_whole
from gretel.text.invisible import clean

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

REPORT = "report.html"
_MINUS = "\N{MINUS SIGN}"


def write_report(run_dir: Path, out: Path | None = None) -> Path:
    """Write the report of a finished run into its folder, or into the file `out`; returns its path.

    Everything comes from the folder, and the same rows give the same page. What tools and requests
    say is escaped: none of it becomes markup, and the page forbids scripts and requests anyway.

    Raises:
        InputError: the folder holds no finished run, or a file of it is damaged.
        OSError: the file cannot be written.
    """
    from jinja2 import TemplateError

    results = read_results(run_dir)
    values: dict[str, Any] = {
        "results": results,
        "manifest": results.manifest,
        "metrics": results.metrics,
        "main": measure_table(results.tables, MAIN, tested=True),
        "all_gold": measure_table(results.all_gold, ALL_GOLD, tested=False),
        "depths": depth_tables(results),
        "by_faults": gain_by_faults(results),
        "by_depth": depth_chart(results),
        "by_cost": cost_chart(results),
        "by_threshold": abstention_chart(results),
        "failures": failures(results),
        "cases": cases(results),
    }
    with showing_metrics(run_dir, TemplateError):  # rows and manifest were checked when read
        return write_page(out or run_dir / REPORT, REPORT, **values)


def write_chart_page(
    charts: Sequence[LineChart], out: Path, *, title: str, text: str, made: Mapping[str, str]
) -> Path:
    """Write a page of charts into the file `out`, with what the figures are of and how they were
    made; a line named `mean` stands out in each. Returns its path.

    Raises:
        OSError: the file cannot be written.
    """
    return write_page(
        out, "report_chart_page.html", charts=charts, title=title, text=text, made=made
    )


def write_page(out: Path, template: str, **values: Any) -> Path:
    """Write the page that a template beside this file makes of the values; returns its path.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(out, _environment().get_template(template).render(**values))
    return out


@cache
def _environment() -> "Environment":
    """Templates beside this file, compiled once; every value is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("gretel.evaluation", "report"),
        autoescape=True,
        finalize=_seen,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "base": BASE,
        "oracle": ORACLE,
        "measure": MEASURE,
        "clear": SIGNIFICANT,
    }
    environment.filters |= {
        "score": score,
        "signed": signed,
        "p_value": p_value,
        "share": share,
        "svg": _drawn,
    }
    return environment


def _seen(value: object) -> object:
    """A value as it is shown: of a text only what can be seen."""
    return clean(value) if type(value) is str else value


def _drawn(chart: Chart) -> "Markup":
    """What needs no escape: matplotlib wrote it, and escaped what it was given."""
    from markupsafe import Markup

    return Markup(svg(chart))


def score(value: float | None) -> str:
    """A mean; a dash where there is none."""
    return "–" if value is None else f"{value:.{PLACES}f}"


def signed(value: float) -> str:
    """A difference, with its sign; none where it rounds to zero."""
    text = f"{abs(value):.{PLACES}f}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else _MINUS) + text


def p_value(p: float) -> str:
    """A p-value: `p = .012`, `p < .001`."""
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")


def share(value: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "–" if value is None else f"{value:.1%}"
