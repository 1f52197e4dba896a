"""`gretel select`: tools for one request."""

from typing import Annotated

import typer

from gretel.cli.options import (
    AbstainBelow,
    AllowHosts,
    Artifact,
    BaseUrl,
    CalibrationOf,
    CallableTools,
    CatalogPaths,
    Depth,
    Encoder,
    Facts,
    Index,
    Json,
    ModelName,
    PlanBatch,
    ReplyTokens,
    RequestText,
    RetrieverName,
    RewriterName,
    SafeTools,
    Strict,
    Today,
    Toolkits,
)
from gretel.cli.saying import say_json

ABSTAINED = 3


def select(
    request: RequestText,
    catalog: CatalogPaths = None,
    toolkit: Toolkits = None,
    retriever: RetrieverName = None,
    artifact: Artifact = None,
    model: ModelName = None,
    calibration: CalibrationOf = None,
    plan_batch: PlanBatch = None,
    reply_tokens: ReplyTokens = None,
    rewriter: RewriterName = None,
    k: Annotated[int, typer.Option("-k", help="Tools offered at most.", min=1, max=100)] = 5,
    depth: Depth = 10,
    rounds: Annotated[int, typer.Option(help="Rounds while nothing works.", min=1, max=5)] = 1,
    today: Today = None,
    context: Facts = None,
    allow_host: AllowHosts = None,
    base_url: BaseUrl = None,
    safe_tool: SafeTools = None,
    callable_tool: CallableTools = None,
    abstain_below: AbstainBelow = None,
    simulate: Annotated[bool, typer.Option(help="Simulate what cannot be executed.")] = True,
    index: Index = None,
    encoder: Encoder = None,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Select tools for REQUEST: retrieve candidates, try each, re-rank on the evidence."""
    from gretel.cli.opening import open_selector, read_facts, read_request

    with open_selector(
        catalog,
        toolkit,
        retriever=retriever,
        artifact=artifact,
        model=model,
        calibration=calibration,
        plan_batch=plan_batch,
        reply_tokens=reply_tokens,
        rewriter=rewriter,
        allow_host=allow_host,
        base_url=base_url,
        safe_tool=safe_tool,
        callable_tool=callable_tool,
        index=index,
        encoder=encoder,
        strict=strict,
    ) as selector:
        selection = selector.select(
            read_request(request),
            k=k,
            context=read_facts(context or []),
            depth=depth,
            rounds=rounds,
            today=today.date() if today else None,
            simulate=simulate,
            abstain_below=abstain_below,
        )
    if as_json:
        say_json(selection.model_dump_json(indent=2))
    else:
        from gretel.cli.showing.selection import print_selection

        print_selection(selection)
    if selection.abstained:
        raise typer.Exit(ABSTAINED)
