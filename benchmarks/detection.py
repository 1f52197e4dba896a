"""How well empty and irrelevant answers are told from good ones.

    python benchmarks/detection.py --data DIR [--part dev|report] [--seed 30 …] [--limit 200]

Upper table, on the mock: for each request the ten best tools by BM25, and the right ones, are
planned by the deterministic planner; every call that is planned gets the mock's answer.
`irrelevant` and `empty`: share of the calls to tools with that fault that end as irrelevant or
empty (recall). `false alarms`: share of all calls, answered without any fault, that end as
irrelevant, empty or as an error in the body. `shown` and `bare` are tools whose document shows an
answer, and others.

Lower table, on answers of real tools: `own` is the share taken for irrelevant of the answers that
a tool really gave, `foreign` that of answers of tools of another toolkit (recall). Examples of
OpenAPI are held against the schema beside them, or against a tool whose answer is hidden; half of
the tools around promise nothing. ToolBench's templates are taken without bare messages, which are
recorded errors (all six of those in `toolbench_traces` are). The fit
(`gretel.training.relevance`) saw the examples of OpenAPI and those of ToolBench's dev half, and no
recording.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from gretel.catalog import Catalog
from gretel.catalog.document import as_object, as_text
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan
from gretel.datasets.halves import half_of
from gretel.datasets.loading import Dataset, Half, load_dataset
from gretel.datasets.reading import read_lines
from gretel.evaluation.mock.answers import documents_an_answer
from gretel.evaluation.mock.faults import draw_faults
from gretel.evaluation.mock.mock_api import MockApi
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.retrieve.semantic.sparse import SparseIndex, sparse_text
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.judge import judge
from gretel.sandbox.answers.relevance import is_irrelevant, is_message
from gretel.training.relevance import few_a_toolkit, is_answer, openapi_tools, without_example

PARTS: dict[Half, tuple[tuple[str, str, Half | None], ...]] = {
    "dev": (
        ("toolbench_g1", "test", "dev"),
        ("sealtools", "dev", None),
        ("callnavi", "test", "dev"),
        ("metatool_toole", "train", None),
        ("arazzo", "test", None),
    ),
    "report": (
        ("toolbench_g1", "test", "report"),
        ("sealtools", "test_in_domain", None),
        ("callnavi", "test", "report"),
        ("metatool_toole", "test_single", None),
        ("livemcp", "test", None),
    ),
}
"""Folder, judgements, half."""
DEPTH = 10
ALARMS = frozenset({"irrelevant", "empty", "error_in_body"})
TODAY = "2026-01-05"


class Called(NamedTuple):
    """A planned call."""

    request_id: str
    tool: Tool
    arguments: JsonObject


class Seen(NamedTuple):
    """How one answer was taken."""

    what: str
    shown: bool
    alarmed: bool


async def planned(dataset: Dataset, limit: int) -> list[Called]:
    """The calls of the requests' candidates that can be made."""
    tools = list(dataset.catalog)
    index = SparseIndex([sparse_text(tool, retrieval_text(tool)) for tool in tools])
    planner = DeterministicPlanner()
    requests = list(dataset.requests)
    Random(5).shuffle(requests)
    calls = []
    for request in requests[:limit]:
        scores = index.scores(request.text).scores
        best = [tools[place] for place in np.argsort(-scores, kind="stable")[:DEPTH]]
        right = [dataset.catalog[g] for g in sorted(request.gold) if g in dataset.catalog]
        asked = Request(text=request.text, today=TODAY)
        for tool in {each.tool_id: each for each in (*best, *right)}.values():
            plan = await planner.plan(asked, tool)
            if isinstance(plan, CallPlan):
                calls.append(Called(request.request_id, tool, plan.values()))
    return calls


def mocked(catalog: Catalog, calls: Sequence[Called], seed: int) -> Iterator[Seen]:
    """How the mock's answers to the calls are taken, with the default faults and without."""
    tools = tuple(catalog)
    faults = draw_faults(catalog, mix="default", unit="tool", seed=seed)
    broken = MockApi(tools, faults, seed)
    whole = MockApi(tools, draw_faults(catalog, mix="none", seed=seed), seed)
    for call in calls:
        fault = faults.get(call.tool.tool_id)
        for api, what in ((whole, "false alarms"), (broken, fault or "")):
            reply = api.answer(call.tool, call.arguments, call.request_id)
            if what not in ("false alarms", "empty", "irrelevant") or reply is None:
                continue
            if reply.status >= 400:  # the plan was refused: nothing was answered
                continue
            answer = read_answer("POST", reply.status, reply.media_type, reply.text)
            verdict = judge(answer, call.tool, call.arguments, catalog.vocabulary)
            kind = verdict.failure.kind if verdict.failure else ""
            kind = "empty" if verdict.says_none else kind  # told, though no failure
            alarms = ALARMS if what == "false alarms" else ALARMS - {"error_in_body"}
            yield Seen(what, documents_an_answer(call.tool), kind in alarms)


def recorded(folder: Path) -> Iterator[Seen]:
    """How the recorded answers of a data set are taken."""
    catalog = load_dataset(folder).catalog
    for external_id, arguments, text in recorded_calls(folder):
        tool = catalog.by_external_id(external_id)
        if tool is not None:
            verdict = judge(read_answer("POST", 200, "", text), tool, arguments, catalog.vocabulary)
            alarmed = verdict.failure is not None and verdict.failure.kind == "irrelevant"
            yield Seen("own", bool(tool.response.json_schema), alarmed)


