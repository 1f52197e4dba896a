"""What evidence weighs."""

import pytest

from fakes import failed, failure, plan, refusal, succeeded, tool, trial
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.contracts.trial import Argument, Outcome, Trial
from gretel.nodes.rerankers.weight import (
    FAILED,
    PASSING_KINDS,
    SIMULATED,
    SOFT,
    Weights,
    failure_weight,
    parts_used,
    soft_evidence,
)

TOOL = tool("Sky.get")
MADE_UP = Outcome(status="succeeded", source="simulated")
SHUT = Outcome(status="unavailable", source="none", failure=failure("host_not_allowed", "ours"))


def read(*spans: tuple[int, int]) -> dict[str, Argument]:
    return {
        f"a{number}": Argument(value="x", source="request", span=span)
        for number, span in enumerate(spans)
    }


def planned(**changes: object) -> Trial:
    return trial("Sky.get", planned=plan("Sky.get").model_copy(update=changes))


def passing(outcome: Outcome) -> Outcome:
    assert outcome.failure is not None
    says_so = outcome.failure.model_copy(update={"passing": True})
    return outcome.model_copy(update={"failure": says_so})


def weighed(found: Trial, of: Tool = TOOL) -> float:
    return Weights.load().weight(found, of)


def test_a_sure_call_that_worked_weighs_nothing() -> None:
    assert weighed(trial("Sky.get", executed=succeeded())) == 0


def test_soft_evidence_cannot_speak_against_its_sense() -> None:
    soft = Weights.load().soft
    assert soft.keys() == set(SOFT)
    assert soft["several"] >= 0
    assert all(soft[name] <= 0 for name in SOFT if name != "several")


def test_a_refusal_shows_its_confidence() -> None:
    refused = trial("Sky.get", planned=refusal("Sky.get", "code"))
    assert soft_evidence(refused, TOOL) == {"refused": refused.plan.confidence}


def test_a_refusal_that_another_tool_would_mend_shows_nothing() -> None:
    needs = refusal("Sky.get", "code").model_copy(update={"reason": "needs_other_tool"})
    assert soft_evidence(trial("Sky.get", planned=needs), TOOL) == {}


def test_refusals_of_toolbench_tools_are_told_apart() -> None:
    binding = VirtualBinding(category="Travel", tool_name="Sky", api_name="get")
    spoken = TOOL.model_copy(update={"binding": binding})
    refused = trial("Sky.get", planned=refusal("Sky.get", "code"))
    assert soft_evidence(refused, spoken).keys() == {"refused_virtual"}


def test_parts_of_the_request_count_once() -> None:
    assert len(parts_used(planned(arguments=read((0, 3), (0, 3))))) == 1
    assert "several" not in soft_evidence(planned(arguments=read((0, 3), (0, 3))), TOOL)
    assert soft_evidence(planned(arguments=read((0, 3), (5, 9))), TOOL)["several"] == 1


def test_doubt_counts_against_a_plan() -> None:
    assert soft_evidence(planned(confidence=0.75), TOOL) == {"doubt": 0.25}


@pytest.mark.parametrize("unmet", [("a",), ("a", "b")])
def test_a_sampled_value_counts_once_and_not_again_as_doubt(unmet: tuple[str, ...]) -> None:
    assert soft_evidence(planned(unmet=unmet, confidence=0.2), TOOL) == {"unmet": 1}


@pytest.mark.parametrize("kind", sorted(PASSING_KINDS))
def test_a_failure_in_passing_weighs_less_once_simulated_and_never_nothing(kind: str) -> None:
    call = passing(failed(kind))
    bare = failure_weight(trial("Sky.get", executed=call))
    forgiven = failure_weight(trial("Sky.get", executed=call, simulated=MADE_UP))
    assert bare == FAILED[kind] < forgiven < SIMULATED < 0  # type: ignore[index]


def test_a_server_error_that_may_stay_is_not_forgiven() -> None:
    stays = trial("Sky.get", executed=failed("server_error"), simulated=MADE_UP)
    passes = trial("Sky.get", executed=passing(failed("server_error")), simulated=MADE_UP)
    assert failure_weight(stays) < failure_weight(passes) - 1


def test_what_we_kept_in_says_nothing_about_the_tool() -> None:
    assert failure_weight(trial("Sky.get", executed=SHUT)) == 0
    assert failure_weight(trial("Sky.get", executed=SHUT, simulated=MADE_UP)) == SIMULATED


@pytest.mark.parametrize("kind", ["auth", "drift", "connection", "irrelevant", "error_in_body"])
def test_a_clear_failure_outweighs_all_soft_evidence(kind: str) -> None:
    soft = Weights.load().soft
    found = failure_weight(trial("Sky.get", executed=failed(kind)))
    assert found < -soft["several"] + soft["doubt"] + soft["refused"]
