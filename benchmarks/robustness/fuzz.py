"""Generated documents and answers against loaders, planning and judging: nothing breaks or stalls.

    python benchmarks/robustness/fuzz.py [--documents 20000] [--answers 20000] [--seed 0]
        [--out FILE]

Each document (OpenAPI 3.1, 3.0, Swagger 2.0, an MCP listing, a ToolBench tool, JSONL rows; JSON or
YAML) is a real shape with hostile values in random places (`fuzz_values.py`). It is loaded, and
its tools are tried in a whole selection, before a recording server in the network's place that
answers at random. Each answer is judged in a selection over a few fixed tools. Watched are

- errors: a loader gives a catalogue or one `CatalogError` with field and remedy, a selection ends
  without any;
- how long the event loop was held, by a watchdog that ticks every few milliseconds; what Python's
  garbage collection takes for the objects of the libraries themselves is kept out of it;
- resident memory, from after the warm-up (a twentieth) to the end;
- what reached the server: GET, HEAD and OPTIONS only, and no operation that says it changes things.

Exits with 1 where one of them does not hold, and names the seeds of the cases, each of which runs
by itself: `--documents 1 --answers 0 --seed N`. With `--out` each 500 cases are a line of that
file, and a run that was cut off goes on behind the last one; its memory counts from its own
warm-up. Needs /proc (Linux).
"""

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import httpx
from fuzz_values import Answer, Document, answer, document
from resident import rss_mb, small_pages

from fakes import FakeRetriever, param, tool
from gretel.catalog import Catalog
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.errors import InputError
from gretel.contracts.tool import HttpBinding, Response, Tool, VirtualBinding
from gretel.graph.selector import Selector
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.gate import OriginLimits
from gretel.sandbox.permission.policy import Policy

DEPTH = 6
"""Tools of a document that are tried."""
PIECE = 500
"""Cases between two lines of the file."""
LARGEST = 5_000_000
"""Bytes of a document; what a larger one costs is for `loading.py`."""
TICK_S = 0.005
HELD_S = 0.25
"""How long the loop may be held."""
GROWN_MB = 200.0
SERVER = "http://127.0.0.1:9"
SAFE = ("GET", "HEAD", "OPTIONS")
LIMITS = OriginLimits(at_once=1_000, per_second=1_000_000, failures=1_000_000)
REQUESTS = (
    "Find me a one-way flight from Oslo to Paris on 2026-12-01 for two adults, at most 300 EUR.",
    "Show order 12345 of user a.b@example.com, newest first, page 2, 50 per page.",
    "What is the weather in the city of 東京 tomorrow? Use metric units, please.",
    "Search articles about 'machine learning' by code AB-12.c/7 " + "word.dot " * 60,
)


class Finding(NamedTuple):
    """One case that broke a promise."""

    kind: str
    seed: int
    what: str


class Piece(NamedTuple):
    """What some cases in a row gave."""

    cases: int
    findings: Sequence[Sequence[Any]]
    ends: Mapping[str, int]
    held_ms: int
    grown_mb: int
    sent: int


class Watchdog:
    """How long the loop was held at most since it was last asked.

    Of a pause, what this process computed counts: what other processes took away does not.
    """

    def __init__(self) -> None:
        self._longest = 0.0
        self._ticked, self._worked = time.perf_counter(), time.process_time()

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            self._note()

    def longest_s(self) -> float:
        """The longest pause of the loop, and start anew."""
        self._note()
        longest, self._longest = self._longest, 0.0
        return longest

    def _note(self) -> None:
        now, worked = time.perf_counter(), time.process_time()
        held = min(now - self._ticked - TICK_S, worked - self._worked)
        self._longest = max(self._longest, held)
        self._ticked, self._worked = now, worked


class Server(httpx.AsyncBaseTransport):
    """Stands in for the network: answers as it is told, and keeps what must not have come."""

    def __init__(self) -> None:
        self.answer = Answer(200, "application/json", b"{}")
        self.came: Counter[str] = Counter()
        self.unsafe: list[str] = []
        self.harmful: frozenset[str] = frozenset()
        """What a StableToolBench server must not be told to call."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer that was told; a StableToolBench server is always called by POST."""
        self.came[request.method] += 1
        told = await request.aread()
        relayed = request.url.path == "/virtual"
        relayed = relayed and json.loads(told)["api_name"] not in self.harmful
        if not relayed and (request.method not in SAFE or "/harm/" in request.url.path):
            self.unsafe.append(f"{request.method} {request.url}"[:300])
        headers = [(b"content-type", self.answer.content_type.encode())]
        return httpx.Response(self.answer.status, headers=headers, stream=_Body(self.answer.body))


