"""How recorded answers of real services are read, held against labels made by reading.

    python benchmarks/trials/real_calls.py --data DIR [--part develop|report] [--show]

`DIR/real_calls/calls.jsonl` holds calls that agents made, with the relay's answers. Those that it
labels itself are measured together with those of `labels/real_calls.jsonl`, whose README says
what the labels mean and how rows were drawn. An answer is read as the StableToolBench adapter reads
one (`read_relayed`, then `judge`), status 200: no other was recorded. An envelope that the
recording cut is closed first, for on the wire it was whole. A call counts once, however often it
was recorded, and a reading that a label's `also` names is right.

Rows are no independent draws: those of one toolkit resemble each other, so a second figure counts
each toolkit once, as the mean share of its rows. `foreign`: the good answers of the part, each
read as that of another toolkit's call; few recorded answers are about something else.
"""

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from scipy.stats import binomtest

from gretel.catalog import Catalog
from gretel.catalog.bounds import Pool
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.formats.functions import schema_parameters
from gretel.catalog.identity import mint
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool, ToolId, VirtualBinding
from gretel.datasets.halves import half_of
from gretel.datasets.reading import contents_digest, read_lines
from gretel.sandbox.answers.judge import judge
from gretel.sandbox.answers.verdict import Verdict
from gretel.sandbox.http.stabletoolbench import read_relayed

Part: TypeAlias = Literal["develop", "report"]
LABELS = Path(__file__).parent / "labels" / "real_calls.jsonl"
CONTENT = ("request", "function", "arguments", "observation")
CUT = "..."
"""What the recording puts where it cut an observation."""


class Labelled(NamedTuple):
    """A recorded call with its label."""

    row: str
    tool: Tool
    arguments: JsonObject
    observation: str
    label: str
    also: frozenset[str]
    drawn: str
    sure: bool


class Read(NamedTuple):
    """A labelled call, and how its answer was read."""

    call: Labelled
    verdict: Verdict

    @property
    def said(self) -> str:
        """The verdict as a label: `S`, `E`, `I` or `F:<kind>`.

        A true "there are none" is a success with a mark, and `E` by what the labels mean.
        """
        kind = self.verdict.failure.kind if self.verdict.failure else ""
        if self.verdict.says_none:
            return "E"
        if self.verdict.status != "failed":
            return "S" if self.verdict.status == "succeeded" else "E"
        return "I" if kind == "irrelevant" else f"F:{kind}"

    @property
    def right(self) -> bool:
        """Whether the label or what is as right was read, to the kind of failure."""
        return self.said == self.call.label or self.said in self.call.also

    @property
    def class_right(self) -> bool:
        """As `right`, but any kind of failure is as good as another."""
        return self.right or (self.call.label[0] == "F" and self.verdict.status == "failed")


def digest_of(row: JsonObject) -> str:
    """SHA-256 (hex) of the canonical JSON of what was asked, called and answered."""
    content = {name: row.get(name) for name in CONTENT}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def part_of(toolkit: str) -> Part:
    """The part of a toolkit; the data set itself is one half by the plain name."""
    return "develop" if half_of(f"real_calls:{toolkit}") == "dev" else "report"


def tool_of(row: JsonObject) -> Tool:
    """The recorded function as a tool behind a StableToolBench server."""
    toolkit, function = as_text(row.get("toolkit")), as_text(row.get("function"))
    schema = as_object(row.get("schema"))
    operation = function.removesuffix(f"_for_{toolkit}")
    return Tool(
        tool_id=mint(toolkit, operation),
        toolkit=toolkit,
        operation=operation,
        description=as_text(schema.get("description")),
        parameters=schema_parameters(schema.get("parameters"), Pool()),
        binding=VirtualBinding(category="", tool_name=toolkit, api_name=operation),
    )


def whole(observation: str) -> str:
    """The observation, its envelope closed again where the recording cut it."""
    if not observation.endswith(CUT) or not observation.startswith('{"error"'):
        return observation
    text = observation.removesuffix(CUT)
    for left in range(len(text), max(len(text) - 6, 0), -1):  # an escape may be cut, too
        closed = f'{text[:left]}"}}'
        try:
            json.loads(closed)
        except ValueError:
            continue
        return closed
    return observation


def read(call: Labelled, tool: Tool, arguments: JsonObject, catalog: Catalog) -> Read:
    """How the call's answer is read as one of `tool`."""
    answer = read_relayed("POST", 200, "application/json", whole(call.observation))
    return Read(call, judge(answer, tool, arguments, catalog.vocabulary))


def labelled(rows: Iterable[JsonObject], tools: Mapping[ToolId, Tool]) -> Iterator[Labelled]:
    """The calls that are labelled in either place, each once.

    Raises:
        ValueError: a label's row is not in the data, or is said to be of the other part.
    """
    labels = {as_text(label["row"]): label for _, label in read_lines(LABELS)}
    seen: set[str] = set()
    for row in rows:
        digest = digest_of(row)
        own = row.get("label") is not None
        label = row if own else labels.get(digest, {})
        if digest in seen or label.get("label") is None:
            continue
        seen.add(digest)
        tool = tools[tool_of(row).tool_id]
        if not own and label["part"] != part_of(tool.toolkit):
            raise ValueError(f"row {digest}: its toolkit is of the other part")
        yield Labelled(
            row=digest,
            tool=tool,
            arguments=as_object(row.get("arguments")),
            observation=as_text(row.get("observation")),
            label=as_text(label["label"]),
            also=frozenset(map(as_text, as_list(label.get("also_accepted" if own else "also")))),
            drawn="own" if own else as_text(label["drawn"]),
            sure=own or bool(label["sure"]),
        )
    if labels.keys() - seen:
        raise ValueError(f"{len(labels.keys() - seen)} labels are of no row of the data")


