"""How much of real documents becomes tools, and how fast.

    python benchmarks/catalog/loading.py --data DIR

DIR holds `openapi/index.jsonl` with its documents and `arazzo/corpus.jsonl`; GRETEL_DATA says it
too. Prints one row for each kind of document that the index expects, then the flattened corpus.
"""

import argparse
import json
import os
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding, Tool

DETAIL = re.compile(r"^[^:]*: | \(.*|\. .*")
"""What differs between errors of one reason: the file, the position, the remedy."""


@dataclass
class Kind:
    """What came of all documents that the index expects alike."""

    documents: int = 0
    loaded: int = 0
    expected: int = 0
    tools: int = 0
    skipped: int = 0
    seconds: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    """Why documents were refused, by the beginning of the message."""


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GRETEL_DATA"))
    data = parser.parse_args().data
    if data is None:
        parser.error("name the folder of the data: --data DIR, or GRETEL_DATA")
    console = Console(width=110)
    kinds = load_documents(data / "openapi")
    console.print(table(kinds))
    for name, kind in kinds.items():
        for reason, count in kind.errors.most_common():
            console.print(f"{name}: {count} × {reason}", highlight=False)
    start = time.perf_counter()
    catalog = Catalog.from_path(data / "arazzo" / "corpus.jsonl")
    seconds = time.perf_counter() - start
    digest = catalog.digest
    total = time.perf_counter() - start
    console.print(
        f"arazzo: {len(catalog):,} tools, {len(catalog.skipped)} skipped in {seconds:.2f} s "
        f"({total:.2f} s with the digest {digest})",
        highlight=False,
    )


def load_documents(folder: Path) -> dict[str, Kind]:
    """Load every document of the index; any exception but CatalogError ends the benchmark."""
    kinds: dict[str, Kind] = {}
    for line in (folder / "index.jsonl").read_text().splitlines():
        row = json.loads(line)
        kind = kinds.setdefault(row["expect"], Kind())
        kind.documents += 1
        kind.expected += row.get("n_operations") or 0
        start = time.perf_counter()
        try:
            catalog = Catalog.from_openapi(folder / row["file"])
        except CatalogError as error:
            kind.errors[DETAIL.sub("", str(error))] += 1
        else:
            kind.loaded += 1
            kind.tools += sum(counted(tool) for tool in catalog)
            kind.skipped += len(catalog.skipped)
        kind.seconds += time.perf_counter() - start
    return kinds


def counted(tool: Tool) -> bool:
    """Whether the index counts such an operation: it leaves out TRACE."""
    return not (isinstance(tool.binding, HttpBinding) and tool.binding.method == "TRACE")


def table(kinds: dict[str, Kind]) -> Table:
    """One row for each kind."""
    result = Table(title="OpenAPI and Swagger documents")
    columns = ("expect", "documents", "loaded", "operations", "tools", "%", "skipped rows", "s")
    for column in columns:
        result.add_column(column, justify="left" if column == "expect" else "right")
    for name, kind in kinds.items():
        share = f"{100 * kind.tools / kind.expected:.2f}" if kind.expected else "–"
        result.add_row(
            name,
            *map(str, (kind.documents, kind.loaded, kind.expected, kind.tools, share)),
            str(kind.skipped),
            f"{kind.seconds:.2f}",
        )
    return result


if __name__ == "__main__":
    main()
