"""What the evidence of several trials leaves open."""

from collections.abc import Sequence

import pytest

from fakes import failed, failure, plan, refusal, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.trial import FailureKind, Fault, Outcome, PlanResult, Trial
from gretel.nodes.usable import silent_hosts, usable

HOST, OTHER = "api.example:8000", "other.example"


def tried(
    name: str,
    kind: FailureKind,
    *,
    fault: Fault = "tool",
    host: str | None = HOST,
    http_status: int | None = None,
) -> Trial:
    """A call that went out and failed."""
    outcome = failed(kind, fault, http_status).model_copy(update={"host": host})
    return made(name, outcome)


def write(name: str, host: str | None = HOST) -> Trial:
    """A call that was kept in and simulated, since it may change something."""
    kept = Outcome(
        status="unavailable", source="none", host=host, failure=failure("unsafe_method", "ours")
    )
    simulated = Outcome(status="succeeded", source="simulated")
    return made(name, kept).model_copy(update={"simulated": simulated})


def made(name: str, executed: Outcome, planned: PlanResult | None = None) -> Trial:
    return trial(name).model_copy(update={"executed": executed, "plan": planned or plan(name)})


def left(*trials: Trial) -> list[str]:
    return [trial.tool_id for trial in usable(trials, of(trials))]


def of(trials: Sequence[Trial]) -> Catalog:
    """A catalogue of the tools that were tried."""
    return Catalog.from_tools(tool(trial.tool_id) for trial in trials)


def silent(trials: Sequence[Trial]) -> set[str]:
    return {host for _, host in silent_hosts(trials, of(trials))}


def test_a_write_stands_where_its_server_was_not_found_silent() -> None:
    assert left(write("A.book")) == ["A.book"]
    assert left(write("A.book"), tried("A.list", "connection", host=OTHER)) == ["A.book"]
    assert left(write("A.book"), tried("A.list", "empty")) == ["A.book"]
    assert left(write("A.book"), tried("A.list", "drift", http_status=404)) == ["A.book"]


def test_a_write_does_not_stand_where_its_server_is_down() -> None:
    assert left(write("A.book"), write("A.edit"), tried("A.list", "connection")) == []


def test_one_timeout_may_be_the_operation_and_two_are_the_server() -> None:
    slow = tried("A.list", "timeout")
    assert left(write("A.book"), slow) == ["A.book"]
    assert left(write("A.book"), slow, tried("A.find", "server_error", http_status=503)) == []


def test_an_answer_of_any_kind_shows_that_a_server_is_up() -> None:
    trials = [tried("A.a", "connection"), tried("A.b", "timeout"), tried("A.c", "rate_limit")]
    assert silent(trials[:2]) == {HOST}
    assert silent(trials) == set()
    good = made("A.d", succeeded().model_copy(update={"host": HOST}))
    assert left(write("A.book"), *trials[:2], good) == ["A.book", "A.d"]


def test_our_own_dead_network_says_nothing_of_a_server() -> None:
    ours = tried("A.list", "connection", fault="ours")
    assert left(write("A.book"), ours) == ["A.book", "A.list"]


@pytest.mark.parametrize("host", [None, HOST])
def test_a_refused_tool_is_never_usable(host: str | None) -> None:
    kept = Outcome(status="refused", source="none", host=host)
    assert left(made("A.a", kept, refusal("A.a", "city"))) == []


def test_what_a_stranger_finds_silent_speaks_for_the_stranger_alone() -> None:
    """A document may name the host of another, and paths on it that hang or are refused."""
    theirs = [tried("B.a", "connection"), tried("B.b", "timeout"), tried("B.c", "timeout")]
    assert left(write("A.book"), *theirs) == ["A.book"]
    assert left(write("B.book"), *theirs) == []


def test_an_answer_to_a_stranger_does_not_hide_that_a_server_is_silent() -> None:
    good = made("B.d", succeeded().model_copy(update={"host": HOST}))
    assert left(write("A.book"), tried("A.list", "connection"), good) == ["B.d"]
