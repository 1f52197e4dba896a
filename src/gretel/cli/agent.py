"""`gretel agent`: one request served with tools, step by step."""

from typing import Annotated, Literal

import typer

from gretel.cli.opening import Asked, asking
from gretel.cli.options import Json
from gretel.cli.saying import say_json
from gretel.cli.select import ABSTAINED


@asking
def agent(
    asked: Asked,
    steps: Annotated[int, typer.Option(help="Maximum number of steps.", min=1, max=32)] = 8,
    offered: Annotated[
        Literal["selection", "candidates", "all"],
        typer.Option(
            help="Tools the agent may use: those selected by trial, the retriever's untried "
            "candidates, or all (for a model trained on them)."
        ),
    ] = "selection",
    as_json: Json = False,
) -> None:
    """Answer REQUEST with tools: choose one, call it, read its answer, and repeat.

    Exits with 3 if the agent gives up, 2 on bad input, 4 if a service cannot be reached.
    """
    with asked.selector() as selector:
        from gretel.graph.agent_facade import Agent

        result = Agent(selector, offered=offered).run(**asked.given(), steps=steps)
    if as_json:
        say_json(result.model_dump_json(indent=2))
    else:
        from gretel.cli.showing.agent import print_result

        print_result(result)
    if result.gave_up:
        raise typer.Exit(ABSTAINED)
