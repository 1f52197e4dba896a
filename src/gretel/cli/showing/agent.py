"""What an agent did, and its answer, for a terminal of any width."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from gretel.cli.showing.selection import EXCERPT, INDENT, print_line, print_remedies
from gretel.contracts.trial import CallPlan
from gretel.text.foreign import one_line, printable

if TYPE_CHECKING:
    from gretel.contracts.agent import AgentResult, AgentStep


def print_result(result: "AgentResult") -> None:
    """Print the steps and the answer, or why there is none and what would help."""
    console = Console(highlight=False)
    for step in result.steps:
        _print_step(console, step)
    for line in result.answer.splitlines():
        print_line(console, line, style="" if result.gave_up else "bold")
    if result.gave_up:
        print_line(console, f"The request was not served ({result.reason}).", style="bold")
    print_remedies(console, result)


def _print_step(console: Console, step: "AgentStep") -> None:
    head = Text(f"{step.number}. ", overflow="fold")
    head.append(printable(step.tool_id), style="bold")
    head.append("  repeated" if step.repeated else f"  {step.outcome.status}", style="dim")
    console.print(head)
    if step.thought:
        print_line(console, step.thought, indent=INDENT, style="italic")
    if isinstance(step.plan, CallPlan):
        given = ", ".join(f"{name}={value!r}" for name, value in step.plan.values().items())
        print_line(console, f"with {given or 'no arguments'}", indent=INDENT)
    print_line(console, one_line(step.observation, EXCERPT), indent=INDENT)
