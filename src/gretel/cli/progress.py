"""Bars on stderr: standard output is for results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gretel.evaluation.runs.rows import Progress
    from gretel.nodes.retrieve.encoding.embed import Progress as Encoding

MANY = 500
"""Tools from which a person waits long enough to want to know why."""


@contextmanager
def progress(total: int) -> "Iterator[Progress]":
    """A bar on stderr, with the rate of this start and the time that is left at that rate."""
    from rich import progress as rich_progress
    from rich.console import Console

    with rich_progress.Progress(
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TextColumn("{task.fields[rate]}"),
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("preparing", total=total, rate="")

        def tell(done: int) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            rate = f"{speed:.1f}/s" if speed else ""
            bar.update(task, description="requests", completed=done, rate=rate)

        yield tell


@contextmanager
def encoding() -> "Iterator[Encoding]":
    """A bar while a catalogue is encoded; none where nearly all of it was encoded before.

    Where stderr is no terminal, one line says what takes so long.
    """
    from rich import progress as rich_progress
    from rich.console import Console

    console = Console(stderr=True)
    with rich_progress.Progress(
        "encoding",
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as bar:
        tasks: list[rich_progress.TaskID] = []

        def tell(done: int, total: int) -> None:
            if not tasks and total - done >= MANY:
                tasks.append(bar.add_task("encoding", total=total))
                if not console.is_terminal:
                    said = f"encoding {total - done:,} tools; `gretel index` keeps them"
                    console.print(said, highlight=False, markup=False, soft_wrap=True)
            for task in tasks:
                bar.update(task, completed=done, visible=done < total)

        yield tell


@contextmanager
def stages() -> "Iterator[Callable[[int, int, str], None]]":
    """A bar of work in several stages: told (done, of how many, what is going on)."""
    from rich import progress as rich_progress
    from rich.console import Console

    with rich_progress.Progress(
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeElapsedColumn(),
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("preparing", total=None)

        def tell(done: int, total: int, what: str) -> None:
            if what.startswith("epoch"):
                bar.console.print(what, highlight=False)
            bar.update(task, completed=done, total=total, description=what)

        yield tell