class _Body(httpx.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._content), 65_536):
            yield self._content[start : start + 65_536]


class Fuzz:
    """The cases one after the other, and what was found."""

    def __init__(self, folder: Path) -> None:
        self.findings: list[Finding] = []
        self.server = Server()
        self.dog = Watchdog()
        self.longest = 0.0
        self.ends: Counter[str] = Counter()
        self._folder = folder
        self._known = _fixed_tools()
        self._selector = self._selecting(Catalog.from_tools(self._known))

    def begin(self) -> None:
        """A new piece."""
        self.findings.clear()
        self.ends.clear()
        self.server.came.clear()
        self.longest = 0.0

    def piece(self, cases: int, grown_mb: float) -> Piece:
        """What came since `begin`."""
        sent = self.server.came.total()
        held = round(self.longest * 1000)
        return Piece(cases, [*self.findings], {**self.ends}, held, round(grown_mb), sent)

    @asynccontextmanager
    async def case(self, kind: str, seed: int, dog: Watchdog) -> AsyncIterator[None]:
        """Note what the case raises, how long it held the loop, and what it sent."""
        dog.longest_s()
        self.dog = dog
        try:
            yield
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}:{at.lineno}"
            self.findings.append(
                Finding(kind, seed, f"{where} {type(error).__name__}: {str(error)[:200]}")
            )
        held = dog.longest_s()
        self.longest = max(self.longest, held)
        if held > HELD_S:
            self.findings.append(Finding(kind, seed, f"held the loop for {held * 1000:.0f} ms"))
        self.findings += [Finding(kind, seed, f"sent {each}") for each in self.server.unsafe]
        self.server.unsafe.clear()

    async def document(self, seed: int) -> None:
        """Load a generated document, and select among its tools."""
        draw = random.Random(f"document {seed}")
        made = document(draw)
        while len(made.content) > LARGEST:
            made = document(draw)
        self.server.answer = answer(draw, small=True)
        self.dog.longest_s()  # what was made is not what is measured
        try:
            catalog = await asyncio.to_thread(self._loaded, made)
        except InputError as error:
            assert error.field and error.remedy and len(str(error)) < 2_000, str(error)[:300]
            self.ends[f"{made.kind}: refused"] += 1
            return
        self.ends[f"{made.kind}: loaded"] += 1
        tools = list(catalog)[:DEPTH]
        await asyncio.to_thread(lambda: [retrieval_text(each) for each in tools])
        if tools:
            chosen = await asyncio.to_thread(Catalog.from_tools, tools)
            selector = await asyncio.to_thread(self._selecting, chosen)
            await self._select(selector, draw)

    async def answer(self, seed: int) -> None:
        """Judge a generated answer as that of each fixed tool."""
        draw = random.Random(f"answer {seed}")
        self.server.answer = answer(draw)
        self.dog.longest_s()
        await self._select(self._selector, draw)

    async def _select(self, selector: Selector, draw: random.Random) -> None:
        bindings = (each.binding for each in selector.catalog)
        self.server.harmful = frozenset(
            each.api_name
            for each in bindings
            if isinstance(each, VirtualBinding) and each.method not in SAFE
        )
        found = await selector.aselect(
            draw.choice(REQUESTS),
            depth=DEPTH,
            abstain_below=0,
            context={"id": draw.choice(["7", 7]), "user": "u1"},
        )
        assert len(found.trials) == min(DEPTH, len(selector.catalog)), "a trial was lost"
        self.ends.update(f"trial: {trial.executed.status}" for trial in found.trials)

    def _selecting(self, catalog: Catalog) -> Selector:
        policy = Policy(base_url=SERVER, limits=LIMITS)
        executor = HttpExecutor(catalog, policy, transport=self.server)
        retriever = FakeRetriever(list(catalog), needs_tool=1.0)
        return Selector(catalog, retriever=retriever, policy=policy, executor=executor)

    def _loaded(self, made: Document) -> Catalog:
        if made.kind == "mcp":
            return Catalog.from_mcp(made.content, server="files")
        if made.suffix is None:
            return Catalog.from_openapi(made.content)
        path = self._folder / f"tools{made.suffix}"
        path.write_bytes(made.content)
        return Catalog.from_path(path)


