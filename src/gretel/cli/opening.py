"""From the options of `select` and `agent` to a selector and what it is asked."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gretel.graph.selector import Selector


@contextmanager
def open_selector(
    catalog: list[str] | None,
    toolkit: list[str] | None,
    *,
    retriever: str | None,
    artifact: Path | None,
    model: str | None,
    calibration: str | None,
    plan_batch: int | None,
    reply_tokens: int | None,
    rewriter: str | None,
    allow_host: list[str] | None,
    base_url: str | None,
    safe_tool: Sequence[str] | None,
    callable_tool: Sequence[str] | None,
    index: Path | None,
    encoder: str | None,
    strict: bool,
) -> "Iterator[Selector]":
    """The selector that the options ask for, the environment's settings behind them.

    Raises:
        InputError: an option is unusable, or a catalogue.
    """
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
        yield selector


def read_request(given: str) -> str:
    """The request as it was given; of `-`, what standard input says."""
    return sys.stdin.read() if given == "-" else given


def read_facts(pairs: list[str]) -> dict[str, Any]:
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
