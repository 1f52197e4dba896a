"""What evidence weighs."""

import pytest

from fakes import failed, plan, refusal, succeeded, tool, trial
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.contracts.trial import Outcome, Trial
from gretel.nodes.rerank.failures import failure_weight
from gretel.nodes.rerank.grounding import MAX_GROUNDING, Grounding
from gretel.nodes.rerank.weight import SOFT, soft_evidence, soft_weight, soft_weights

TOOL = tool("Sky.get")
SURE = refusal("Sky.get", "code").confidence


def planned(**changes: object) -> Trial:
    """A trial that was planned, and not made."""
    return trial(
        "Sky.get",
        planned=plan("Sky.get").model_copy(update=changes),
        executed=Outcome(status="unavailable", source="none"),
    )


def refused() -> Trial:
    return trial(
        "Sky.get",
        planned=refusal("Sky.get", "code"),
        executed=Outcome(status="refused", source="none"),
    )


def weighed(found: Trial, of: Tool = TOOL) -> float:
    return failure_weight(found) + soft_weight(found, of, Grounding(), False)


def test_an_answer_with_content_speaks_for_its_tool() -> None:
    found = trial("Sky.get", executed=succeeded())
    assert soft_evidence(found, TOOL, Grounding(), False)["succeeded"] == 1
    assert weighed(found) >= 0


def test_an_answer_that_there_are_none_does_not_speak_for_its_tool() -> None:
    none = succeeded().model_copy(update={"says_none": True})
    found = trial("Sky.get", executed=none)
    assert "succeeded" not in soft_evidence(found, TOOL, Grounding(), False)


@pytest.mark.parametrize(("asked", "shown"), [(False, True), (True, False), (None, False)])
def test_a_change_that_nobody_asked_for_speaks_against_a_tool(
    asked: bool | None, shown: bool
) -> None:
    changes = tool("Sky.delete", method="DELETE")
    assert ("unasked" in soft_evidence(planned(), changes, Grounding(), asked)) is shown
    assert "unasked" not in soft_evidence(planned(), TOOL, Grounding(), asked)


def test_soft_evidence_cannot_speak_against_its_sense() -> None:
    soft = soft_weights()
    assert soft.keys() == set(SOFT)
    speaks_for = {"grounding", "toolkit_grounding", "succeeded", "answered"}
    assert all(soft[name] >= 0 for name in speaks_for)
    assert all(soft[name] <= 0 for name in SOFT if name not in speaks_for)


def test_a_refusal_shows_its_confidence() -> None:
    assert soft_evidence(refused(), TOOL, Grounding(), False) == {"refused": SURE}


def test_a_refusal_that_another_tool_would_mend_is_told_apart() -> None:
    needs = refusal("Sky.get", "code").model_copy(update={"reason": "needs_other_tool"})
    found = refused().model_copy(update={"plan": needs})
    assert soft_evidence(found, TOOL, Grounding(), False) == {"needs_other": 1}


def test_refusals_of_toolbench_tools_are_told_apart() -> None:
    binding = VirtualBinding(category="Travel", tool_name="Sky", api_name="get")
    spoken = TOOL.model_copy(update={"binding": binding})
    assert soft_evidence(refused(), spoken, Grounding(), False).keys() == {"refused_virtual"}


def test_grounding_speaks_for_a_call() -> None:
    assert soft_evidence(planned(), TOOL, Grounding(), False) == {}
    assert soft_evidence(planned(), TOOL, Grounding(own=1.5), False) == {"grounding": 1.5}


def test_grounding_of_its_toolkit_speaks_for_a_refused_tool() -> None:
    found = soft_evidence(refused(), TOOL, Grounding(toolkit=1.0), False)
    assert found == {"refused": SURE, "toolkit_grounding": 1.0}


@pytest.mark.parametrize("unmet", [("a",), ("a", "b")])
def test_sampled_values_count_once(unmet: tuple[str, ...]) -> None:
    assert soft_evidence(planned(unmet=unmet, confidence=0.2), TOOL, Grounding(), False) == {
        "unmet": 1
    }


@pytest.mark.parametrize("kind", ["auth", "drift", "connection", "irrelevant", "error_in_body"])
def test_a_clear_failure_outweighs_all_soft_evidence(kind: str) -> None:
    soft = soft_weights()
    found = failure_weight(trial("Sky.get", executed=failed(kind)))
    assert (
        found < -MAX_GROUNDING * (soft["grounding"] + soft["toolkit_grounding"]) + soft["refused"]
    )
