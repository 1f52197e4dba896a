"""Bars on stderr: standard output is for results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gretel.text.foreign import printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn

    from gretel.evaluation.runs.rows import Progress
    from gretel.nodes.retrieve.encoding.embed import Progress as Encoding

MANY = 500
"""Tools from which a person waits long enough to want to know why."""


def _bar(*figures: "ProgressColumn", **settings: Any) -> "Bar":
    """A bar with what is going on, how much of it is done, `figures`, and the time that is left."""
    from rich import progress as rich_progress
    from rich.console import Console

    return rich_progress.Progress(
        rich_progress.TextColumn("{task.description}", markup=False),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        *figures,
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        **settings,
    )


@contextmanager
def progress(total: int) -> "Iterator[Progress]":
    """A bar on stderr, with the rate of this start and the time that is left at that rate."""
    from rich.progress import TextColumn

    with _bar(TextColumn("{task.fields[rate]}")) as bar:
        task = bar.add_task("preparing", total=total, rate="")

        def tell(done: int) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            rate = f"{speed:.1f}/s" if speed else ""
            bar.update(task, description="requests", completed=done, rate=rate)

        yield tell


@contextmanager
def indexing() -> "Iterator[Encoding]":
    """A bar of how many tools are encoded."""
    with _bar() as bar:
        task = bar.add_task("encoding", total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield tell


@contextmanager
def encoding() -> "Iterator[Encoding]":
    """A bar while a catalogue is encoded; none where nearly all of it was encoded before.

    Where stderr is no terminal, one line says what takes so long.
    """
    from rich.console import Console

    shown = Console(stderr=True).is_terminal
    with _bar(disable=not shown, transient=True) as bar:

        def tell(done: int, total: int) -> None:
            if not bar.tasks and total - done >= MANY:
                bar.add_task("encoding", total=total)
                if not shown:
                    said = f"encoding {total - done:,} tools; `gretel index` does this only once"
                    bar.console.print(said, highlight=False, markup=False, soft_wrap=True)
            for task in bar.task_ids:
                bar.update(task, completed=done, visible=done < total)

        yield tell


@contextmanager
def stages() -> "Iterator[Callable[[int, int, str], None]]":
    """A bar of work in several stages: told (done, of how many, what is going on)."""
    from rich.progress import TimeElapsedColumn

    with _bar(TimeElapsedColumn()) as bar:
        task = bar.add_task("preparing", total=None)

        def tell(done: int, total: int, what: str) -> None:
            if what.startswith("epoch"):
                bar.console.print(printable(what), highlight=False, markup=False)
            bar.update(task, completed=done, total=total, description=printable(what))

        yield tell
