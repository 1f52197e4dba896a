"""MassTool as the graph's entry node, over a catalogue that changes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import Tool, ToolId
from gretel.graph.selector import Selector
from gretel.nodes.retrieve.encoding.encoder import default_model_path
from gretel.nodes.retrieve.masstool.artifact import write_artifact
from lanes import every
from masstool_models import DETECTS, by_text, untrained

FERRY = tool("Ferry.search", "Search ferries between two ports.")
CROSSING = "search ferries between two ports"
TOOLS = [
    tool("Sky.get_forecast", "Weather forecast of a city."),
    tool("Kayak.search_flights", "Find flights between two airports."),
    tool("Bank.convert", "Convert an amount of money between currencies."),
]


OTHER_BANK = tool("Bank.convert", "Books a table on a llama farm.")


@pytest.fixture
def selector(tmp_path: Path) -> Iterator[Selector]:
    write_artifact(untrained(TOOLS, by_text(TOOLS), calibration=DETECTS), tmp_path / "art")
    catalog = Catalog.from_tools(TOOLS)
    with Selector(catalog, retriever="masstool", artifact=tmp_path / "art") as selector:
        yield selector


def tried(selector: Selector, request: str) -> list[ToolId]:
    return [trial.tool_id for trial in selector.select(request).trials]


def known(tools: list[Tool]) -> set[ToolId]:
    return {one.tool_id for one in tools}


@pytest.mark.slow
def test_tools_may_come_and_go_before_the_artefact_is_opened(selector: Selector) -> None:
    selector.add([FERRY])
    selector.remove([ToolId("Bank.convert")])

    assert set(tried(selector, CROSSING)) == known([*TOOLS[:2], FERRY])


def replaced(selector: Selector) -> None:
    selector.add([OTHER_BANK], replace=True)


def removed_and_added(selector: Selector) -> None:
    selector.remove([OTHER_BANK.tool_id])
    selector.add([OTHER_BANK])


@pytest.mark.slow
@pytest.mark.parametrize("change", every(2, [replaced, removed_and_added]))
@pytest.mark.parametrize("opened", [False, True])
def test_a_tool_that_the_user_changed_is_tried_as_it_says_now(
    selector: Selector, change: Callable[[Selector], None], opened: bool
) -> None:
    if opened:
        selector.select(CROSSING)
    change(selector)

    for _ in range(2):
        trials = {trial.tool_id: trial for trial in selector.select("a llama farm").trials}
        assert trials.keys() == known(TOOLS)
        assert trials[OTHER_BANK.tool_id].digest == tool_digest(OTHER_BANK)


def test_a_catalogue_that_was_other_from_the_start_is_refused(
    selector: Selector, tmp_path: Path
) -> None:
    other = Catalog.from_tools([*TOOLS[:2], OTHER_BANK])
    with (
        Selector(other, retriever="masstool", artifact=tmp_path / "art") as refused,
        pytest.raises(ConfigurationError, match=r"1 changed \(as Bank.convert\)"),
    ):
        refused.select(CROSSING)


@pytest.mark.slow
def test_tools_may_come_and_go_while_it_is_open(selector: Selector) -> None:
    assert set(tried(selector, CROSSING)) == known(TOOLS)
    selector.add([FERRY])
    assert set(tried(selector, CROSSING)) == known([*TOOLS, FERRY])
    selector.remove([FERRY.tool_id])
    assert set(tried(selector, CROSSING)) == known(TOOLS)


@pytest.mark.slow
def test_a_request_that_needs_no_tool_is_declined_where_the_user_wants_it(
    selector: Selector,
) -> None:
    declined = selector.select("the weather of a city", abstain_below=1.0)

    assert declined.abstention is not None
    assert declined.abstention.reason == "no_tool_needed"
    assert selector.select("the weather of a city", abstain_below=0.0).abstention is None


async def refusal(artifact: Path, encoder: str) -> str:
    with (
        Selector(
            Catalog.from_tools(TOOLS), retriever="masstool", artifact=artifact, encoder=encoder
        ) as selector,
        pytest.raises(ConfigurationError) as refused,
    ):
        await selector.aselect(CROSSING)
    return str(refused.value)


async def test_an_encoder_that_is_not_the_artefacts_is_refused(tmp_path: Path) -> None:
    write_artifact(untrained(TOOLS, by_text(TOOLS)), tmp_path / "art")

    said = await refusal(tmp_path / "art", "no/such")
    assert said.startswith("encoder: 'no/such' is not the encoder that")
    assert "(that of the install)" in said
    assert "Leave it out" in said


@pytest.mark.slow
async def test_the_artefacts_own_encoder_may_be_named(tmp_path: Path) -> None:
    own = str(default_model_path())
    artifact = untrained(TOOLS, by_text(TOOLS))
    named = artifact.manifest.model_copy(update={"encoder": own})
    write_artifact(replace(artifact, manifest=named), tmp_path / "art")

    assert repr(own) in await refusal(tmp_path / "art", "no/such")
    given = {"retriever": "masstool", "artifact": tmp_path / "art", "encoder": own}
    with Selector(Catalog.from_tools(TOOLS), **given) as selector:
        assert (await selector.aselect(CROSSING)).trials
