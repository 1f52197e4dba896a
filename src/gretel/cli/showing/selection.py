"""A selection for a terminal of any width: a block a tool, each line indented and wrapped."""

import re
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from gretel.contracts.ranking import LackingTool
from gretel.text.foreign import one_line, printable

if TYPE_CHECKING:
    from gretel.contracts.agent import AgentResult
    from gretel.contracts.ranking import SelectedTool
    from gretel.contracts.trial import Trial
    from gretel.graph.selector import BoundSelection

EXCERPT = 240
"""Characters of an answer that are shown."""

_JOINT = re.compile(r'(,|":)(?=["\[{])')
"""Where JSON in its shortest form may be broken into lines."""
_STYLE = {"succeeded": "green", "empty": "yellow", "refused": "yellow", "failed": "red"}
INDENT = 3
_LEAST = 8
"""Columns that words have at least, at the indent's cost: of none, nothing could be shown."""


def print_selection(selection: "BoundSelection") -> None:
    """Print what the caller gets, best first; or why nothing, and what each tool tried lacks."""
    console = Console(highlight=False)
    if selection.abstention is not None:
        why = selection.abstention
        print_line(console, f"No tool is offered ({why.reason}): {why.detail}", style="bold")
    if selection.lacking:
        console.print("Tried, and what each tool lacks:")
    shown: tuple[SelectedTool | LackingTool, ...] = (*selection.tools, *selection.lacking)
    for tool in shown:
        _block(console, tool)
    _behind(console, selection)
    print_remedies(console, selection)


def _block(console: Console, tool: "SelectedTool | LackingTool") -> None:
    outcome = tool.trial.outcome
    word = "simulated" if outcome.source == "simulated" else outcome.status
    head = Text(f"{tool.rank}. ", overflow="fold")
    head.append(printable(tool.tool_id), style="bold")
    head.append(f"  {word}", style=_STYLE.get(outcome.status, "dim"))
    if tool.rank_before != tool.rank:
        head.append(f", {tool.rank_before} before its trial", style="dim")
    console.print(head)
    print_line(console, tool.reason, indent=INDENT)
    for said in _said(tool):
        print_line(console, said, indent=INDENT)


def _said(tool: "SelectedTool | LackingTool") -> list[str]:
    """What else there is to say of a tool: what it answered, and what a call of it needs."""
    said = []
    answer = _answer(tool.trial)
    if answer:
        said.append(f"answer: {answer}")
    if isinstance(tool, LackingTool):
        said.append(f"lacks {tool.lacks}")
    elif tool.needs_leave:
        said.append(
            "not tried, because it may change something; to call it now: "
            "call(…, allow_change=True), or --callable-tool"
        )
    return said


def _answer(trial: "Trial") -> str:
    """The beginning of what a call that succeeded answered, on one line."""
    if trial.executed.status != "succeeded":
        return ""
    return one_line(_JOINT.sub(r"\1 ", trial.executed.excerpt), EXCERPT)


def _behind(console: Console, selection: "BoundSelection") -> None:
    """How many tools were tried that stand behind those shown."""
    ranked = len(selection.ranking.tools) if selection.ranking is not None else 0
    more = ranked - len(selection.tools) - len(selection.lacking)
    if more > 0 and (selection.tools or selection.lacking):
        console.print(f"… and {more} more tried; -k shows more, --json all", style="dim")


def print_remedies(console: Console, told: "BoundSelection | AgentResult") -> None:
    """Print what would help: values to ask for, hosts to allow; and what went otherwise."""
    if told.missing:
        console.print("Ask the user for:")
    for field in told.missing:
        about = f": {field.description}" if field.description else ""
        name = f"{field.name} (a file)" if field.file else field.name
        print_line(console, f"{name} for {field.tool_id}{about}", indent=INDENT)
    if told.hosts:
        hosts = " ".join(f"--allow-host {_as_option(host)}" for host in told.hosts)
        print_line(console, f"Some hosts were not called; to allow them: {hosts}")
    for note in told.notes:
        print_line(console, f"note: {note}")


def _as_option(host: str) -> str:
    """A host as `--allow-host` takes it for that host alone: a document may call its own by the
    word that stands for all.
    """
    return f"{host}:443" if host == "declared" else host


def print_line(console: Console, text: str, *, indent: int = 0, style: str = "") -> None:
    """One sentence, wrapped within its indent; foreign words bring no escapes or markup."""
    whole, indent = Text(printable(text), style), max(0, min(indent, console.width - _LEAST))
    for line in whole.wrap(console, console.width - indent, overflow="fold"):
        line.rstrip()
        console.print(Text(" " * indent).append_text(line))
