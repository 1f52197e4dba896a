"""How many requests are declined that a catalogue serves, and how many that it does not.

    python benchmarks/real/start.py                                  # in another terminal
    python benchmarks/real/strangers.py --part develop --data DIR --out rows.jsonl

A part's services are one catalogue, as in `measure.py`. It is asked what was written for it (in
English: other requests are not judged), what was written for other parts (`stranger`), requests of
public collections (`public`) and chat. Each is tried, whatever retrieval says; a row holds what
`training/fitting.py` learns from, and no text. The parts that are reported on lend no request.
"""

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from judged import OUT, requests
from measure import DEPTH, Opened, opened
from rich.progress import track
from service import DEVELOPED

from gretel.contracts.trial import Trial
from gretel.datasets.loading import load_dataset, load_no_tool
from gretel.nodes.context import ABSTAIN_BELOW, Context
from gretel.nodes.select.fitting import after_trials, fate_of
from gretel.nodes.select.node import chances_in, gated
from gretel.nodes.state import State

PUBLIC = {"metatool_toole": "train", "toolbench_g1": "test_solvable", "sealtools": "dev"}
CHAT = ("tooldet/negatives", "metatool_awareness/awareness")
STRANGERS, OTHERS = 25, 30
"""Requests drawn from each other part and public collection; of each kind of chat."""


class Asked(NamedTuple):
    """A request with what it is to the part's catalogue."""

    kind: str
    source: str
    text: str
    given: dict[str, Any]
    service: str | None = None
    """Which serves it, if any of the part does."""


def asked_of(part: str, data: Path, seed: int) -> Iterator[Asked]:
    """All requests of a part, the same for the same seed."""
    rng = random.Random(seed)
    for other in (part, *(each for each in DEVELOPED if each != part)):
        rows = [r for r in requests() if (r.part, r.language) == (other, "en")]
        served = [row for row in rows if row.kind == "answerable"]
        for row in rows if other == part else rng.sample(served, STRANGERS):
            kind = row.kind if other == part else "stranger"
            turns = [{"role": "user", "content": turn} for turn in row.history]
            service = row.service if other == part else None
            given = {"messages": turns, "context": dict(row.context)}
            yield Asked(kind, other, row.text, given, service)
    for name, qrels in PUBLIC.items():
        public = load_dataset(data / name, qrels=qrels, half="dev").requests
        for request in rng.sample([*public], STRANGERS):
            yield Asked("public", name, request.text, {})
    for name in CHAT:
        chat = load_no_tool(data / f"{name}.jsonl", half="dev")
        for request in rng.sample([*chat], OTHERS):
            yield Asked("chat", name, request.text, {})


async def row(part: Opened, asked: Asked) -> dict[str, Any]:
    """What came of one request, and why it would be declined."""
    context = Context(depth=DEPTH, k=DEPTH, abstain_below=0)
    given = {"request": asked.text, **asked.given}
    state = await part.selector.graph.ainvoke(given, context=context)
    trials = [Trial.model_validate(each) for each in state["trials"]]
    chances = chances_in(cast(State, state))
    abstention = state["selection"]["abstention"]
    tried = after_trials(asked.text, chances, trials, part.catalog)
    gate, after = (gated(each, ABSTAIN_BELOW) for each in (chances, tried))
    return {
        "kind": asked.kind,
        "source": asked.source,
        "service": asked.service,
        **chances._asdict(),
        "best": max((trial.retrieval_score for trial in trials), default=0.0),
        "fate": fate_of(asked.text, trials, part.catalog),
        "sent": any(trial.executed.source == "executed" for trial in trials),
        "gate": gate.reason if gate else None,
        "declined": after.reason if after else abstention["reason"] if abstention else None,
    }


async def measure(options: argparse.Namespace) -> None:
    """Ask everything, write the rows, print what was declined."""
    part = await opened(options.services, options.part)
    asked = [*asked_of(options.part, options.data, options.seed)]
    try:
        rows = [
            {"part": options.part, **await row(part, each)}
            for each in track(asked, "requests", transient=True)
        ]
    finally:
        await part.aclose()
    options.out.write_text("".join(json.dumps(each) + "\n" for each in rows))
    print(f"{'':20}{'n':>4}{'declined by retrieval alone':>30}  declined after trials")
    for kind in dict.fromkeys(each["kind"] for each in rows):
        own = [each for each in rows if each["kind"] == kind]
        gates = sum(each["gate"] is not None for each in own)
        reasons = Counter(each["declined"] for each in own if each["declined"])
        said = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        print(f"{kind:20}{len(own):4}{gates:30}  {sum(reasons.values())}: {said}")


def main() -> None:
    """Measure the part that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=DEVELOPED, required=True)
    parser.add_argument("--services", type=Path, default=OUT / "services.json")
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--out", type=Path, required=True, help="a row a request, as JSON lines")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    asyncio.run(measure(options))


if __name__ == "__main__":
    main()