def recorded_calls(folder: Path) -> Iterator[tuple[str, JsonObject, str]]:
    """Tool, arguments and answer of calls that API-Bank or LiveMCPBench saw answered."""
    if (folder / "calls.jsonl").is_file():
        for _, row in read_lines(folder / "calls.jsonl"):
            call = as_object(row.get("gold_call"))
            if row.get("recorded_exception") is None:
                text = json.dumps(row.get("recorded_response"))
                yield f"apis/{as_text(call.get('name'))}", as_object(call.get("arguments")), text
        return
    for _, row in read_lines(folder / "executions.jsonl"):
        if row.get("status") == "ok" and isinstance(row.get("arguments"), dict):
            yield (
                as_text(row.get("tool_id")),
                as_object(row["arguments"]),
                as_text(row.get("response")),
            )


def documented(tools: Sequence[Tool], answering: Iterable[Tool], rng: Random) -> Iterator[Seen]:
    """How documented answers are taken, own and foreign, in a catalogue that is half bare."""
    answered = few_a_toolkit((t for t in answering if is_answer(t.response.example)), rng)
    hidden = {tool.tool_id for tool in tools if rng.random() < 0.5}
    catalog = Catalog(without_example(t, hide=t.tool_id in hidden) for t in tools)
    for tool in answered:
        asked = catalog[tool.tool_id]
        shown = asked.tool_id not in hidden
        if shown and asked.response.example is None:  # else its answer is its document
            own = is_irrelevant(tool.response.example, asked, {}, catalog.vocabulary)
            yield Seen("own", True, own)
        elif not shown:
            own = is_irrelevant(tool.response.example, asked, {}, catalog.vocabulary)
            yield Seen("own", False, own)
        other = rng.choice(answered)
        if other.toolkit != tool.toolkit:
            found = is_irrelevant(other.response.example, asked, {}, catalog.vocabulary)
            yield Seen("foreign", shown, found)


def row(name: str, seen: Iterable[Seen], columns: Sequence[str]) -> str:
    """One line of a table: each share with its number of answers."""
    cells: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for each in seen:
        cells[each.what, "all"].append(each.alarmed)
        cells[each.what, "shown" if each.shown else "bare"].append(each.alarmed)
    parts = []
    for what in columns:
        for group in ("all", "shown", "bare"):
            found = cells.get((what, group))
            part = f"{100 * sum(found) / len(found):5.1f} of {len(found)}" if found else "–"
            parts.append(f"{part:>15}")
    return f"{name:16}{''.join(parts)}"


def heading(columns: Sequence[str]) -> str:
    """The two lines above a table."""
    groups = "".join(f"{group:>15}" for group in ("all", "shown", "bare"))
    return f"{'%':16}{''.join(f'{what:>45}' for what in columns)}\n{'':16}{groups * len(columns)}"


def show_mocked(options: argparse.Namespace) -> None:
    """Print the upper table and the digests of its data."""
    columns = ("irrelevant", "empty", "false alarms")
    print(heading(columns))
    digests = []
    for name, qrels, half in PARTS[options.part]:
        dataset = load_dataset(options.data / name, qrels=qrels, half=half)
        digests.append(f"{name} {qrels} {half or 'all'}: {dataset.digest[:16]}")
        calls = asyncio.run(planned(dataset, options.limit))
        seen = [one for seed in options.seed for one in mocked(dataset.catalog, calls, seed)]
        print(row(name, seen, columns), flush=True)
    print("data " + "; ".join(digests) + "\n")


def show_real(options: argparse.Namespace) -> None:
    """Print the lower table."""
    columns = ("own", "foreign")
    print(heading(columns))
    for name in ("apibank", "livemcp"):
        print(row(name, recorded(options.data / name), columns), flush=True)
    rng = Random(options.seed[0])
    specs = openapi_tools(options.data / "openapi")
    print(row("openapi", documented(specs, specs, rng), columns), flush=True)
    apis = list(Catalog.from_jsonl(options.data / "toolbench_g1" / "corpus.jsonl"))
    part = [
        tool
        for tool in apis
        if half_of(tool.toolkit) == options.part and not is_message(tool.response.example)
    ]
    print(row("toolbench_g1", documented(apis, part, rng), columns), flush=True)


def show_speed(options: argparse.Namespace) -> None:
    """Print what the largest catalogue and its answers cost."""
    catalog = load_dataset(options.data / "arazzo").catalog
    begin = time.perf_counter()
    vocabulary = catalog.vocabulary
    print(f"\n{len(catalog)} tools indexed in {time.perf_counter() - begin:.2f} s")
    bodies = [{"weather": [{"city": f"c{n}", "wind_kph": n} for n in range(20)]} for _ in range(9)]
    tools = list(catalog)[:100]
    begin = time.perf_counter()
    for tool in tools:
        for body in bodies:
            is_irrelevant(json.loads(json.dumps(body)), tool, {"city": "Bonn"}, vocabulary)
    spent = time.perf_counter() - begin
    print(f"{1000 * spent / len(tools) / len(bodies):.3f} ms an answer of 20 records")


def main() -> None:
    """Print both tables, the costs and the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("dev", "report"), default="dev")
    parser.add_argument("--seed", type=int, nargs="+", default=[30], help="of faults and answers")
    parser.add_argument("--limit", type=int, default=200, help="requests of each data set")
    options = parser.parse_args()
    show_mocked(options)
    show_real(options)
    show_speed(options)
    print(f"command: python {' '.join(sys.argv)}")


if __name__ == "__main__":
    main()
