"""How real services meet the values of calls: the rates and shares of the mock's world of values.

    python benchmarks/trials/real_values.py --data DIR [--part develop|report]

Over the labelled calls of one part of `DIR/real_calls`, as `real_calls.py` has them.
Counted are calls that reached a service that works: that carry a value that it may not know
(`evaluation.mock.known_values.looked_up`), keep the document's contract, and met no failure of
access, relay, network or server. `known`: answered. `nothing`: no content. `not_found`: no
content, said in words or as a 404. `rejected`: an error. Where all values are samples of the
document the row is `sample`; `said` where they stand in the request, else `made up`. Shares are
given over calls and, since some toolkits were called often, as the mean of toolkits, with what it
lies between for 95 of 100 draws of as many toolkits.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import numpy as np
from real_calls import LABELS, Part, digest_of, part_of

from gretel.catalog.arguments import argument_problems
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool, ToolId
from gretel.datasets.reading import contents_digest, read_lines, same_text
from gretel.evaluation.mock.known_values import folded, looked_up

DRAWS = 10_000
SAMPLES = ("example_value", "default", "example")
RELAYED = "Function executing"
"""How the relay begins to say that it failed itself, before any service was asked."""


class Call(NamedTuple):
    """A labelled call that reached a working service."""

    toolkit: str
    origin: str
    end: str


def labelled(calls: Path, part: Part) -> Iterator[tuple[JsonObject, str, Sequence[JsonValue]]]:
    """The part's calls, each once, with their label and the kinds that are as right."""
    labels = {row["row"]: row for _, row in read_lines(LABELS)}
    seen: set[str] = set()
    for _, row in read_lines(calls):
        digest, own = digest_of(row), as_text(row.get("label"))
        label = as_text(labels.get(digest, {}).get("label")) or own
        also = labels.get(digest, {}).get("also") or row.get("also_accepted")
        if label and digest not in seen and part_of(as_text(row.get("toolkit"))) == part:
            seen.add(digest)
            yield row, label, as_list(also)


def called(row: JsonObject, label: str, also: Sequence[JsonValue]) -> Call | None:
    """The call, if it says how a value is met."""
    tool, arguments = _tool(row), as_object(row.get("arguments"))
    asked = looked_up(tool, arguments)
    end = _end(label, also)
    if end is None or not asked or argument_problems(_untyped(tool), arguments):
        return None
    if _envelope(row).startswith(RELAYED):
        return None
    return Call(as_text(row.get("toolkit")), _origin(row, tool, asked), end)


def _end(label: str, also: Sequence[JsonValue]) -> str | None:
    """How the values were met; None where the failure says nothing of them."""
    if label == "E":
        return "not_found" if any(str(each).startswith("F:") for each in also) else "nothing"
    return {"S": "known", "F:rejected_arguments": "rejected", "F:error_in_body": "rejected"}.get(
        label
    )


def _origin(row: JsonObject, tool: Tool, asked: JsonObject) -> str:
    shown = {p.name: {folded(each) for each in p.examples} for p in tool.parameters}
    if all(folded(value) in shown[name] for name, value in asked.items()):
        return "sample"
    said = same_text(as_text(row.get("request")))
    return "said" if all(folded(value) in said for value in asked.values()) else "made up"


def _envelope(row: JsonObject) -> str:
    """The error that the relay put around the answer."""
    try:
        found: JsonValue = json.loads(as_text(row.get("observation")))
    except ValueError:
        return ""
    return as_text(as_object(found).get("error"))


def _tool(row: JsonObject) -> Tool:
    """The tool as the agent saw it."""
    schema = as_object(as_object(row.get("schema")).get("parameters"))
    required = as_list(schema.get("required"))
    toolkit, name = as_text(row.get("toolkit")), as_text(row.get("function"))
    parameters = tuple(
        Parameter(
            name=key,
            wire_name=key,
            location="argument",
            required=key in required,
            json_schema={k: v for k, v in as_object(each).items() if k in ("type", "enum")},
            examples=tuple(v for k, v in as_object(each).items() if k in SAMPLES and v != ""),
        )
        for key, each in as_object(schema.get("properties")).items()
    )
    return Tool(tool_id=ToolId(name), toolkit=toolkit, operation=name, parameters=parameters)


def _untyped(tool: Tool) -> Tool:
    """The tool with its names alone: the relay sent everything as text."""
    bare = (p.model_copy(update={"json_schema": {}}) for p in tool.parameters)
    return tool.model_copy(update={"parameters": tuple(bare)})


def share(calls: Iterable[Call], ends: Mapping[str, bool]) -> str:
    """Share of the calls that end so, of those that end in any of `ends`, in both counts."""
    by_toolkit: dict[str, list[bool]] = defaultdict(list)
    for call in calls:
        if call.end in ends:
            by_toolkit[call.toolkit].append(ends[call.end])
    found = [each for kept in by_toolkit.values() for each in kept]
    if not found:
        return "–"
    alike = [mean(kept) for kept in by_toolkit.values()]
    drawn = np.random.default_rng(7).choice(alike, (DRAWS, len(alike))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    of = f"{mean(alike):6.1%} ({low:4.0%} – {high:4.0%}) of {len(alike):3} toolkits"
    return f"{mean(found):6.1%} of {len(found):3}   {of}"


def main() -> None:
    """Print rates and shares, with their counts, the data's digest and the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("develop", "report"), default="develop")
    options = parser.parse_args()
    data = options.data / "real_calls" / "calls.jsonl"
    rows = list(labelled(data, options.part))
    calls = [call for row in rows if (call := called(*row))]
    ends = Counter(call.end for call in calls)
    print(f"{len(rows)} labelled calls, {len(calls)} of them say how values are met: {dict(ends)}")
    met = {end: end == "known" for end in ends}
    for name in ("all", "sample", "said", "made up", "said or made up"):
        kept = [call for call in calls if name == "all" or call.origin in name]
        print(f"known, {name:18} {share(kept, met)}")
    for end in ("nothing", "not_found", "rejected"):
        wanted = {each: each == end for each in ends if each != "known"}
        print(f"unknown, {end:16} {share(calls, wanted)}")
    print(f"data {contents_digest([data])[:16]}, labels {contents_digest([LABELS])[:16]}")
    print(f"command: python {' '.join(sys.argv)}")


if __name__ == "__main__":
    main()
