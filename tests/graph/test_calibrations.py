"""Which steps ask a model."""

from pathlib import Path
from typing import Any

import pytest

from fakes import FakeRetriever, param, request, tool
from gretel.catalog import Catalog
from gretel.contracts.calibration import EVERY_STEP, STEPS, Calibration
from gretel.contracts.errors import ConfigurationError
from gretel.graph.calibrations import calibration_for
from gretel.graph.selector import Selector
from llm_server import LlmServer

TOOLS = [tool(f"Sky.op{n}", "Search flights.", params=[param("to")]) for n in range(3)]
ASK = request("Search flights to Oslo")


async def asked_steps(llm: LlmServer, calibration: Any) -> set[str]:
    selector = Selector(
        Catalog.from_tools(TOOLS),
        retriever=FakeRetriever(TOOLS, needs_tool=1.0),
        model=llm.model(),
        calibration=calibration,
    )
    try:
        await selector.aselect(ASK.text)
    finally:
        await selector.aclose()
    return {call.step for call in llm.requests}


@pytest.mark.parametrize("step", STEPS)
async def test_the_steps_that_a_calibration_names_ask(
    llm: LlmServer, tmp_path: Path, step: Any
) -> None:
    file = tmp_path / "c.json"
    file.write_text(Calibration(model="openai:test", steps=frozenset({step})).model_dump_json())

    assert await asked_steps(llm, file) == {step}


@pytest.mark.parametrize(
    ("name", "steps"), [("all", set(STEPS)), ("none", set()), (None, set(STEPS))]
)
async def test_a_model_that_was_not_measured_is_asked_by_the_users_word(
    llm: LlmServer, name: Any, steps: set[str]
) -> None:
    assert await asked_steps(llm, name) == steps


def test_a_calibration_of_another_model_is_refused() -> None:
    measured = EVERY_STEP.model_copy(update={"model": "openai:one"})

    assert calibration_for("openai:one", measured) == measured
    with pytest.raises(ConfigurationError, match="is for openai:one, not for openai:other"):
        calibration_for("openai:other", measured)


@pytest.mark.parametrize("content", [None, "no JSON", '{"steps": ["dance"]}', "[]"])
def test_a_file_that_is_no_calibration(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "c.json"
    if content is not None:
        file.write_text(content)

    with pytest.raises(ConfigurationError, match="is not a calibration"):
        calibration_for("openai:one", file)
