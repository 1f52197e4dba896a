"""An agent on recorded dialogues: right tool, right arguments, finished.

    python benchmarks/agent/agent.py --data DIR --train OUT --base MODEL [--seal N] [--epochs N]
    python benchmarks/agent/agent.py --data DIR --agent rules [--offered selection]
    python benchmarks/agent/agent.py --data DIR --agent untrained --base MODEL
    python benchmarks/agent/agent.py --data DIR --agent trained --artifact OUT

`--train` makes an artefact in three stages, of Seal-Tools' dev requests (all, or the N with the
fewest calls) and of the calls of API-Bank's dialogues whose tool is of the dev half. Measured are
the calls of the report half, each in its dialogue up to there, on the tools of API-Bank: `rules` is
the deterministic twin behind the retriever's candidates or, with `--offered selection`, behind
`full`; `untrained` a base with rows that its tools' documents give; `trained` the artefact. Tools
answer on loopback, as `gretel mock` does, where a call has the recorded values, and say that they
know no other. Every call counts; one that broke or gave up counts as wrong.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from agent_measures import AgentRun, measure_runs, score_run

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.agent import AgentResult
from gretel.contracts.budget import Budget
from gretel.contracts.protocols import AgentModel
from gretel.contracts.tool import Tool
from gretel.datasets.judged import Dataset
from gretel.datasets.loading import load_dataset
from gretel.datasets.trajectories import Trajectories, Trajectory, read_trajectories
from gretel.evaluation.mock.environment import Environment
from gretel.evaluation.mock.environment_executor import on_behalf_of
from gretel.evaluation.runs.right_values import own_values
from gretel.graph.agent import AgentGraph, build_agent
from gretel.graph.agent_parts import OFFERED, agent_parts
from gretel.graph.compose import compose
from gretel.nodes.agent.state import AgentContext

SEED = 7
PATIENT = Budget(wall_s=3_600.0, trial_s=600.0)


def learnt(data: Path, most: int) -> tuple[Catalog, list[Trajectory]]:
    """The tools of API-Bank with those that Seal-Tools' requests name, and what is learnt from.

    Of Seal-Tools the `most` requests with the fewest calls: the longer ones cost most of the time.
    """
    seal = read_trajectories(data / "sealtools", qrels="dev")
    bank = read_trajectories(data / "apibank", half="dev")
    rows = [*bank.rows, *sorted(seal.rows, key=lambda row: len(row.calls))[:most]]
    return Catalog.from_tools([*bank.catalog, *_named(seal, rows)]), rows


def _named(seal: Trajectories, rows: Sequence[Trajectory]) -> list[Tool]:
    names = sorted({call.tool_id for row in rows for call in row.calls})
    return [seal.catalog[name] for name in names if name in seal.catalog]


def train(data: Path, base: str | None, out: Path, most: int, epochs: int) -> None:
    """Train an artefact in all three stages; cut short, the same command goes on."""
    from gretel.training.masstool.data import Examples
    from gretel.training.masstool.first import Asked
    from gretel.training.toolgen.records import digest_of, record_of
    from gretel.training.toolgen.settings import PRESETS, Source
    from gretel.training.toolgen.train import train as trained

    catalog, rows = learnt(data, most)
    tools = tuple(sorted(catalog, key=lambda tool: tool.tool_id))
    places = {tool.tool_id: place for place, tool in enumerate(tools)}
    parts = [[row for n, row in enumerate(rows) if (n % 10 == 0) == dev] for dev in (False, True)]
    asked = [
        Asked(
            tuple(row.text for row in part),
            tuple(tuple({places[call.tool_id] for call in row.calls}) for row in part),
        )
        for part in parts
    ]
    records = [record_of(row, catalog) for row in rows]
    digest = digest_of(records)
    examples = Examples(catalog, tools, asked[0], asked[1], (), (), digest)
    settings = PRESETS["smol"].model_copy(
        update={
            "stages": ("memorize", "retrieve", "agent"),
            **{"memorize_epochs": epochs, "epochs": epochs, "agent_epochs": epochs},
            **{"agent_batch": 4, "micro": 4},
            **{"seed": SEED, "keep": 25},
        }
    )

    def told(done: int, total: int, what: str) -> None:
        if done % 20 == 0 or "epoch" in what:
            print(f"{time.strftime('%X')} {done}/{total} {what}", flush=True)

    start = time.perf_counter()
    manifest = trained(examples, settings, Source(base), out, told, records)
    minutes = (time.perf_counter() - start) / 60
    print(f"{len(tools)} tools, {len(rows)} records, digest {digest[:16]}, {minutes:.1f} minutes")
    print(f"development part {manifest.made['dev']}")


def model_of(options: argparse.Namespace, catalog: Catalog) -> AgentModel | None:
    """What thinks; None: the rules."""
    if options.agent == "trained":
        return _trained(options.artifact, catalog)
    return _untrained(options.base, catalog) if options.agent == "untrained" else None


def _trained(folder: Path, catalog: Catalog) -> AgentModel:
    """The artefact's model; a run is offered what `catalog` holds."""
    from gretel.nodes.agent.toolgen.model import ToolGenAgent
    from gretel.nodes.retrieve.toolgen.artifact import read_artifact
    from gretel.nodes.retrieve.toolgen.coded import opened

    artifact = read_artifact(folder)
    model, slots = opened(artifact), artifact.manifest.shape.slots
    return ToolGenAgent(lambda: (model, slots), catalog)


