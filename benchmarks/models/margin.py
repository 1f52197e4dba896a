"""What an arbitrary order costs where a model may order tools whose evidence is nearly equal.

    python benchmarks/models/margin.py --data FOLDER --out RUNS [--sets NAMES] [--limit 100]
        [--orders 50]

FOLDER holds the data sets. Requests of their development parts are selected for without a model,
behind the mock with its usual faults per tool; then each ranking is put into `--orders` arbitrary
orders, as far as each margin lets it (`LlmReranker`'s own rule). Shown is the nDCG@5 that is left:
what a model that knows nothing would do to selections. Runs are kept in RUNS.
"""

import argparse
import asyncio
import random
from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path

import steps
from rich.console import Console
from rich.table import Table

from gretel.contracts.ranking import Ranking
from gretel.contracts.tool import ToolId
from gretel.evaluation.measures.measures import ndcg
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.folder import ROWS, is_finished
from gretel.evaluation.runs.rows import Row, read_rows
from gretel.nodes.rerank.bounded import Verdict, ranked
from gretel.nodes.rerank.evidence import EvidenceReranker

FACTORS = (1.0, 1.02, 1.05, 1.1, 1.25, 2.0)
"""Odds of one tool over another, up to which they may change places."""


async def left(name: str, options: argparse.Namespace) -> dict[float | None, float | None]:
    """Mean nDCG@5 of working tools, by the rules (None) and by arbitrary orders in each margin."""
    part = steps.PARTS[name][0]
    asked = replace(
        steps.evaluation(name, part, options.limit, options), index=options.out / name / "index"
    )
    folder = options.out / name / "run"
    if not is_finished(folder):
        await asked.run(folder)
    rows = {r: row for r, row in read_rows(folder / ROWS).items() if gold_of(row)}
    orders = await by_evidence(asked, rows)
    found: dict[float | None, float | None] = {None: ndcg(ids(orders), golds(rows), 5)}
    for factor in FACTORS:
        drawn = dict(arbitrary(orders, rows, log(factor), options))
        gold = {f"{r} {draw}": gold_of(row) for r, row in rows.items() for draw in draws(options)}
        found[factor] = ndcg(drawn, gold, 5)
    return found


async def by_evidence(asked: Evaluation, rows: dict[str, Row]) -> dict[str, Ranking]:
    """The re-ranker's orders of the trials that were kept."""
    base = EvidenceReranker(asked.dataset.catalog)
    texts = {each.request_id: each for each in asked.dataset.requests}
    return {
        r: await base.rerank(texts[r].to_request(today=asked.settings.today), row.trials)
        for r, row in rows.items()
    }


def arbitrary(
    orders: dict[str, Ranking], rows: dict[str, Row], margin: float, options: argparse.Namespace
) -> Iterator[tuple[str, tuple[ToolId, ...]]]:
    """Each ranking in orders that are drawn, as far as `margin` lets it."""
    for request, order in orders.items():
        for draw in draws(options):
            wanted = [place.tool_id for place in order.tools]
            random.Random(f"{options.seed} {request} {draw}").shuffle(wanted)
            moved = ranked(order, Verdict(wanted, [], {}), rows[request].trials, margin)
            yield f"{request} {draw}", tuple(place.tool_id for place in moved.tools)


def draws(options: argparse.Namespace) -> range:
    """Numbers of the orders."""
    return range(options.orders)


def gold_of(row: Row) -> frozenset[ToolId]:
    """Right tools that work."""
    return frozenset(row.gold) & frozenset(row.functioning)


def golds(rows: dict[str, Row]) -> dict[str, frozenset[ToolId]]:
    """Those of each request."""
    return {request: gold_of(row) for request, row in rows.items()}


def ids(orders: dict[str, Ranking]) -> dict[str, tuple[ToolId, ...]]:
    """The tools of each ranking."""
    return {r: tuple(place.tool_id for place in order.tools) for r, order in orders.items()}


async def main_of(options: argparse.Namespace) -> None:
    """A row a data set."""
    shown = Table(title=f"nDCG@5 left, {options.orders} orders a request; seed {options.seed}")
    for column in ("development part of", "rules", *(f"odds {factor:g}" for factor in FACTORS)):
        shown.add_column(column)
    for name in options.sets:
        found = await left(name, options)
        shown.add_row(
            name, *(f"{each:.4f}" if each is not None else "–" for each in found.values())
        )
    Console(width=140).print(shown)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--sets", type=lambda text: text.split(","), default=list(steps.PARTS))
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--orders", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    asyncio.run(main_of(parser.parse_args()))


if __name__ == "__main__":
    main()
