"""What of real documents and answers is taken for a secret, by its name and by its shape.

    python benchmarks/catalog/secret_names.py --data DIR [--list]

Reads DIR/openapi, DIR/arazzo and DIR/real_calls. Of the names of parameters and of their fields it
says how many would be left out of what a caller knows: with a value of letters and digits, and
with any; of the names under which documents have a key sent, all of them secrets, the same. Of
descriptions and recorded answers it says in how many something is masked, and what that costs
(processor time of this thread). `--list` prints the names.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shared import documents, file_digest

from gretel.catalog import Catalog
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, Tool
from gretel.datasets.reading import read_lines
from gretel.sandbox.secrets.looks import without_secrets
from gretel.text.foreign import excerpt
from gretel.text.secret_shapes import MASK

CODE, WORD = "4f9c2b1177ac", "Riverbank"
"""A value of letters and digits, and one that only its name makes a secret."""
DEPTH = 6


def main() -> None:
    """Judge all, print a line a kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--list", action="store_true", help="print the names")
    options = parser.parse_args()
    index = options.data / "openapi" / "index.jsonl"
    corpus = options.data / "arazzo" / "corpus.jsonl"
    calls = options.data / "real_calls" / "calls.jsonl"
    print(
        *(f"{path.parent.name} ({file_digest(path)})" for path in (index, corpus, calls)), sep=", "
    )
    tools = [*documents(index), *Catalog.from_jsonl(corpus)]
    named = {name for tool in tools for each in tool.parameters for name in fields(each)}
    show_names("names of parameters and fields", named, each=options.list)
    show_names("names of keys", {name for tool in tools for name in keys(tool)}, each=options.list)
    show_texts("descriptions", {tool.description for tool in tools})
    show_texts("recorded answers", [str(row["observation"]) for _, row in read_lines(calls)])


def fields(parameter: Parameter) -> Iterator[str]:
    """The name of a parameter, and those of the fields in it."""
    yield parameter.name
    yield from _properties(parameter.json_schema, DEPTH)


def _properties(schema: JsonValue, depth: int) -> Iterator[str]:
    if not isinstance(schema, dict) or not depth:
        return
    own = schema.get("properties")
    inner: list[JsonValue] = [schema.get("items")]
    for name, each in own.items() if isinstance(own, dict) else ():
        yield name
        inner.append(each)
    for way in ("allOf", "anyOf", "oneOf"):
        ways = schema.get(way)
        inner += ways if isinstance(ways, list) else []
    for each in inner:
        yield from _properties(each, depth - 1)


def keys(tool: Tool) -> Iterator[str]:
    """The names under which a document has a key sent."""
    security = tool.binding.security if isinstance(tool.binding, HttpBinding) else ()
    for schemes in security:
        for scheme in schemes:
            if scheme.kind == "apiKey" and scheme.parameter:
                yield scheme.parameter


def show_names(kind: str, names: set[str], *, each: bool) -> None:
    """Print how many names are those of secrets."""
    coded, any_value = (
        sorted(name for name in names if without_secrets({name: value})[1])
        for value in (CODE, WORD)
    )
    print(f"{kind}: {len(coded)} of {len(names)} with a code, {len(any_value)} with any value")
    if each:
        print(json.dumps({"any": any_value, "code": sorted({*coded} - {*any_value})}, indent=1))


def show_texts(kind: str, texts: Iterable[str]) -> None:
    """Print in how many texts something is masked, and the cost."""
    read = sorted(texts)
    began = time.thread_time()
    masked = sum(MASK in excerpt(text) for text in read)
    spent = (time.thread_time() - began) / len(read)
    print(f"{kind}: {masked} of {len(read)} masked; {spent * 1e6:.0f} us each")


if __name__ == "__main__":
    main()
