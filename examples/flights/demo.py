"""The case study of the GRETEL paper (section 4.5), on a real catalogue and a real API server.

`python examples/flights/demo.py` asks for a flight, then for things that no tool of the catalogue
does. The last line is for programs: `RESULT {"ranking": [...], "abstained": false}`.
"""

import argparse
import json
from collections.abc import Sequence
from datetime import date

from rich.console import Console
from rich.table import Table
from rich.text import Text
from server import ApiServer

import gretel
from gretel.contracts.ranking import RankedTool
from gretel.contracts.trial import CallPlan, Trial
from gretel.graph.selector import BoundSelection

REQUEST = "Find me a one-way flight from San Francisco to New York for next Tuesday."
UNSERVED = (
    "How do I mend a leaking kitchen tap?",
    "Write a short poem about autumn leaves.",
    "Refactor this Python function to use a generator.",
    "Fold this protein sequence and show me its structure.",
    "Solve the integral of x squared times sine of x.",
)
"""Requests that no operation of the documents serves."""
TABLE_WIDTH = 120
PATIENT = gretel.Budget(wall_s=600, trial_s=60)
"""A fresh machine compiles and loads everything within the first selection."""


def select_all(
    requests: Sequence[str], today: date, *, model: str | None
) -> tuple[gretel.Catalog, list[BoundSelection]]:
    """Select for each request, against an API server that runs meanwhile."""
    with ApiServer(today=today) as server:
        catalog = server.catalogue()
        policy = gretel.Policy(allow_hosts=frozenset(server.hosts))
        with gretel.Selector(catalog, model=model, calibration="all", policy=policy) as selector:
            return catalog, [
                selector.select(text, k=10, today=today, budget=PATIENT) for text in requests
            ]


def result_of(selection: BoundSelection) -> dict[str, object]:
    """What a program wants to know: the tools offered, best first."""
    ranking = [tool.tool_id for tool in selection.tools]
    return {"ranking": ranking, "abstained": selection.abstained}


def show(console: Console, request: str, selection: BoundSelection) -> None:
    """Print a request, and how the trials changed the order of its candidates."""
    console.print(Text(f"\n{request}", style="bold"))
    if selection.abstention is not None:
        console.print(Text(f"{selection.abstention.reason}: {selection.abstention.detail}"))
        for tool in selection.lacking:
            console.print(Text(f"{tool.tool_id} lacks {tool.lacks}"))
        return
    console.print(_ranking_table(selection))
    for question in _questions(selection):
        console.print(Text(question))


def _questions(selection: BoundSelection) -> list[str]:
    """What to ask the user for the tools that retrieval preferred to the one now first."""
    first = selection.tools[0]
    preferred = {tool.tool_id for tool in selection.tools if tool.rank_before < first.rank_before}
    return [
        f"To use {field.tool_id}, ask for {field.name}: {field.description}"
        for field in selection.missing
        if field.tool_id in preferred
    ]


def _ranking_table(selection: BoundSelection) -> Table:
    table = Table(show_lines=True)
    table.add_column("before", justify="right")
    table.add_column("after", justify="right")
    table.add_column("tool", no_wrap=True)
    table.add_column("what was planned")
    table.add_column("what happened, and why it stands here")
    for tool in selection.tools:
        table.add_row(*_cells(tool, tool.trial))
    return table


def _cells(tool: RankedTool, trial: Trial) -> list[Text]:
    """A row; `Text`, so that nothing an API says is read as markup."""
    planned = "no call"
    if isinstance(trial.plan, CallPlan):
        values = trial.plan.values().items()
        planned = "\n".join(f"{name}={value}" for name, value in values) or "no arguments"
    status = trial.outcome.status
    style = {"succeeded": "green", "refused": "yellow"}.get(status, "red")
    return [
        Text(str(tool.rank_before)),
        Text(str(tool.rank)),
        Text(tool.tool_id, style="bold" if tool.rank == 1 else ""),
        Text(planned),
        Text(tool.reason, style=style if trial.simulated is None else "cyan"),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--request", default=REQUEST, help="what to ask instead of the flight")
    parser.add_argument(
        "--today",
        type=date.fromisoformat,
        default=date.today(),
        help="day that 'next Tuesday' counts from, YYYY-MM-DD",
    )
    parser.add_argument("--model", help="provider:model of an LLM, instead of none")
    parser.add_argument("--json", action="store_true", help="print one JSON object, no tables")
    return parser.parse_args()


def main() -> None:
    """Run the demonstration."""
    options = _options()
    requests = (options.request, *UNSERVED)
    catalog, selections = select_all(requests, options.today, model=options.model)
    result = result_of(selections[0])
    if options.json:
        dumped = [selection.model_dump(mode="json") for selection in selections]
        asked = [{"request": r, "selection": s} for r, s in zip(requests, dumped, strict=True)]
        print(json.dumps({"result": result, "requests": asked}, ensure_ascii=False))
        return
    console = Console(highlight=False)
    console.width = max(console.width, TABLE_WIDTH)
    toolkits = len({tool.toolkit for tool in catalog})
    console.print(f"{len(catalog)} operations of {toolkits} API documents, today {options.today}")
    for request, selection in zip(requests, selections, strict=True):
        show(console, request, selection)
    print("RESULT", json.dumps(result))


if __name__ == "__main__":
    main()