def _fixed_tools() -> list[Tool]:
    """A documented tool, one without any documents, one with an example, and ToolBench's kind."""
    schema = {
        "type": "object",
        "properties": {"flights": {"type": "array", "items": {"properties": {"id": {}}}}},
    }
    responses = [
        Response(json_schema=schema, description="Flights."),
        Response(),
        Response(example={"orders": [{"id": 1, "total": 2.5}]}),
        Response(example={"data": "list of str with length 4"}, example_is_template=True),
    ]
    return [
        tool(
            f"Kit{number}.search",
            "Search flights, orders and articles.",
            params=[param("q", required=True), param("limit", "integer"), param("city")],
            response=response,
            binding=HttpBinding(method="GET", path=f"/search{number}", servers=(SERVER,)),
        )
        for number, response in enumerate(responses)
    ]


async def run(documents: int, answers: int, seed: int, done: int = 0) -> AsyncIterator[Piece]:
    """All cases but the first `done`, piece by piece."""
    cases = [("document", seed + n) for n in range(documents)]
    cases += [("answer", seed + n) for n in range(answers)]
    random.Random(seed).shuffle(cases)
    warm, cases = len(cases) // 20, cases[done:]
    with tempfile.TemporaryDirectory() as folder:
        fuzz, dog = Fuzz(Path(folder)), Watchdog()
        watching = asyncio.create_task(dog.run())
        await fuzz.answer(-1)  # loads the tables
        gc.collect()
        gc.freeze()  # one pass over the libraries' objects takes 100 to 300 ms, whatever a case is
        before = None
        for start in range(0, len(cases), PIECE):
            piece = cases[start : start + PIECE]
            fuzz.begin()
            for kind, number in piece:
                async with fuzz.case(kind, number, dog):
                    await (fuzz.document if kind == "document" else fuzz.answer)(number)
            if before is None and start + len(piece) >= warm:
                before = rss_mb()
            yield fuzz.piece(len(piece), rss_mb() - (before or rss_mb()))
        watching.cancel()


def total(pieces: Sequence[Piece]) -> Piece:
    """All pieces as one; memory as at the worst end of one."""
    return Piece(
        sum(piece.cases for piece in pieces),
        [finding for piece in pieces for finding in piece.findings],
        sum((Counter(piece.ends) for piece in pieces), Counter[str]()),
        max(piece.held_ms for piece in pieces),
        max(piece.grown_mb for piece in pieces),
        sum(piece.sent for piece in pieces),
    )


async def told(args: argparse.Namespace) -> Piece:
    """Run what is left, and write and print each piece."""
    lines = args.out.read_text().splitlines() if args.out and args.out.exists() else []
    pieces = [Piece(*json.loads(line)) for line in lines]
    done = sum(piece.cases for piece in pieces)
    async for piece in run(args.documents, args.answers, args.seed, done):
        pieces.append(piece)
        so_far = total(pieces)
        print(f"{so_far.cases} cases, {said(so_far)}", file=sys.stderr, flush=True)
        if args.out:
            args.out.parent.mkdir(parents=True, exist_ok=True)
            with args.out.open("a") as file:
                file.write(json.dumps(piece) + "\n")
    return total(pieces)


def said(piece: Piece) -> str:
    """In words."""
    return (
        f"{len(piece.findings)} findings, loop held {piece.held_ms} ms at most,"
        f" memory {piece.grown_mb:+} MB, {piece.sent} calls sent"
    )


def main() -> int:
    """Run, print what was found, and judge."""
    args = _arguments()
    small_pages()
    found = asyncio.run(told(args))
    for kind, seed, what in found.findings:
        print(f"{kind} --seed {seed}: {what}")
    print(", ".join(f"{end} {count}" for end, count in sorted(found.ends.items())))
    print(f"{args.documents} documents, {args.answers} answers: {said(found)}")
    return int(bool(found.findings) or found.grown_mb > GROWN_MB)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="one line for each 500 cases; goes on behind them")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