def share(name: str, rows: Sequence[Read], hit: Callable[[Read], bool]) -> str:
    """Count, share with its 95 % interval (Wilson), and the same by toolkit; in %."""
    if not rows:
        return f"{name:38} –"
    found = sum(map(hit, rows))
    interval = binomtest(found, len(rows)).proportion_ci(0.95, method="wilson")
    by_toolkit: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_toolkit[row.call.tool.toolkit].append(hit(row))
    mean = sum(sum(hits) / len(hits) for hits in by_toolkit.values()) / len(by_toolkit)
    return (
        f"{name:38} {found:4} of {len(rows):3} {100 * found / len(rows):6.1f}"
        f"  [{100 * interval.low:5.1f}, {100 * interval.high:5.1f}]"
        f"   {100 * mean:6.1f} of {len(by_toolkit):3} toolkits"
    )


def is_odd(row: Read) -> bool:
    """Whether its words speak against an answer, by a factor of three at least."""
    return row.verdict.oddness > 1


def figures(rows: Sequence[Read]) -> Iterator[str]:
    """The lines of one table."""
    classes = {mark: [row for row in rows if row.call.label[0] == mark] for mark in "SEIF"}
    good = [row for row in rows if row.said == "S"]
    yield share("failed: found as any failure", classes["F"], lambda row: row.class_right)
    yield share("failed: of a right kind", classes["F"], lambda row: row.right)
    yield share("empty: found", classes["E"], lambda row: row.right)
    pure = [row for row in classes["E"] if not row.call.also]
    yield share("  of these, nothing else is right", pure, lambda row: row.right)
    yield share("irrelevant: found", classes["I"], lambda row: row.right)
    yield share("read as succeeded: succeeded", good, lambda row: row.right)
    yield share("succeeded: wrongly flagged", classes["S"], lambda row: not row.right)
    yield share("succeeded: odd by its words", classes["S"], is_odd)


def foreign(rows: Sequence[Labelled], catalog: Catalog) -> Iterator[Read]:
    """Every good answer, read as that of the next call of another toolkit, by digest."""
    good = sorted((row for row in rows if row.label == "S"), key=lambda row: row.row)
    for place, row in enumerate(good):
        others = (*good[place + 1 :], *good[:place])
        other = next((each for each in others if each.tool.toolkit != row.tool.toolkit), None)
        if other is not None:
            yield read(row, other.tool, other.arguments, catalog)


def listing(rows: Iterable[Read]) -> Iterator[str]:
    """The calls that were read wrongly, to the class; then those with the wrong kind only."""
    wrong = [row for row in rows if not row.right]
    for row in sorted(wrong, key=lambda row: (row.class_right, row.call.label, row.said)):
        also = f" (or {', '.join(sorted(row.call.also))})" if row.call.also else ""
        detail = row.verdict.failure.detail if row.verdict.failure else ""
        yield f"{row.call.row[:12]} {row.call.label}{also} read as {row.said}: {detail}"
        yield f"    {row.call.tool.tool_id}: {' '.join(row.call.observation.split())[:200]}"


def main() -> None:
    """Print the tables, what was read, and the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("develop", "report"), default="develop")
    parser.add_argument("--show", action="store_true", help="list what was read wrongly")
    options = parser.parse_args()
    if options.show and options.part == "report":
        parser.error("--show is for the part to develop on; the other is never looked at")
    calls = options.data / "real_calls" / "calls.jsonl"
    recorded = [row for _, row in read_lines(calls)]
    tools = {tool.tool_id: tool for tool in map(tool_of, recorded)}
    catalog = Catalog(tools.values())
    every = list(labelled(recorded, tools))
    chosen = [call for call in every if part_of(call.tool.toolkit) == options.part]
    rows = [read(call, call.tool, call.arguments, catalog) for call in chosen]
    groups = {
        "all": rows,
        "labelled in the data set itself": [r for r in rows if r.call.drawn == "own"],
        "labelled here": [r for r in rows if r.call.drawn != "own"],
        "all, doubtful labels left out": [r for r in rows if r.call.sure],
        "labelled here, drawn at random": [r for r in rows if r.call.drawn == "random"],
    }
    print(f"part {options.part}; %, 95 % interval of the rows, mean over toolkits")
    for name, group in groups.items():
        print(f"\n{name}: {len(group)} calls", *figures(group), sep="\n")
    crossed = list(foreign(chosen, catalog))
    print("", share("foreign: found irrelevant", crossed, lambda row: row.said == "I"), sep="\n")
    print(share("foreign: odd by its words", crossed, is_odd))
    print(share("foreign: not read as succeeded", crossed, lambda row: row.said != "S"))
    if options.show:
        print("", *listing(rows), sep="\n")
    print(f"\ndata {contents_digest([calls])[:16]}, labels {contents_digest([LABELS])[:16]}")
    print(f"command: python {' '.join(sys.argv)}")


if __name__ == "__main__":
    main()
