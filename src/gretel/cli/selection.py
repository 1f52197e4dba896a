"""A selection as a table for a terminal."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from gretel.contracts.ranking import RankedTool
    from gretel.contracts.trial import Trial
    from gretel.graph.selector import BoundSelection

_STYLE = {"succeeded": "green", "empty": "yellow", "refused": "yellow", "failed": "red"}


def print_selection(selection: "BoundSelection", console: Console | None = None) -> None:
    """Print every tool tried, in order, and what the caller gets."""
    console = console or Console()
    if selection.ranking is not None:
        console.print(_table(selection))
    if selection.abstention is not None:
        why = selection.abstention
        console.print(f"[bold]No tool is offered[/] ({why.reason}): {escape(why.detail)}")
    if selection.missing:
        console.print("To ask the user:")
        for field in selection.missing:
            console.print(f"  {escape(field.name)} for {escape(field.tool_id)}")
    if selection.hosts:
        hosts = " ".join(f"--allow-host {host}" for host in selection.hosts)
        console.print(f"Not called without your leave; to call them: {escape(hosts)}")
    for note in selection.notes:
        console.print(f"note: {escape(note)}")


def _table(selection: "BoundSelection") -> Table:
    offered = set() if selection.abstained else {tool.tool_id for tool in selection.tools}
    trials = {trial.tool_id: trial for trial in selection.trials}
    table = Table(expand=True)
    table.add_column("rank", justify="right")
    table.add_column("before", justify="right")
    table.add_column("tool", overflow="fold", ratio=2)
    table.add_column("trial")
    table.add_column("why", overflow="fold", ratio=5)
    for ranked in selection.ranking.tools if selection.ranking else ():
        table.add_row(*_row(ranked, trials[ranked.tool_id], ranked.tool_id in offered))
    return table


def _row(ranked: "RankedTool", trial: "Trial", offered: bool) -> tuple[str, ...]:
    outcome = trial.outcome
    word = "simulated" if outcome.source == "simulated" else outcome.status
    style = _STYLE.get(outcome.status, "dim")
    name = escape(ranked.tool_id)
    return (
        str(ranked.rank),
        str(ranked.rank_before),
        f"[bold]{name}[/]" if offered else name,
        f"[{style}]{word}[/]",
        escape(ranked.reason),
    )
