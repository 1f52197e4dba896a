"""`gretel select`: tools for one request."""

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from gretel.cli.options import (
    AllowHosts,
    Artifact,
    BaseUrl,
    CalibrationOf,
    CallableTools,
    CatalogPaths,
    Encoder,
    Json,
    ModelName,
    PlanBatch,
    ReplyTokens,
    RetrieverName,
    SafeTools,
    Strict,
    Toolkits,
)
from gretel.cli.saying import say_json
from gretel.nodes.context import ABSTAIN_BELOW

ABSTAINED = 3


def select(
    request: Annotated[str, typer.Argument(help="What is wanted; `-` reads standard input.")],
    catalog: CatalogPaths = None,
    toolkit: Toolkits = None,
    retriever: RetrieverName = None,
    artifact: Artifact = None,
    model: ModelName = None,
    calibration: CalibrationOf = None,
    plan_batch: PlanBatch = None,
    reply_tokens: ReplyTokens = None,
    rewriter: Annotated[
        str | None,
        typer.Option(
            metavar="none|feedback|llm|DIR",
            help="DIR: what `gretel train rewriter` wrote. By default as --calibration says.",
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Tools offered at most.", min=1, max=100)] = 5,
    depth: Annotated[int, typer.Option(help="Candidates tried per round.", min=1, max=200)] = 10,
    rounds: Annotated[int, typer.Option(help="Rounds while nothing works.", min=1, max=5)] = 1,
    today: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Day that relative dates count from."),
    ] = None,
    context: Annotated[
        list[str] | None,
        typer.Option("--context", metavar="NAME=VALUE", help="A value that you know; repeatable."),
    ] = None,
    allow_host: AllowHosts = None,
    base_url: BaseUrl = None,
    safe_tool: SafeTools = None,
    callable_tool: CallableTools = None,
    abstain_below: Annotated[
        float | None,
        typer.Option(
            help="Abstain where the chance that a tool is needed, or that one fits, is below; "
            f"0: never for that reason. Default: {ABSTAIN_BELOW}.",
            show_default=False,
            min=0,
            max=1,
        ),
    ] = None,
    simulate: Annotated[bool, typer.Option(help="Simulate what cannot be executed.")] = True,
    index: Annotated[Path | None, typer.Option(help="Folder that `gretel index` wrote.")] = None,
    encoder: Encoder = None,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Select tools for REQUEST: retrieve candidates, try each, re-rank on the evidence."""
    from gretel.cli.progress import encoding
    from gretel.cli.sources import open_catalog
    from gretel.graph.selector import Selector
    from gretel.graph.settings import make_policy, read_settings

    settings = read_settings()
    tools = open_catalog(catalog, settings, strict=strict, toolkits=toolkit)
    hosts, server = allow_host or settings.hosts(), base_url or settings.base_url
    policy = make_policy(
        tools,
        hosts,
        server,
        settings,
        safe=safe_tool or (),
        callable_tools=callable_tool or (),
    )
    with (
        encoding() as progress,
        Selector(
            tools,
            retriever=retriever or settings.retriever,
            artifact=artifact or (None if retriever == "semantic" else settings.artifact),
            candidates=settings.candidates,
            rewriter=rewriter,
            model=settings.opened_model(model, reply_tokens),
            calibration=calibration or settings.calibration,
            plan_batch=plan_batch or settings.plan_batch,
            policy=policy,
            encoder=encoder,
            index=index or settings.index,
            progress=progress,
        ) as selector,
    ):
        selection = selector.select(
            sys.stdin.read() if request == "-" else request,
            k=k,
            context=_context(context or []),
            depth=depth,
            rounds=rounds,
            today=today.date() if today else None,
            simulate=simulate,
            abstain_below=abstain_below,
        )
    if as_json:
        say_json(selection.model_dump_json(indent=2))
    else:
        from gretel.cli.selection import print_selection

        print_selection(selection)
    if selection.abstained:
        raise typer.Exit(ABSTAINED)


def _context(pairs: list[str]) -> dict[str, Any]:
    """`name=value` pairs; a value that is JSON is taken as such, any other as text."""
    from gretel.contracts.errors import InputError

    known: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise InputError(f"{pair!r} is no value", field="--context", remedy="Write NAME=VALUE.")
        try:
            known[name] = json.loads(value)
        except (ValueError, RecursionError):  # thousands of digits, or of brackets, are text too
            known[name] = value
    return known
