"""Whether `toolbench_g1.jsonl` fits the data set, and how much of it is annotated.

    python benchmarks/trials/values/check.py --data DIR [--values FILE]

DIR holds `toolbench_g1`. Prints one line for each fault and the counts of either half; exits 1
where there is a fault. Nothing of the planner is used: of GRETEL, the reader of data sets only.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.datasets.halves import Half
from gretel.datasets.loading import load_dataset
from gretel.datasets.reading import Line, read_lines

VALUES = Path(__file__).with_name("toolbench_g1.jsonl")
HALVES: tuple[Half, ...] = ("dev", "report")


class Pair(NamedTuple):
    """A request and one of its right tools, which takes parameters."""

    text: str
    tool: Tool
    half: Half


Key = tuple[str, str]
"""Id of the request, id of the tool in `corpus.jsonl`."""


def pairs_of(folder: Path) -> dict[Key, Pair]:
    """What there is to annotate, in the order of the judgements."""
    found: dict[Key, Pair] = {}
    for half in HALVES:
        dataset = load_dataset(folder, qrels="test_solvable", half=half)
        for request in dataset.requests:
            for tool_id in sorted(request.gold):
                tool = dataset.catalog[tool_id]
                if tool.parameters:
                    key = (request.request_id, as_text(tool.external_id))
                    found[key] = Pair(request.text, tool, half)
    return found


def faults_of_row(row: JsonObject, pair: Pair) -> Iterator[str]:
    """What does not fit in one row whose request and tool are known."""
    arguments, unsaid = as_object(row.get("arguments")), as_list(row.get("unsaid"))
    if set(row) != {"query", "tool", "arguments", "unsaid"}:
        yield f"its keys are {sorted(row)}"
    names = {each.name for each in pair.tool.parameters}
    required = {each.name for each in pair.tool.parameters if each.required}
    for name in sorted(set(arguments) - names):
        yield f"the tool has no parameter {name}"
    said, left = set(arguments), {as_text(each) for each in unsaid}
    if len(left) != len(unsaid):
        yield "unsaid names a parameter twice, or something that is no name"
    for name in sorted(left - required):
        yield f"unsaid names {name}, which is not required"
    for name in sorted(required - said - left):
        yield f"nothing is said of {name}, which is required"
    for name in sorted(said & left):
        yield f"{name} has values and is unsaid"
    for name, accepted in arguments.items():
        yield from (f"{name}: {fault}" for fault in faults_of_values(as_list(accepted), pair.text))


def faults_of_values(accepted: list[JsonValue], text: str) -> Iterator[str]:
    """What does not fit in the accepted values of one parameter."""
    if not accepted:
        yield "no value"
    literals = [as_object(each)["value"] for each in accepted if set(as_object(each)) == {"value"}]
    spans = [as_object(each)["span"] for each in accepted if set(as_object(each)) == {"span"}]
    if len(literals) + len(spans) != len(accepted):
        yield "an accepted value has either a span or a value"
    for span in spans:
        match span:
            case [int(start), int(end)] if 0 <= start < end <= len(text):
                if text[start:end] != text[start:end].strip():
                    yield f"blanks at the edges of {start} to {end}"
            case _:
                yield f"{span} is no span of the text"
    if any(value is None or value == "" or isinstance(value, list | dict) for value in literals):
        yield "a literal is a text, a number or a boolean"
    written = [repr(each) for each in accepted]
    if len(set(written)) != len(written):
        yield "a value stands twice"


def faults_of(rows: list[Line], pairs: Mapping[Key, Pair]) -> Iterator[str]:
    """All that does not fit, each with its place."""
    seen: set[Key] = set()
    for place, row in rows:
        key = (as_text(row.get("query")), as_text(row.get("tool")))
        if key not in pairs:
            yield f"{place}: {key} is no judged pair with parameters"
        elif key in seen:
            yield f"{place}: {key} was annotated before"
        else:
            yield from (f"{place}: {fault}" for fault in faults_of_row(row, pairs[key]))
        seen.add(key)


def counts_of(rows: list[Line], pairs: Mapping[Key, Pair], half: Half) -> list[tuple[str, int]]:
    """The rows of the table for one half, in order."""
    known = [
        (row.content, pairs[key])
        for row in rows
        if (key := (as_text(row.content.get("query")), as_text(row.content.get("tool")))) in pairs
    ]
    here = [(row, pair) for row, pair in known if pair.half == half]
    given = [
        (name, [as_object(each) for each in as_list(accepted)], pair.tool)
        for row, pair in here
        for name, accepted in as_object(row.get("arguments")).items()
    ]
    required = [
        any(each.required for each in tool.parameters if each.name == name)
        for name, _, tool in given
    ]
    return [
        ("pairs with parameters", sum(pair.half == half for pair in pairs.values())),
        ("annotated", len(here)),
        ("of them with a value", sum(bool(row.get("arguments")) for row, _ in here)),
        ("of them with something unsaid", sum(bool(row.get("unsaid")) for row, _ in here)),
        ("required parameters said", sum(required)),
        ("required parameters unsaid", sum(len(as_list(row.get("unsaid"))) for row, _ in here)),
        ("optional parameters said", len(required) - sum(required)),
        ("parameters with a span", sum(any("span" in each for each in v) for _, v, _ in given)),
        (
            "parameters with literals only",
            sum(not any("span" in each for each in v) for _, v, _ in given),
        ),
        ("parameters with several values", sum(len(values) > 1 for _, values, _ in given)),
    ]


def main() -> int:
    """Check, count, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--values", type=Path, default=VALUES, help="the annotations")
    options = parser.parse_args()
    try:
        pairs = pairs_of(options.data / "toolbench_g1")
        rows = list(read_lines(options.values))
    except CatalogError as error:
        print(error, file=sys.stderr)
        return 1
    faults = list(faults_of(rows, pairs))
    for fault in faults:
        print(fault)
    columns = [counts_of(rows, pairs, half) for half in HALVES]
    print(f"{'':34}" + "".join(f"{half:>8}" for half in HALVES))
    for (name, first), (_, second) in zip(*columns, strict=True):
        print(f"{name:34}{first:8}{second:8}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
