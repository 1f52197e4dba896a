"""`gretel agent`: one request served with tools, step by step."""

from typing import Annotated, Literal

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
from gretel.cli.select import ABSTAINED


def agent(
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
    steps: Annotated[int, typer.Option(help="Steps at most.", min=1, max=32)] = 8,
    offered: Annotated[
        Literal["selection", "candidates", "all"],
        typer.Option(
            help="Tools that may be used: those selected by trial, the retriever's candidates "
            "untried, or all, for a model that knows them."
        ),
    ] = "selection",
    depth: Depth = 10,
    today: Today = None,
    context: Facts = None,
    allow_host: AllowHosts = None,
    base_url: BaseUrl = None,
    safe_tool: SafeTools = None,
    callable_tool: CallableTools = None,
    abstain_below: AbstainBelow = None,
    index: Index = None,
    encoder: Encoder = None,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Serve REQUEST: choose a tool, call it, read its answer, until there is one to give."""
    from gretel.cli.opening import open_selector, read_facts, read_request
    from gretel.graph.agent_facade import Agent

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
        result = Agent(selector, offered=offered).run(
            read_request(request),
            steps=steps,
            context=read_facts(context or []),
            depth=depth,
            today=today.date() if today else None,
            abstain_below=abstain_below,
        )
    if as_json:
        say_json(result.model_dump_json(indent=2))
    else:
        from gretel.cli.showing.agent import print_result

        print_result(result)
    if result.gave_up:
        raise typer.Exit(ABSTAINED)
