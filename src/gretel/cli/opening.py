"""From the options that `select` and `agent` share to a selector and what it is asked."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gretel.cli import options

if TYPE_CHECKING:
    from gretel.graph.selector import Selector


@dataclass(frozen=True)
class Asked:
    """The options, in the order of the help; what is left out is the environment's."""

    request: options.RequestText
    catalog: options.CatalogPaths = None
    toolkit: options.Toolkits = None
    retriever: options.RetrieverName = None
    artifact: options.Artifact = None
    model: options.ModelName = None
    calibration: options.CalibrationOf = None
    plan_batch: options.PlanBatch = None
    reply_tokens: options.ReplyTokens = None
    rewriter: options.RewriterName = None
    depth: options.Depth = 10
    today: options.Today = None
    context: options.Facts = None
    allow_host: options.AllowHosts = None
    base_url: options.BaseUrl = None
    safe_tool: options.SafeTools = None
    callable_tool: options.CallableTools = None
    abstain_below: options.AbstainBelow = None
    index: options.Index = None
    encoder: options.Encoder = None
    strict: options.Strict = False

    def given(self) -> dict[str, Any]:
        """The request, and the settings of its run.

        "Tomorrow" counts from the day at the terminal: in UTC it may be another one by then.

        Raises:
            InputError: the request is no text, or a value of the context is none.
        """
        return {
            "request": read_request(self.request),
            "context": read_facts(self.context or []),
            "depth": self.depth,
            "today": (self.today or datetime.now().astimezone()).date(),
            "abstain_below": self.abstain_below,
        }

    @contextmanager
    def selector(self) -> "Iterator[Selector]":
        """The selector that is asked.

        Raises:
            InputError: an option is unusable, or a catalogue.
        """
        from gretel.cli.progress import encoding
        from gretel.cli.sources import open_catalog
        from gretel.graph.selector import Selector
        from gretel.graph.settings import make_policy, read_settings

        settings = read_settings()
        tools = open_catalog(self.catalog, settings, strict=self.strict, toolkits=self.toolkit)
        policy = make_policy(
            tools,
            self.allow_host or settings.hosts(),
            self.base_url or settings.base_url,
            settings,
            safe=self.safe_tool or (),
            callable_tools=self.callable_tool or (),
        )
        own_artifact = None if self.retriever == "semantic" else settings.artifact
        with (
            encoding() as progress,
            Selector(
                tools,
                retriever=self.retriever or settings.retriever,
                artifact=self.artifact or own_artifact,
                candidates=settings.candidates,
                rewriter=self.rewriter,
                model=settings.opened_model(self.model, self.reply_tokens),
                calibration=self.calibration or settings.calibration,
                plan_batch=self.plan_batch or settings.plan_batch,
                policy=policy,
                encoder=self.encoder,
                index=existing_index(self.index, settings.index),
                progress=progress,
            ) as selector,
        ):
            yield selector


def existing_index(option: Path | None, setting: Path | None) -> Path | None:
    """The index that is named.

    A mistyped folder would be filled, and what every tool says today pinned as if it had been
    looked at.

    Raises:
        InputError: `gretel index` wrote none there.
    """
    from gretel.contracts.errors import InputError
    from gretel.nodes.retrieve.stage.pins import FILE

    folder, field = (option, "--index") if option else (setting, "GRETEL_INDEX")
    if folder is None or (folder / FILE).exists():
        return folder
    remedy = "Give the folder that `gretel index` wrote."
    raise InputError(f"{folder} holds no index", field=field, remedy=remedy)


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """`command`, whose first parameter is an `Asked`, with the options of one in its place."""

    @wraps(command)
    def asked(**given: Any) -> None:
        shared = {field.name: given.pop(field.name) for field in fields(Asked)}
        command(Asked(**shared), **given)

    own = list(signature(command).parameters.values())[1:]
    parts = [*signature(Asked).parameters.values(), *own]
    keywords = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parts]
    asked.__signature__ = Signature(keywords)  # type: ignore[attr-defined]
    return asked


def read_request(typed: str) -> str:
    """What was typed, or for `-` what stands on standard input.

    Bytes that are no text of the locale are UTF-8: left as they came they would be dropped, and
    half a name be searched for.

    Raises:
        InputError: they are not.
    """
    from gretel.contracts.errors import InputError

    try:
        said = sys.stdin.read() if typed == "-" else typed
        return said.encode("utf-8", "surrogateescape").decode()
    except UnicodeError:
        remedy = "Write it, or save it, in UTF-8."
        raise InputError("is not utf-8 text", field="request", remedy=remedy) from None


def read_facts(pairs: list[str]) -> dict[str, Any]:
    """`name=value` pairs; a value that is JSON is taken as such, any other as text."""
    from gretel.contracts.errors import InputError

    known: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise InputError(
                f"{pair!r} is not NAME=VALUE", field="--context", remedy="Write NAME=VALUE."
            )
        try:
            known[name] = json.loads(value)
        except (ValueError, RecursionError):  # thousands of digits, or of brackets, are text too
            known[name] = value
    return known
