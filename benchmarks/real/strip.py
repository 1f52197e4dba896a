"""The same services with documents that say less, for parts that are developed on.

    python benchmarks/real/strip.py --of descriptions --out build/bare     # while the services run
    python benchmarks/real/measure.py --part develop --services build/bare/services.json --out FILE

Some services describe nothing, and some do not name what a call takes. So what is said of
operations, parameters and fields is taken out of each OpenAPI document (`descriptions`), or its
parameters in the query (`queries`); the services stay as they are, and so do MCP servers' lists.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml
from judged import OUT
from service import DEVELOPED

Json = dict[str, Any]
WORDS = ("description", "summary")


def without_descriptions(document: Json) -> Json:
    """What is said of the service itself stays; a response must have a description by the rules."""
    bare: Json = _wordless(document)
    bare["info"] = document["info"]
    for operation in _operations(bare):
        for response in operation.get("responses", {}).values():
            if "$ref" not in response:
                response["description"] = ""
    return bare


def _wordless(value: Any, *, named: bool = False) -> Any:
    """Without `WORDS`, save where these are names of fields (`named`)."""
    if isinstance(value, dict):
        return {
            key: _wordless(each, named=key == "properties")
            for key, each in value.items()
            if named or not (key in WORDS and isinstance(each, str))
        }
    return [_wordless(each) for each in value] if isinstance(value, list) else value


def without_queries(document: Json) -> Json:
    """Without the parameters in the query, of operations and of paths."""
    shared = {**document.get("parameters", {})}
    shared |= document.get("components", {}).get("parameters", {})

    def in_query(parameter: Json) -> bool:
        meant = (
            shared.get(parameter["$ref"].split("/")[-1], {}) if "$ref" in parameter else parameter
        )
        return bool(meant.get("in") == "query")

    for each in [*document["paths"].values(), *_operations(document)]:
        if "parameters" in each:
            each["parameters"] = [one for one in each["parameters"] if not in_query(one)]
    return document


def _operations(document: Json) -> list[Json]:
    paths = document["paths"].values()
    return [each for path in paths for each in path.values() if isinstance(each, dict)]


STRIPPED: Mapping[str, Callable[[Json], Json]] = {
    "descriptions": without_descriptions,
    "queries": without_queries,
}


def main() -> None:
    """Write the documents, and a table of the services that names them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--of", choices=STRIPPED, required=True, help="what is taken out")
    parser.add_argument("--services", type=Path, default=OUT / "services.json")
    parser.add_argument("--out", type=Path, required=True, help="folder")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    services = json.loads(options.services.read_text())
    services = [each for each in services if each["part"] in DEVELOPED]
    for service in services:
        if service["kind"] == "http":
            # JSON is YAML, but for a few escapes.
            path = Path(service["document"])
            read = json.loads if path.suffix == ".json" else yaml.safe_load
            document = STRIPPED[options.of](read(path.read_text()))
            written = (options.out / service["name"]).with_suffix(".json").resolve()
            written.write_text(json.dumps(document, default=str))
            service["document"] = str(written)
    (options.out / "services.json").write_text(json.dumps(services, indent=1) + "\n")
    print(f"{len(services)} services: {options.out / 'services.json'}", file=sys.stderr)


if __name__ == "__main__":
    main()
