"""Run by Evidently's own Python: what a bakery's models said in November.

Identifiers are random: with a fixed source they are the same wherever this runs.
"""

import random
import sys
from datetime import datetime, timedelta

import pandas as pd
import uuid6
from evidently import DataDefinition, Dataset, Regression, Report
from evidently.metrics import DriftedColumnsCount, MeanValue, MissingValueCount, RowCount
from evidently.presets import DataSummaryPreset, RegressionPreset
from evidently.sdk.models import PanelMetric
from evidently.sdk.panels import counter_panel, line_plot_panel, text_panel
from evidently.ui.workspace import Workspace

CHANCE = random.Random(1109)
IDS = random.Random(27)
uuid6.uuid7 = lambda: uuid6.UUID(int=IDS.getrandbits(128), version=7)

BREADS = ("rye", "spelt", "baguette", "raisin bun")
BRANCHES = ("harbour", "station", "old town")


def orders(first, days, warmer=0.0, holes=0):
    """What was baked and sold, a row for each bread, branch and day."""
    rows = []
    for day in range(days):
        for branch in BRANCHES:
            for bread in BREADS:
                temperature = 9 - 4 * (day % 5) / 5 + warmer + CHANCE.random()
                sold = 40 + 6 * BREADS.index(bread) + 9 * BRANCHES.index(branch)
                sold += CHANCE.randrange(9) - temperature
                guess = sold + CHANCE.gauss(warmer, 3)
                rows.append((first + timedelta(day), branch, bread, temperature, sold, guess))
    columns = ["day", "branch", "bread", "temperature", "sold", "forecast"]
    frame = pd.DataFrame(rows, columns=columns).round(1)
    frame.loc[frame.index[:holes], "temperature"] = None
    return frame


FORECAST = DataDefinition(
    numerical_columns=["temperature", "sold", "forecast"],
    categorical_columns=["branch", "bread"],
    datetime_columns=["day"],
    regression=[Regression(target="sold", prediction="forecast")],
)
RUNS = (  # first day, warmer, holes, tags, what else is noted
    (datetime(2026, 10, 26), 0.0, 0, ["production", "weekly"], ("bread-3.1", "north")),
    (datetime(2026, 11, 2), 0.5, 0, ["production", "weekly"], ("bread-3.1", "north")),
    (datetime(2026, 11, 9), 6.0, 5, ["production", "warm spell"], ("bread-3.1", "south")),
    (datetime(2026, 11, 16), 0.2, 0, ["candidate"], ("bread-4.0", "north")),
)
VANS = (  # day, tags
    (10, ["production"]),
    (24, ["production", "after the new route"]),
)
PROMPTS = {
    "polite-reply": (
        "Answer the complaint politely.",
        "Answer the complaint politely, in at most four sentences.",
        "Answer the complaint politely, in at most four sentences, and offer a voucher of 5 EUR.",
    ),
    "translate-to-frisian": ("Translate the reply into Frisian.",),
}
COMPLAINTS = (
    ("2026-11-03", "harbour", "The rye loaf was burnt underneath.", "refund"),
    ("2026-11-05", "station", "No spelt left at eight in the morning!", "apology"),
    ("2026-11-12", "station", "The raisin buns had no raisins.", "voucher"),
    ("2026-11-19", "old town", "Waited twenty minutes in the queue.", "apology"),
)


def bread(space):
    """The forecast of demand: four runs, three panels, two tables."""
    project = space.create_project("Bread demand forecast", description="How many loaves to bake")
    reference = Dataset.from_pandas(orders(datetime(2026, 10, 1), 14), FORECAST)
    for first, warmer, holes, tags, (model, oven) in RUNS:
        current = Dataset.from_pandas(orders(first, 7, warmer, holes), FORECAST)
        report = Report([DataSummaryPreset(), RegressionPreset(), DriftedColumnsCount()])
        run = report.run(
            current,
            reference,
            timestamp=first + timedelta(days=6, hours=18, minutes=30),
            tags=tags,
            metadata={"model": model, "oven": oven},
            name=f"week of {first.day} {first:%b}",
        )
        space.add_run(project.id, run)
    board = project.dashboard
    board.add_panel(text_panel(title="Loaves and buns", description="Ask Wietske before changes"))
    rows = PanelMetric(legend="rows", metric="evidently:metric_v2:RowCount")
    board.add_panel(counter_panel(title="Rows checked", values=[rows], aggregation="sum"))
    mean = PanelMetric(
        legend="sold", metric="evidently:metric_v2:MeanValue", metric_labels={"column": "sold"}
    )
    board.add_panel(line_plot_panel(title="Sold a day", values=[mean]))
    space.add_dataset(project.id, reference, "orders-october", "What the forecast learnt from")
    warm = Dataset.from_pandas(orders(datetime(2026, 11, 9), 7, 6.0, 5), FORECAST)
    space.add_dataset(project.id, warm, "orders-warm-spell", "Week of 9 November")


def vans(space):
    """Which deliveries come late: two runs."""
    project = space.create_project("Late delivery classifier", description="Vans of the bakery")
    columns = DataDefinition(
        numerical_columns=["minutes", "stops"], categorical_columns=["van", "late"]
    )
    for day, tags in VANS:
        rows = [
            (f"van {1 + number % 3}", 30 + CHANCE.randrange(40), 4 + number % 5, number % 4 == 0)
            for number in range(40)
        ]
        frame = pd.DataFrame(rows, columns=["van", "minutes", "stops", "late"])
        frame["late"] = frame["late"].map({True: "yes", False: "no"})
        report = Report([RowCount(), MeanValue(column="minutes"), MissingValueCount(column="van")])
        run = report.run(
            Dataset.from_pandas(frame, columns),
            None,
            timestamp=datetime(2026, 11, day, 6, 0),
            tags=tags,
            metadata={"model": "late-1.4"},
        )
        space.add_run(project.id, run)


def replies(space):
    """What a language model is told for answers to complaints."""
    project = space.create_project("Complaint replies", description="Answers to letters and mails")
    for name, texts in PROMPTS.items():
        prompt = space.prompts.create_prompt(project.id, name)
        for text in texts:
            space.prompts.bump_prompt_version(prompt.id, text)
    columns = ["day", "branch", "complaint", "answer"]
    frame = pd.DataFrame(COMPLAINTS, columns=columns)
    kinds = DataDefinition(text_columns=["complaint"], categorical_columns=["branch", "answer"])
    space.add_dataset(
        project.id, Dataset.from_pandas(frame, kinds), "complaints-november", "Letters and mails"
    )


made = Workspace.create(sys.argv[1])
bread(made)
vans(made)
replies(made)
