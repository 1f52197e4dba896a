"""What evidence weighs."""

import pytest

from fakes import failed, plan, refusal, succeeded, tool, trial
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.contracts.trial import Outcome, Trial
from gretel.nodes.plan_evidence import MAX_GROUNDING
from gretel.nodes.rerank.failures import failure_weight
from gretel.nodes.rerank.grounding import Grounding
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
    return failure_weight(found) + soft_weight(found, of, Grounding())


def test_an_answer_with_content_speaks_for_its_tool() -> None:
    found = trial("Sky.get", executed=succeeded())
    assert soft_evidence(found, TOOL, Grounding())["succeeded"] == 1
    assert weighed(found) >= 0


def test_an_answer_that_there_are_none_does_not_speak_for_its_tool() -> None:
    none = succeeded().model_copy(update={"says_none": True})
    found = trial("Sky.get", executed=none)
    assert "succeeded" not in soft_evidence(found, TOOL, Grounding())


def test_soft_evidence_cannot_speak_against_its_sense() -> None:
    soft = soft_weights()
    assert soft.keys() == set(SOFT)
    speaks_for = {"grounding", "toolkit_grounding", "share", "succeeded", "answered"}
    assert all(soft[name] >= 0 for name in speaks_for)
    assert all(soft[name] <= 0 for name in SOFT if name not in speaks_for)


def test_a_refusal_shows_its_confidence() -> None:
    assert soft_evidence(refused(), TOOL, Grounding()) == {"refused": SURE}


def test_a_refusal_that_another_tool_would_mend_shows_nothing() -> None:
    needs = refusal("Sky.get", "code").model_copy(update={"reason": "needs_other_tool"})
    found = refused().model_copy(update={"plan": needs})
    assert soft_evidence(found, TOOL, Grounding()) == {}


def test_refusals_of_toolbench_tools_show_nothing() -> None:
    binding = VirtualBinding(category="Travel", tool_name="Sky", api_name="get")
    spoken = TOOL.model_copy(update={"binding": binding})
    assert soft_evidence(refused(), spoken, Grounding()) == {}


def test_grounding_speaks_for_a_call() -> None:
    assert soft_evidence(planned(), TOOL, Grounding()) == {}
    assert soft_evidence(planned(), TOOL, Grounding(own=1.5)) == {"grounding": 1.5}


def test_grounding_of_its_toolkit_speaks_for_a_refused_tool() -> None:
    found = soft_evidence(refused(), TOOL, Grounding(toolkit=1.0))
    assert found == {"refused": SURE, "toolkit_grounding": 1.0}


@pytest.mark.parametrize("unmet", [("a",), ("a", "b")])
def test_sampled_values_count_once(unmet: tuple[str, ...]) -> None:
    assert soft_evidence(planned(unmet=unmet, confidence=0.2), TOOL, Grounding()) == {"unmet": 1}


@pytest.mark.parametrize("kind", ["auth", "drift", "connection", "irrelevant", "error_in_body"])
def test_a_clear_failure_outweighs_all_soft_evidence(kind: str) -> None:
    soft = soft_weights()
    found = failure_weight(trial("Sky.get", executed=failed(kind)))
    assert (
        found < -MAX_GROUNDING * (soft["grounding"] + soft["toolkit_grounding"]) + soft["refused"]
    )
