"""What all commands of `gretel train` ask for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from gretel.cli.saying import say
from gretel.contracts.errors import InputError

if TYPE_CHECKING:
    from gretel.training.masstool.data import Examples

T = TypeVar("T", bound=str)

Judged: TypeAlias = Annotated[
    Path, typer.Option(help="Folder in BEIR layout, with the judgements to learn from.")
]
Qrels: TypeAlias = Annotated[
    str, typer.Option(help="Name of the judgements (qrels); no others are read.")
]
NoTool: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--no-tool",
        metavar="FILE",
        help="Requests that need no tool, JSONL with id and query; the dev half is used for "
        "training.",
    ),
]


def chosen_stages(said: str, known: Sequence[T], option: str) -> tuple[T, ...]:
    """In their order, each once.

    Raises:
        InputError: one is unknown, or there is none.
    """
    wanted = {name.strip() for name in said.split(",") if name.strip()}
    unknown = sorted(wanted - {*map(str, known)})
    if unknown or not wanted:
        problem = f"{unknown[0]!r} is unknown" if unknown else "names none"
        raise InputError(problem, field=option, remedy=f"Use one or more of {', '.join(known)}.")
    return tuple(stage for stage in known if stage in wanted)


def tell_dropped(examples: "Examples") -> None:
    """Say what of the data cannot be used."""
    from gretel.cli.sources import tell_rows

    tell_rows("skipped", examples.catalog.skipped, "operations skipped")
    for said in examples.dropped:
        say(f"skipped {said}", err=True)


def chosen_device(name: str) -> str:
    """The device of that name, which is there.

    Raises:
        InputError: it is not.
    """
    import torch

    able = torch.cuda.is_available()
    if name not in ("auto", "cpu") and not (able and name.partition(":")[0] == "cuda"):
        raise InputError(f"{name!r} is not available", field="--device", remedy="Leave it at auto.")
    return name if name != "auto" else "cuda" if able else "cpu"
