"""What the records promise beyond their types."""

from typing import get_args

import pytest
from pydantic import ValidationError

from fakes import trial
from gretel.contracts.ranking import Abstention, Selection
from gretel.contracts.tool import Binding, HttpBinding, NoBinding, Tool, ToolId, VirtualBinding
from gretel.contracts.trial import (
    FAILURE_CLASS,
    SIMULATED_FAILURES,
    Argument,
    CallPlan,
    Failure,
    FailureClass,
    FailureKind,
    Outcome,
    Refusal,
    Trial,
)

TOOL = ToolId("Kayak.search_flights")
EXECUTED = Outcome(status="failed", source="executed", http_status=503)
PLAN = CallPlan(tool_id=TOOL, arguments={"to": Argument(value="JFK", source="request")})


def tried(plan: CallPlan | Refusal = PLAN, simulated: Outcome | None = None) -> Trial:
    return trial(TOOL, planned=plan, executed=EXECUTED, simulated=simulated)


def test_every_kind_of_failure_has_one_class() -> None:
    assert set(FAILURE_CLASS) == set(get_args(FailureKind))
    assert set(FAILURE_CLASS.values()) == set(get_args(FailureClass))


def test_what_the_request_or_the_answer_got_wrong_is_never_simulated() -> None:
    classes = {FAILURE_CLASS[kind] for kind in SIMULATED_FAILURES}

    assert not classes & {"parameter_mismatch", "semantic_mismatch"}


def test_a_record_is_frozen() -> None:
    with pytest.raises(ValidationError):
        PLAN.confidence = 0.5  # type: ignore[misc]


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(ValidationError):
        Tool.model_validate({"tool_id": "a.b", "toolkit": "a", "operation": "b", "name": "b"})


@pytest.mark.parametrize(
    "binding",
    [
        HttpBinding(method="GET", path="/flights"),
        VirtualBinding(category="Travel", tool_name="Kayak", api_name="search"),
        NoBinding(),
    ],
)
def test_a_tool_survives_json_with_its_kind_of_binding(binding: Binding) -> None:
    tool = Tool(tool_id=TOOL, toolkit="Kayak", operation="search_flights", binding=binding)

    assert Tool.model_validate(tool.model_dump(mode="json")) == tool


@pytest.mark.parametrize(
    "plan", [PLAN, Refusal(tool_id=TOOL, reason="off_topic", detail="Not about flights.")]
)
def test_a_trial_survives_json_with_its_plan_or_refusal(plan: CallPlan | Refusal) -> None:
    assert Trial.model_validate(tried(plan).model_dump(mode="json")) == tried(plan)


def test_the_simulated_outcome_counts_where_there_is_one() -> None:
    simulated = Outcome(status="succeeded", source="simulated")

    assert tried().outcome == EXECUTED
    assert tried(simulated=simulated).outcome == simulated


def test_values_are_the_plain_arguments_of_a_plan() -> None:
    assert PLAN.values() == {"to": "JFK"}


def test_a_selection_abstains_exactly_where_it_says_why() -> None:
    why = Abstention(reason="no_candidates", detail="The catalogue is empty.")

    assert Selection(abstention=why).abstained
    assert not Selection().abstained


def test_a_failure_of_an_earlier_run_is_read() -> None:
    old = {"kind": "server_error", "detail": "503", "fault": "tool", "passing": True}
    assert Failure.model_validate(old).transient
    assert Failure.model_validate_json(Failure.model_validate(old).model_dump_json()).transient


def test_a_failure_names_a_kind_of_the_taxonomy() -> None:
    with pytest.raises(ValidationError):
        Failure.model_validate({"kind": "broken", "detail": "", "fault": "tool"})
