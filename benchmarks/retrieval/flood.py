"""What a flood of tools that are near to every request costs the tools that were there before.

    python benchmarks/retrieval/flood.py --data DIR --index DIR [--share 0.01] [--part dev|report]

On ToolBench's half for development, or the reported one. The attacker writes tools near to the
centres of what is asked: as many centres as tools (`spread`), or those of the five largest topics
(`topics`). A tool's text is that of one, two or three requests that lie nearest to a centre,
whichever is nearest to all around it. He knows every other request, or (`all`) the very ones that
are measured, and puts his tools into 1, 5 or 20 toolkits of his, or (`theirs`) into toolkits that
the catalogue has. R@5 of every other request without attack, under attack with the defence off (the
flood was there when the catalogue was pinned), and with it.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from itertools import combinations, cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from shared import judged, retrieved

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.loading import Dataset, JudgedRequest, load_dataset
from gretel.graph.compose import compose
from gretel.nodes.retrieve.encoding.encoder import Encoder, Matrix
from gretel.nodes.retrieve.stage.pins import Pins

DEPTH = 10
NEAREST = 6
"""Requests around a centre that the attacker puts together."""
TOOLKITS: tuple[int | None, ...] = (1, 5, 20, None)
"""Toolkits of the attacker; None: the catalogue's own."""


def attack_texts(
    encoder: Encoder, requests: Sequence[str], count: int, *, topics: int
) -> list[str]:
    """Descriptions near to the centres of what is asked, those of the largest `topics` in turn."""
    from sklearn.cluster import KMeans

    vectors = encoder.queries(requests)
    labels = KMeans(count, n_init=4, random_state=7).fit(vectors).labels_
    largest = np.argsort(-np.bincount(labels), kind="stable")[:topics]
    texts: list[str] = []
    for number in range(count):
        members = vectors[labels == largest[number % topics]]
        closeness = vectors @ members.mean(axis=0)
        texts.append(_nearest_text(encoder, requests, closeness, members, skip=texts))
    return texts


def _nearest_text(
    encoder: Encoder,
    requests: Sequence[str],
    closeness: Matrix,
    members: Matrix,
    skip: Sequence[str],
) -> str:
    near = [requests[place] for place in np.argsort(-closeness)[:NEAREST]]
    made = [" ".join(chosen) for size in (1, 2, 3) for chosen in combinations(near, size)]
    made = [text for text in made if text not in skip] or made
    return made[int((encoder.documents(made) @ members.T).mean(axis=1).argmax())]


def flood_tools(texts: Sequence[str], toolkits: Sequence[str]) -> list[Tool]:
    """One tool a text, dealt out to the toolkits."""
    dealt = zip(range(len(texts)), texts, cycle(toolkits), strict=False)
    return [
        Tool(
            tool_id=ToolId(f"{toolkit}.do_{number}"),
            toolkit=toolkit,
            operation=f"do_{number}",
            description=text,
        )
        for number, text, toolkit in dealt
    ]


def toolkit_names(catalog: Catalog, count: int | None) -> list[str]:
    """So many new ones, or twenty that the catalogue has."""
    if count is None:
        return sorted({tool.toolkit for tool in catalog})[:20]
    return [f"Flood{number}" for number in range(count)]


async def recall(retriever: Retriever, requests: Sequence[JudgedRequest]) -> tuple[float, float]:
    """R@5 and R@1 of a retriever."""
    means = judged(await retrieved(retriever, requests, k=DEPTH), requests).means
    return means["R@5"], means["R@1"]


async def flooded(
    dataset: Dataset, tools: Sequence[Tool], index: Path, *, later: bool
) -> Retriever:
    """A retriever over the catalogue and the flood, which came later or was there at first."""
    whole = Catalog.from_tools([*dataset.catalog, *tools])
    Pins(index).renew(dataset.catalog if later else whole)
    return compose(whole, index=index).retriever


async def run(options: argparse.Namespace) -> None:
    """Print the table."""
    dataset = load_dataset(options.data / "toolbench_g1", qrels="test_solvable", half=options.part)
    asked = dataset.requests[1::2]
    count = round(options.share * len(dataset.catalog))
    options.index.mkdir(parents=True, exist_ok=True)
    quiet = await recall(await flooded(dataset, [], options.index, later=True), asked)
    print(f"{len(dataset.catalog)} tools, {count} more; {len(asked)} requests measured")
    print(f"without attack  R@5 {quiet[0]:.4f}  R@1 {quiet[1]:.4f}")
    encoder = Encoder(None)
    for known, requests in (("half", dataset.requests[::2]), ("all", dataset.requests)):
        for kind, topics in (("spread", count), ("topics", min(5, count))):
            texts = attack_texts(encoder, [r.text for r in requests], count, topics=topics)
            for toolkits in TOOLKITS:
                tools = flood_tools(texts, toolkit_names(dataset.catalog, toolkits))
                figures = [
                    await recall(await flooded(dataset, tools, options.index, later=later), asked)
                    for later in (False, True)
                ]
                off, on = (lost(each, quiet) for each in figures)
                name = toolkits or "theirs"
                print(f"knows {known:4}  {kind}  {name:>6}  off {off}  on {on}", flush=True)


def lost(under_attack: tuple[float, float], quiet: tuple[float, float]) -> str:
    """Both measures, with the points that they changed by."""
    pairs = zip(("R@5", "R@1"), under_attack, quiet, strict=True)
    return "  ".join(f"{name} {now:.4f} ({100 * (now - was):+.1f})" for name, now, was in pairs)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--index", type=Path, required=True, help="folder for embeddings and pins")
    parser.add_argument("--share", type=float, default=0.01, help="of the catalogue, flooded")
    parser.add_argument("--part", choices=("dev", "report"), default="dev")
    options = parser.parse_args()
    asyncio.run(run(options))
    print("command:", "python", *sys.argv)


if __name__ == "__main__":
    main()
