"""An artefact that was trained as an agent thinks for one; any other is a retriever alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeExecutor, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.graph.agent_facade import Agent
from gretel.graph.selector import Selector

TOOLS = [tool("Kit.find", "Find a city."), tool("Kit.rain", "Tell whether it rains.")]


def selector_of(folder: Path, stages: list[str]) -> Selector:
    """Over a tiny model with random weights, whose manifest names these stages."""
    from gretel.nodes.retrieve.encoding.encoder import Encoder
    from gretel.nodes.retrieve.toolgen.artifact import write_artifact
    from gretel.training.masstool.train import encoder_digest
    from toolgen_models import untrained

    Encoder()
    artifact = untrained(TOOLS)
    update: dict[str, Any] = {
        "made": {"settings": {"stages": stages}},
        "encoder_digest": encoder_digest(None),
    }
    manifest = artifact.manifest.model_copy(update=update)
    write_artifact(replace(artifact, manifest=manifest), folder)
    return Selector(
        Catalog.from_tools(TOOLS), retriever="toolgen", artifact=folder, executor=FakeExecutor()
    )


@pytest.mark.slow
async def test_it_thinks_and_chooses_in_its_own_words(tmp_path: Path) -> None:
    selector = selector_of(tmp_path, ["memorize", "agent"])
    agent = Agent(selector, offered="all")
    patient = {"wall_s": 600, "trial_s": 200}
    result = await agent.arun("Does it rain?", steps=2, budget=patient, abstain_below=0)
    assert {step.tool_id for step in result.steps} <= {"Kit.find", "Kit.rain"}
    assert all(note.startswith(("argue", "finish")) for note in result.notes), result.notes
    await selector.aclose()


@pytest.mark.parametrize("stages", [["memorize", "retrieve"], []])
def test_a_retriever_alone_thinks_for_nobody(tmp_path: Path, stages: list[str]) -> None:
    selector = selector_of(tmp_path, stages)
    assert selector.parts.agent is None
    with pytest.raises(ConfigurationError, match="offered"):
        Agent(selector, offered="all")


def test_what_stands_in_no_manifest_is_told_by_who_opens_it(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[]")
    selector = Selector(Catalog.from_tools(TOOLS), retriever="toolgen", artifact=tmp_path)
    assert selector.parts.agent is None
    with pytest.raises(Exception, match="artefact|manifest"):
        selector.select("Does it rain?")
    selector.close()
