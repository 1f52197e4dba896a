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
    steps: Annotated[int, typer.Option(help="Steps at most.", min=1, max=32)] = 8,
    offered: Annotated[
        Literal["selection", "candidates", "all"],
        typer.Option(
            help="Tools that may be used: those selected by trial, the retriever's candidates "
            "untried, or all, for a model that knows them."
        ),
    ] = "selection",
    as_json: Json = False,
) -> None:
    """Serve REQUEST: choose a tool, call it, read its answer, until there is one to give."""
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
