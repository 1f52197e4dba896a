"""What trials do to the place of the right tool, on services that nobody here wrote.

    python benchmarks/real/start.py                                  # in another terminal
    python benchmarks/real/measure.py --part develop --out build/real/develop.jsonl

All services of a part are one catalogue, each document as it is, with its service's base URL.
`before`: retrieval alone; `after`: the ranking with the trials' evidence, and in brackets that of
the plain rule of `gretel evaluate`; intervals are 95 % (Wilson). A right
tool is one of `gold` or `also_right`; its arguments are right where they are those of such a call,
values compared as in the planning benchmark. `--run FOLDER` keeps the trials of a part that is for
development as `training/evidence.py` reads them. The report part is read once a change, and nobody
develops on it.
"""

import argparse
import asyncio
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from judged import FILE, KINDS, LANGUAGES, OUT, Call, Request, requests
from mcp.client.stdio import StdioServerParameters
from rich.progress import track
from scipy.stats import binomtest
from service import DEVELOPED, PARTS

import gretel
from gretel.contracts.ranking import Request as Asked
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import CallPlan, Trial
from gretel.evaluation.measures.calls import same_value
from gretel.evaluation.runs.plain_rules import PlainRule
from gretel.integrations.mcp import McpServers
from gretel.nodes.context import Context

DEPTH = 10
ASKED = Asked(text="", today="2026-01-01")
"""The plain rule does not look at the request."""
Json = Mapping[str, Any]


class Row(NamedTuple):
    """One request, as it was measured."""

    id: str
    kind: str
    language: str
    before: int | None
    """Place of the best right tool, from 1; None below `DEPTH`."""
    plain: int | None
    """The same after the plain rule: clear failures last, refusals slightly down."""
    after: int | None
    arguments: bool
    """Whether a right tool was planned with right arguments."""
    abstained: str | None
    first: str | None
    """The operation that came first."""
    reason: str | None
    """What is said of the best right tool."""
    called: bool
    """Whether a right tool's call was sent."""


def loaded(service: Json) -> gretel.Catalog:
    """A service's document, its operations below the service's base URL."""
    whole = urlsplit(service["base_url"])
    # One without a path would keep the path that the document names; this one says all.
    base_url = whole._replace(path=whole.path or "/").geturl()
    return gretel.Catalog.from_openapi(Path(service["document"]), base_url=base_url)


class Opened(NamedTuple):
    """A part's services, as one catalogue that may be tried."""

    catalog: gretel.Catalog
    servers: McpServers
    """What calls the MCP tools."""
    origin: Mapping[str, str]
    """Each tool's service."""
    selector: gretel.Selector

    async def aclose(self) -> None:
        """Stop the MCP servers, and close connections."""
        await self.servers.aclose()
        await self.selector.aclose()


async def opened(table: Path, part: str) -> Opened:
    """The services of `part` that stand in `services.json`; their credentials are set."""
    services = [each for each in json.loads(table.read_text()) if each["part"] == part]
    for service in services:
        os.environ.update(service.get("credentials", {}))
    hosts = {urlsplit(each["base_url"]).netloc for each in services if each["kind"] == "http"}
    own = frozenset(each["name"] for each in services if each["kind"] == "mcp")
    policy = gretel.Policy(allow_hosts=frozenset(hosts), trusted_servers=own)
    catalog, at = gretel.Catalog(), dict[str, str]()
    commands: dict[str, Any] = {}
    for service in services:
        if service["kind"] == "mcp":
            program, *arguments = service["command"]
            commands[service["name"]] = StdioServerParameters(
                command=program,
                args=arguments,
                env=service["environment"],
                cwd=service["cwd"],
            )
            continue
        found = loaded(service)
        print(f"{service['name']}: {len(found)} operations, {len(found.skipped)} skipped")
        catalog = catalog + found
        at |= dict.fromkeys(found.base_urls, str(service["name"]))
    servers = McpServers(commands, policy)
    tools = await servers.catalog()
    origin: dict[str, str] = {
        tool.tool_id: at[tool.binding.servers[0]]
        for tool in catalog
        if isinstance(tool.binding, HttpBinding)
    }
    origin |= {tool.tool_id: tool.toolkit for tool in tools}
    catalog = catalog + tools
    selector = gretel.Selector(catalog, policy=policy, executors={"mcp": servers})
    return Opened(catalog, servers, origin, selector)