def _untrained(name: str | None, catalog: Catalog) -> AgentModel:
    """A base whose rows are what the documents of `catalog` give, before any training."""
    from gretel.nodes.agent.toolgen.model import ToolGenAgent
    from gretel.nodes.retrieve.language.base import CausalModel
    from gretel.nodes.retrieve.toolgen.slots import Slot, Slots
    from gretel.training.toolgen.train import started

    tools = list(catalog)
    bare = started(CausalModel(name), tools)
    named = (Slot(tool_id=each.tool_id, digest=tool_digest(each)) for each in tools)
    own = Slots(tools=tuple(named))
    return ToolGenAgent(lambda: (bare, own), catalog)


async def run_all(graph: AgentGraph, dataset: Dataset, steps: int) -> list[AgentRun]:
    """Every request, one after another."""
    context = AgentContext(steps=steps, abstain_below=0, today=date(2023, 10, 1), budget=PATIENT)
    runs = []
    for asked in dataset.requests:
        given = {
            "request": asked.text,
            "messages": [message.model_dump(mode="json") for message in asked.messages],
        }
        with on_behalf_of(asked.request_id):
            state = await graph.ainvoke(given, context=context)
        result = AgentResult.model_validate({**state["result"], "steps": state["steps"]})
        runs.append(score_run(result, asked, dataset.catalog))
        print(".", end="", file=sys.stderr, flush=True)
    return runs


def measure(options: argparse.Namespace) -> None:
    """Print the measures, the digest of the data, and the command."""
    dataset = load_dataset(options.data / "apibank", half="report")
    requests = dataset.requests[:: options.every]
    dataset = replace(dataset, requests=requests)
    known = own_values(dataset).known(seed=SEED)
    start = time.perf_counter()
    with Environment(dataset.catalog, seed=SEED, values=known) as mock:
        parts = compose(dataset.catalog, executor=mock.executor(), policy=mock.policy)
        model = model_of(options, dataset.catalog)
        graph = build_agent(agent_parts(parts, model=model, offered=options.offered))
        found = measure_runs(asyncio.run(run_all(graph, dataset, options.steps)))
    seconds = (time.perf_counter() - start) / len(requests)
    print(f"\n{options.agent}, offered {options.offered}")
    for name, value in found._asdict().items():
        print(f"  {name:10} {value:.3f}" if isinstance(value, float) else f"  {name:10} {value}")
    print(f"  {seconds:.1f} s a request\ndata {dataset.digest[:16]}, seed {SEED}")
    print(f"command: python {' '.join(sys.argv)}")


def main() -> None:
    """Train, or measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", type=Path, metavar="OUT")
    parser.add_argument("--base", help="a causal language model: folder or name")
    parser.add_argument("--seal", type=int, default=700, metavar="N")
    parser.add_argument("--epochs", type=int, default=2, help="of each stage")
    parser.add_argument("--agent", choices=("rules", "untrained", "trained"), default="rules")
    parser.add_argument("--artifact", type=Path)
    parser.add_argument("--offered", choices=OFFERED, default="candidates")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--every", type=int, default=1, help="measure each Nth request alone")
    options = parser.parse_args()
    if options.train:
        train(options.data, options.base, options.train, options.seal, options.epochs)
    else:
        measure(options)


if __name__ == "__main__":
    main()
