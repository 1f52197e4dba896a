"""`gretel select`: tools for one request."""

from typing import Annotated

import typer

from gretel.cli.opening import Asked, asking
from gretel.cli.options import Json
from gretel.cli.saying import say_json

ABSTAINED = 3


@asking
def select(
    asked: Asked,
    k: Annotated[
        int, typer.Option("-k", help="Maximum number of tools offered.", min=1, max=100)
    ] = 5,
    rounds: Annotated[
        int, typer.Option(help="Maximum rounds of trials while no tool works.", min=1, max=5)
    ] = 1,
    simulate: Annotated[bool, typer.Option(help="Simulate calls that cannot be executed.")] = True,
    as_json: Json = False,
) -> None:
    """Select tools for REQUEST: retrieve candidates, try each, re-rank on the evidence.

    Exits with 3 if no tool is offered, 2 on bad input, 4 if a service cannot be reached.
    """
    with asked.selector() as selector:
        selection = selector.select(**asked.given(), k=k, rounds=rounds, simulate=simulate)
    if as_json:
        say_json(selection.model_dump_json(indent=2))
    else:
        from gretel.cli.showing.selection import print_selection

        print_selection(selection)
    if selection.abstained:
        raise typer.Exit(ABSTAINED)