def operation_of(tool: Tool) -> str:
    """As `requests.jsonl` names it."""
    binding = tool.binding
    return (
        f"{binding.method} {binding.path}" if isinstance(binding, HttpBinding) else tool.operation
    )


def right_calls(request: Request, service: str, tool: Tool) -> list[Call]:
    """The calls of `tool` that are right for `request`."""
    if service != request.service:
        return []
    calls = [*request.gold, *request.also_right]
    return [call for call in calls if call.operation == operation_of(tool)]


def planned_right(trial: Trial, calls: Sequence[Call], request: Request) -> bool:
    """Whether the planned arguments are those of one of `calls`, the request's context aside."""
    if not isinstance(trial.plan, CallPlan):
        return False
    given = {n: each for n, each in trial.plan.values().items() if n not in request.context}
    return any(
        given.keys() == call.arguments.keys()
        and all(
            name in request.free or same_value(given[name], call.arguments[name]) for name in given
        )
        for call in calls
    )


async def measured(
    request: Request, state: Json, catalog: gretel.Catalog, origin: Mapping[str, str]
) -> Row:
    """One finished run, judged."""
    trials = {each["tool_id"]: Trial.model_validate(each) for each in state["trials"]}
    abstention = state["selection"]["abstention"]
    ranked = [] if abstention else state["ranking"]["tools"]
    places = {each["tool_id"]: each["rank"] for each in state["candidates"]}
    calls = {name: right_calls(request, origin[name], catalog[name]) for name in places}
    right = {name: trial for name, trial in trials.items() if calls[name]}
    found = [each for each in ranked if each["tool_id"] in right]
    plainly = await PlainRule().rerank(ASKED, [] if abstention else [*trials.values()])
    return Row(
        id=request.id,
        kind=request.kind,
        language=request.language,
        before=min((place for name, place in places.items() if calls[name]), default=None),
        plain=min((each.rank for each in plainly.tools if each.tool_id in right), default=None),
        after=min((each["rank"] for each in found), default=None),
        arguments=any(planned_right(t, calls[n], request) for n, t in right.items()),
        abstained=abstention["reason"] if abstention else None,
        first=operation_of(catalog[ranked[0]["tool_id"]]) if ranked else None,
        reason=found[0]["reason"] if found else None,
        called=any(trial.executed.latency_ms is not None for trial in right.values()),
    )


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Counts, whole and by language; answerable requests apart from the others."""
    served = [row for row in rows if row.kind == "answerable"]
    heads = ("first", "in three", "MRR", "arguments", "abstained")
    yield f"{'answerable':12}{'n':>5}" + "".join(f"{head:>24}" for head in heads)
    for language in ("all", *LANGUAGES):
        some = [row for row in served if language in ("all", row.language)]
        if not some:
            continue
        pairs = [
            f"{_within(some, 'before', depth)} → {_within(some, 'after', depth)}"
            f" ({_within(some, 'plain', depth)})"
            for depth in (1, 3)
        ]
        mrr = f"{_mrr(some, 'before'):.3f} → {_mrr(some, 'after'):.3f} ({_mrr(some, 'plain'):.3f})"
        right = sum(row.arguments for row in some)
        wrongly = sum(row.abstained is not None for row in some)
        cells = (*pairs, mrr, right, wrongly)
        yield f"{language:12}{len(some):5}" + "".join(f"{cell:>24}" for cell in cells)
        if language in ("all", "en"):
            yield f"{'':12}{'':5}" + "".join(
                f"{_share(_within(some, 'after', depth), len(some)):>24}" for depth in (1, 3)
            )
    for kind in KINDS[1:]:
        some = [row for row in rows if row.kind == kind]
        declined = sum(row.abstained is not None for row in some)
        sent = sum(row.called for row in some)
        yield f"{kind}: {len(some)}, declined {declined}, right tool called {sent}"


def demoted(rows: Sequence[Row]) -> Iterator[str]:
    """Each right tool that trials put further behind, with what is said of it."""
    for row in rows:
        if row.kind == "answerable" and row.before and row.after and row.after > row.before:
            yield f"  {row.id}: {row.before} → {row.after}: {row.reason}"


def _share(hits: int, count: int) -> str:
    """As in "51% [39%, 63%]"."""
    interval = binomtest(hits, count).proportion_ci(method="wilson")
    return f"{hits / count:.0%} [{interval.low:.0%}, {interval.high:.0%}]"


def _within(rows: Sequence[Row], when: str, depth: int) -> int:
    return sum((getattr(row, when) or DEPTH + 1) <= depth for row in rows)


def _mrr(rows: Sequence[Row], when: str) -> float:
    return sum(1 / getattr(row, when) if getattr(row, when) else 0.0 for row in rows) / len(rows)


def kept(
    folder: Path,
    part: str,
    catalog: gretel.Catalog,
    tried: Sequence[tuple[Request, Json, Sequence[str]]],
) -> None:
    """Write the trials of each request beside its right tools, as a finished run does."""
    folder.mkdir(parents=True, exist_ok=True)
    half = "dev" if part in DEVELOPED else "report"
    about = {"data": "real services", "qrels": part, "half": half, "settings": {}}
    (folder / "run.json").write_text(json.dumps(about, indent=2) + "\n")
    lines = (tool.model_dump_json() for tool in catalog)
    (folder / "corpus.jsonl").write_text("".join(f"{line}\n" for line in lines))
    rows = [
        {
            "text": request.text,
            "service": request.service,
            "kind": request.kind,
            "trials": state["trials"],
            "gold": right,
            "functioning": right,
        }
        for request, state, right in tried
    ]
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


async def measure(options: argparse.Namespace) -> None:
    """Run every request of the part, and print what came of it."""
    part = await opened(options.services, options.part)
    catalog, origin = part.catalog, part.origin
    asked = [each for each in requests() if each.part == options.part]
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()[:12]
    print(f"{options.part}: {len(asked)} requests (file {digest}), {len(catalog)} tools")
    rows, tried = [], list[tuple[Request, Json, Sequence[str]]]()
    try:
        # The models load with the first request, which beside other work takes its whole budget.
        first, settings = {"request": asked[0].text}, Context(depth=DEPTH, k=DEPTH)
        await part.selector.graph.ainvoke(first, context=settings)
        for request in track(asked, "requests", transient=True):
            given = {
                "request": request.text,
                "messages": [{"role": "user", "content": turn} for turn in request.history],
                "context": dict(request.context),
            }
            state = await part.selector.graph.ainvoke(given, context=settings)
            rows.append(await measured(request, state, catalog, origin))
            if request.kind in ("answerable", "changes_something"):
                right = [t.tool_id for t in catalog if right_calls(request, origin[t.tool_id], t)]
                tried.append((request, state, right))
    finally:
        await part.aclose()
    options.out.write_text(
        "".join(json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows)
    )
    if options.run:
        kept(options.run, options.part, catalog, tried)
    print("\n".join(table(rows)))
    print("right tools that trials put further behind:")
    print("\n".join(demoted(rows)))


def main() -> None:
    """Measure the part that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--services", type=Path, default=OUT / "services.json")
    parser.add_argument("--out", type=Path, required=True, help="a row a request, as JSON lines")
    parser.add_argument("--run", type=Path, help="folder for the trials, to fit weights on")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    asyncio.run(measure(options))


if __name__ == "__main__":
    main()
