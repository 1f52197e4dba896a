"""A bar for batches."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gretel.evaluation.ceiling import Progress


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
