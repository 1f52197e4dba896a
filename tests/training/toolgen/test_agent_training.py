"""The third stage: its records, its loss, and a whole training of a tiny model."""

import json
from pathlib import Path

import pytest

from fakes import param, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import InputError
from gretel.datasets.trajectories import Called, Trajectory
from gretel.nodes.agent.toolgen.model import ToolGenAgent
from gretel.nodes.retrieve.toolgen.artifact import read_artifact
from gretel.nodes.retrieve.toolgen.coded import opened
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.toolgen.records import Record, digest_of, read_records, record_of
from gretel.training.toolgen.settings import PRESETS, Settings, Source
from gretel.training.toolgen.train import train
from toolgen_models import quietly, tiny

TOOLS = [
    tool("Kit.find", "Find a city.", params=[param("name", required=True)]),
    tool("Kit.rain", "Tell whether it rains.", params=[param("place", required=True)]),
    tool("Kit.snow", "Tell whether it snows."),
]
CATALOG = Catalog.from_tools(TOOLS)


def row(number: int, calls: int = 1) -> Trajectory:
    called = tuple(
        Called(each.tool_id, {"name": "Oslo"} if n == 0 else {"place": "Oslo"}, {"ok": n})
        for n, each in enumerate(TOOLS[:calls])
    )
    return Trajectory(f"test {number}", f"Find Oslo {number}.", (), called, "It is there.")


def records(count: int = 8) -> list[Record]:
    return [record_of(row(n, 1 + n % 2), CATALOG) for n in range(count)]


def examples() -> Examples:
    asked = Asked(tuple(f"Find Oslo {n}." for n in range(6)), ((0,),) * 6)
    return Examples(CATALOG, tuple(TOOLS), asked, asked, (), (), "data")


def settings(**changes: object) -> Settings:
    quick = {"stages": ("agent",), "agent_epochs": 2, "agent_batch": 2, "tuned": 1.0, "keep": 1}
    return PRESETS["cpu-tiny"].model_copy(update={**quick, "rate": 3e-3, **changes})


def line_of(record: Record) -> str:
    """A record as another program writes it: tools by id, documents by reference."""
    turns: list[dict[str, object]] = []
    chosen = None
    for turn in record.script.turns():
        row: dict[str, object] = {"kind": turn.kind, "loss": turn.learnt}
        if turn.kind == "action":
            chosen = turn.tool
            row |= {} if chosen is None else {"tool": chosen}
        elif turn.kind == "document":
            row |= {"doc_of": chosen}
        else:
            row |= (
                {"json": json.loads(turn.text)} if turn.kind == "arguments" else {"text": turn.text}
            )
        turns.append(row)
    return json.dumps({"stage": "agent", "source": record.source, "turns": turns})


def test_records_of_another_program_are_read(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text("".join(f"{line_of(record)}\n" for record in records()))
    assert read_records(file, CATALOG) == records()
    kinds = [(turn.kind, turn.learnt) for turn in records()[0].script.turns()]
    assert kinds[:6] == [
        *(("request", False), ("thought", True), ("choose", False), ("action", True)),
        *(("document", False), ("arguments", True)),
    ]


@pytest.mark.parametrize(
    "turns",
    [
        [],
        [{"kind": "request", "text": "x"}],
        [{"kind": "sermon", "text": "x"}],
        [{"kind": "request", "text": "x"}, {"kind": "action", "tool": "No.such"}],
    ],
    ids=["none", "no end", "no turn", "unknown tool"],
)
def test_what_is_no_record_is_one_clear_error(tmp_path: Path, turns: list[object]) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(json.dumps({"stage": "agent", "turns": turns}) + "\n")
    with pytest.raises(InputError, match=r"r\.jsonl:1"):
        read_records(file, CATALOG)


def test_a_file_without_records_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"stage": "retrieve"}\n')
    with pytest.raises(InputError, match="no record"):
        read_records(tmp_path / "r.jsonl", CATALOG)


def test_an_agent_needs_records(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="stages"):
        train(examples(), settings(), Source(str(tiny())), tmp_path / "a", quietly)


def test_the_digest_is_of_what_is_learnt() -> None:
    assert digest_of(records()) == digest_of(records())
    assert digest_of(records()) != digest_of(records(7))


@pytest.mark.slow
async def test_a_tiny_model_learns_its_records_by_heart(tmp_path: Path) -> None:
    from fakes import request
    from gretel.contracts.agent import Progress

    wanted = settings(agent_epochs=30, patience=30)
    train(examples(), wanted, Source(str(tiny())), tmp_path / "a", quietly, records())
    artifact = read_artifact(tmp_path / "a")
    assert artifact.manifest.made["records"] == {"n": 8, "digest": digest_of(records())}
    model, slots = opened(artifact), artifact.manifest.shape.slots
    agent = ToolGenAgent(lambda: (model, slots), CATALOG)
    progress = Progress(request=request("Find Oslo 0."), thought="Next: Find a city.")
    assert await agent.act(progress, TOOLS) == "Kit.find"


@pytest.mark.slow
def test_a_training_cut_off_goes_on_to_the_same_artefact(tmp_path: Path) -> None:
    class Cut(Exception):
        pass

    def cutting(done: int, total: int, what: str) -> None:
        if done == 3 and "agent: loss" in what:
            raise Cut

    wanted, source = settings(), Source(str(tiny()))
    with pytest.raises(Cut):
        train(examples(), wanted, source, tmp_path / "a", cutting, records())
    on = train(examples(), wanted, source, tmp_path / "a", quietly, records())
    whole = train(examples(), wanted, source, tmp_path / "b", quietly, records())
    assert on.files == whole.files
