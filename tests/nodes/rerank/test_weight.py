"""What evidence weighs."""

import pytest

from fakes import failed, plan, refusal, succeeded, tool, trial
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.contracts.trial import Argument, Outcome, Trial
from gretel.nodes.plan_evidence import MAX_GROUNDING
from gretel.nodes.rerank.evidence import prior_odds
from gretel.nodes.rerank.failures import broken, failure_weight
from gretel.nodes.rerank.grounding import Grounding
from gretel.nodes.rerank.weight import SOFT, soft_evidence, soft_weight, soft_weights
from gretel.sandbox.answers.relevance import MOST

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
    return failure_weight(found) + soft_weight(soft_evidence(found, of, Grounding()))


def test_an_answer_with_content_speaks_for_its_tool() -> None:
    found = trial("Sky.get", executed=succeeded())
    assert soft_evidence(found, TOOL, Grounding())["succeeded"] == 1
    assert weighed(found) >= 0


def test_an_answer_to_a_sample_does_not_show_that_the_value_is_known() -> None:
    """The right tool would have the same from its document: it says nothing of the request."""
    value = Argument(value=7, source="example", confidence=0.3)
    made = plan("Sky.get").model_copy(update={"arguments": {"id": value}})
    sampled = made.model_copy(update={"unmet": ("id",)})
    shown = soft_evidence(trial("Sky.get", planned=made), TOOL, Grounding())
    assert shown["answered"] > 0
    found = soft_evidence(trial("Sky.get", planned=sampled), TOOL, Grounding())
    assert found == {"succeeded": 1}


def test_an_answer_that_there_are_none_does_not_speak_for_its_tool() -> None:
    none = succeeded().model_copy(update={"says_none": True})
    found = trial("Sky.get", executed=none)
    assert "succeeded" not in soft_evidence(found, TOOL, Grounding())


def test_the_words_of_an_answer_speak_against_its_tool() -> None:
    odd = succeeded().model_copy(update={"oddness": MOST})
    found = trial("Sky.get", executed=odd)
    assert weighed(found) < weighed(trial("Sky.get", executed=succeeded()))
    assert not broken(found), "it takes nothing away from others, and may be the right one"


def test_soft_evidence_cannot_speak_against_its_sense() -> None:
    soft = soft_weights()
    assert soft.keys() == set(SOFT)
    assert soft["refused"] <= 0
    assert all(soft[name] >= 0 for name in SOFT if name != "refused")


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


def test_each_value_that_a_call_takes_of_what_was_said_counts_by_its_confidence() -> None:
    said = Argument(value="a", source="request", span=(0, 1), confidence=0.5)
    meant = Argument(value="b", source="message", confidence=0.25)
    own = Argument(value="c", source="default")
    found = planned(arguments={"x": said, "y": meant, "z": own})
    assert soft_evidence(found, TOOL, Grounding()) == {"taken": 0.75}
    lacking = refused()
    lacking = lacking.model_copy(
        update={"plan": lacking.plan.model_copy(update={"found": {"x": said}})}
    )
    assert soft_evidence(lacking, TOOL, Grounding())["taken"] == 0.5


def test_grounding_speaks_for_a_call() -> None:
    assert soft_evidence(planned(), TOOL, Grounding()) == {}
    assert soft_evidence(planned(), TOOL, Grounding(own=1.5)) == {"grounding": 1.5}


@pytest.mark.parametrize("kind", ["auth", "drift", "connection", "irrelevant", "error_in_body"])
def test_a_clear_failure_outweighs_all_soft_evidence(kind: str) -> None:
    soft = soft_weights()
    found = failure_weight(trial("Sky.get", executed=failed(kind)))
    assert found < -MAX_GROUNDING * soft["grounding"] + soft["refused"]


def test_where_no_tool_seems_to_fit_the_likelier_one_still_does() -> None:
    """Scores are read as no less than a part of the best, not of certainty."""
    scores = {"Sky.get": 9e-5, "Sky.list": 4e-6, "Sky.drop": 1e-9}
    trials = [
        trial(tool_id, rank).model_copy(update={"retrieval_score": score})
        for rank, (tool_id, score) in enumerate(scores.items(), 1)
    ]
    odds = prior_odds(trials)
    assert odds[trials[0].tool_id] - odds[trials[1].tool_id] > 3
    assert odds[trials[1].tool_id] - odds[trials[2].tool_id] > 1
