"""What the outcome of a trial weighs."""

import pytest

from fakes import failed, failure, refusal, trial
from gretel.contracts.trial import FAILURE_CLASS, FailureKind, Outcome
from gretel.nodes.rerank.failures import (
    FAILED,
    SIMULATED,
    TRANSIENT_KINDS,
    UNSAID,
    broken,
    failure_weight,
)

MADE_UP = Outcome(status="succeeded", source="simulated")
SHUT = Outcome(status="unavailable", source="none", failure=failure("host_not_allowed", "ours"))


def transient(outcome: Outcome) -> Outcome:
    assert outcome.failure is not None
    says_so = outcome.failure.model_copy(update={"transient": True})
    return outcome.model_copy(update={"failure": says_so})


@pytest.mark.parametrize("kind", sorted(TRANSIENT_KINDS))
def test_a_transient_failure_weighs_less_once_simulated_and_never_nothing(
    kind: FailureKind,
) -> None:
    call = transient(failed(kind))
    bare = failure_weight(trial("Sky.get", executed=call))
    forgiven = failure_weight(trial("Sky.get", executed=call, simulated=MADE_UP))
    assert bare == FAILED[kind] < forgiven < SIMULATED < 0


def test_a_server_error_that_may_stay_is_not_forgiven() -> None:
    stays = trial("Sky.get", executed=failed("server_error"), simulated=MADE_UP)
    passes = trial("Sky.get", executed=transient(failed("server_error")), simulated=MADE_UP)
    assert failure_weight(stays) < failure_weight(passes) - 1


def test_what_we_kept_in_says_nothing_about_the_tool() -> None:
    assert failure_weight(trial("Sky.get", executed=SHUT)) == 0
    assert failure_weight(trial("Sky.get", executed=SHUT, simulated=MADE_UP)) == SIMULATED


FAILURES = sorted(
    kind
    for kind, found in FAILURE_CLASS.items()
    if found in ("execution_failure", "semantic_mismatch")
)


@pytest.mark.parametrize("kind", FAILURES)
def test_a_tool_is_broken_where_it_failed_for_good(kind: FailureKind) -> None:
    lasting = kind not in TRANSIENT_KINDS | UNSAID
    assert broken(trial("Sky.get", executed=failed(kind))) == lasting


def test_what_answers_with_nothing_or_was_refused_need_not_be_broken() -> None:
    assert not broken(trial("Sky.get", executed=Outcome(status="empty", source="executed")))
    assert not broken(trial("Sky.get", executed=failed("rejected_arguments")))
    assert not broken(trial("Sky.get", planned=refusal("Sky.get", "code")))
    assert not broken(trial("Sky.get", executed=SHUT))
