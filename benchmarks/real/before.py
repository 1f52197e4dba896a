"""The place of the right tool before any trial, from documents alone: no service needs to run.

    python benchmarks/real/start.py --part develop develop_e --check --out DIR  # once
    python benchmarks/real/before.py --documents DIR… [--part PART…]

Answerable requests of the parts that are developed on: the right tool first, in three, in ten, and
MRR within ten, of the candidate stage as it is and with its switches off; English requests and
those in other languages apart, too. `before` of `measure.py` is the first row.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from judged import Request, requests
from measure import loaded, right_calls
from service import DEVELOPED
from shared import PLACES, place_row

import gretel
from gretel.contracts.ranking import Message, RetrievalQuery
from gretel.contracts.ranking import Request as Asked
from gretel.contracts.tool import HttpBinding
from gretel.graph.compose import compose
from gretel.nodes.conversation import in_view
from gretel.nodes.retrieve.stage.switches import CandidateStage

DEPTH = 50
"""Candidates that are looked at."""
STAGES: Mapping[str, CandidateStage] = {
    "as it is": CandidateStage(),
    "shapes off": CandidateStage(shape=False),
}
Ranks = dict[tuple[str, str], list[int]]
"""Stage and group → the place of each request's right tool, from 1; 0 where it is not found."""


def opened(folders: Sequence[Path], part: str) -> tuple[gretel.Catalog, Mapping[str, str]]:
    """The catalogue of a part, and the service of each tool."""
    catalog, at = gretel.Catalog(), dict[str, str]()
    for folder in folders:
        for each in json.loads((folder / "services.json").read_text("utf-8")):
            if each["part"] != part:
                continue
            document = folder / "documents" / Path(each["document"]).name
            if each["kind"] == "mcp":
                catalog += gretel.Catalog.from_mcp(document.read_bytes(), server=each["name"])
                continue
            found = loaded({**each, "document": document})
            catalog += found
            at |= dict.fromkeys(found.base_urls, str(each["name"]))
    return catalog, {
        tool.tool_id: at[tool.binding.servers[0]]
        if isinstance(tool.binding, HttpBinding)
        else tool.toolkit
        for tool in catalog
    }


def asked_of(request: Request) -> Asked:
    """What the graph would be given."""
    said = tuple(Message(role="user", content=turn) for turn in request.history)
    return Asked(
        text=request.text, messages=said, context=dict(request.context), today="2026-01-01"
    )


async def places(folders: Sequence[Path], part: str) -> list[tuple[Request, str, int]]:
    """The place of the right tool for each request of a part, in each stage."""
    catalog, origin = opened(folders, part)
    with TemporaryDirectory() as kept:
        stages = {
            name: compose(catalog, candidates=stage, index=Path(kept) / "index")
            for name, stage in STAGES.items()
        }
        order = next(iter(stages.values())).order  # one for all: it remembers its plans
        assert order is not None
        found = []
        for request in requests():
            if request.part != part or request.kind != "answerable":
                continue
            asked = asked_of(request)
            query = RetrievalQuery(text=in_view(asked))
            for name, parts in stages.items():
                retrieval = await parts.retriever.retrieve([query], k=DEPTH)
                ranked = await order.ordered(asked, retrieval.candidates[0])
                right = (
                    place
                    for place, each in enumerate(ranked, 1)
                    if right_calls(request, origin[each.tool_id], catalog[each.tool_id])
                )
                found.append((request, name, next(right, 0)))
        for parts in stages.values():
            await parts.aclose()
    return found


def table(ranks: Ranks) -> Iterator[str]:
    """A line for each stage and group."""
    yield PLACES
    for (stage, group), found in sorted(ranks.items(), key=lambda each: each[0][::-1]):
        yield place_row(f"{group}, {stage}", found)


async def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=Path, nargs="+", required=True, help="of start.py")
    parser.add_argument("--part", nargs="+", choices=DEVELOPED, default=list(DEVELOPED))
    options: Any = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    ranks: Ranks = {}
    for part in options.part:
        for request, name, place in await places(options.documents, part):
            language = "English" if request.language == "en" else "other languages"
            for group in (part, language, "all"):
                ranks.setdefault((name, group), []).append(place)
    print("\n".join(table(ranks)))


if __name__ == "__main__":
    asyncio.run(main())
