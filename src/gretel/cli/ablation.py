"""What `gretel train masstool --ablation` does: run it, print the table, write table and charts."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gretel.cli.options import command_line
from gretel.cli.progress import stages
from gretel.cli.saying import print_table, say, say_json
from gretel.files import write_whole

if TYPE_CHECKING:
    from gretel.evaluation.report.charts import LineChart
    from gretel.training.masstool.data import Examples
    from gretel.training.masstool.table import Curve
    from gretel.training.masstool.train import Settings
    from gretel.training.masstool.variants import Row

FOLDER = "ablation"
TABLE, CHARTS = "table.md", "sensitivity.html"


def ablation(
    read: "Callable[[int], Examples]", settings: "Settings", out: Path, *, as_json: bool
) -> None:
    """Run or finish the ablation in a folder of `out`, and print its table, or its rows as JSON.

    Args:
        read: the examples of a seed.
        settings: of the whole model.
        out: where the artefact would be.
        as_json: print one row a line.
    """
    from gretel.training.masstool.ablation import ablate
    from gretel.training.masstool.table import SPREAD, caption, markdown, table

    folder = out / FOLDER
    with stages() as told:
        rows = ablate(read, settings, folder, told)
    text, made = caption(rows), _made(rows, settings, read(settings.first.seed).digest)
    lines = table(rows)
    write_whole(folder / TABLE, markdown(lines, f"{text} {SPREAD}", made))
    _write_charts(rows, settings, folder / CHARTS, text, made)
    if as_json:
        say_json("\n".join(row.model_dump_json() for row in rows))
        return
    print_table(("variant",), (((name,), cells) for name, cells in lines.items()))
    say(f"{text} {SPREAD}")
    for name, value in made.items():
        say(f"{name}: {value}")
    say(f"table and charts in {folder}")


def _made(rows: "list[Row]", settings: "Settings", digest: str) -> dict[str, str]:
    return {
        "command": command_line(),
        "data digest": digest,
        "seeds": ", ".join(map(str, sorted({row.seed for row in rows}))),
        "encoder": settings.encoder or "of the install",
        "preset": settings.first.preset,
    }


def _write_charts(
    rows: "list[Row]", settings: "Settings", out: Path, text: str, made: dict[str, str]
) -> None:
    from gretel.evaluation.report.page import write_chart_page
    from gretel.training.masstool.table import curves

    charts = [_chart(curve) for curve in curves(rows, settings.second.detection)]
    write_chart_page(
        [chart for chart in charts if chart],
        out,
        title="MassTool over λ and ε",
        text=f"{text} Each λ is a training of its own; one model is read with each ε.",
        made=made,
    )


def _chart(curve: "Curve") -> "LineChart | None":
    from gretel.evaluation.report.charts import Point, Series, line_chart

    labels = {"λ": "λ, weight of the detection loss", "ε": "ε, threshold of the filter (cosine)"}
    return line_chart(
        f"{curve.measure} over {curve.over}",
        [Series(name, tuple(Point(*at) for at in line)) for name, line in curve.lines.items()],
        x_label=labels[curve.over],
        y_label=curve.measure,
    )
