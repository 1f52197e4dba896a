"""What trials make of the values of a request, and what that does to the chances."""

import pytest

from fakes import param, refusal, succeeded, tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Chances
from gretel.contracts.tool import Location, ToolId
from gretel.contracts.trial import Argument, CallPlan, Failure, Outcome, Refusal, Trial
from gretel.nodes.context import ABSTAIN_BELOW
from gretel.nodes.select import fitting
from gretel.nodes.select.fitting import Fate, at_best

TEXT = "Show me proposal KRAB37 of the conference."
CODE = (17, 23)
WORD = (8, 16)
FAILED = Outcome(
    status="failed",
    source="executed",
    failure=Failure(kind="rejected_arguments", detail="No such code.", fault="request"),
)
UNSENT = Outcome(
    status="unavailable",
    source="none",
    failure=Failure(kind="unsafe_method", detail="It may change something.", fault="ours"),
)


def fate_of(text: str, trials: list[Trial]) -> Fate | None:
    return fitting.fate_of(text, trials, tools_of(trials))


def after_trials(text: str, before: Chances, trials: list[Trial]) -> Chances:
    return fitting.after_trials(text, before, trials, tools_of(trials))


def tools_of(trials: list[Trial]) -> Catalog:
    code = param("code", location="query")
    return Catalog.from_tools(tool(each.tool_id, params=[code]) for each in trials)


def answered(sha: str) -> Outcome:
    return succeeded().model_copy(update={"body_sha256": sha})


def trial(name: str, outcome: Outcome, span: tuple[int, int] | None = CODE) -> Trial:
    """A call that took a value from `span`; a call without arguments where there is none."""
    given = {} if span is None else {"code": Argument(value="x", source="request", span=span)}
    plan = CallPlan(tool_id=ToolId(name), arguments=given)
    return made(name, plan, outcome)


def made(name: str, plan: CallPlan | Refusal, outcome: Outcome) -> Trial:
    return Trial(
        tool_id=ToolId(name),
        round=1,
        rank_before=1,
        retrieval_score=0.5,
        plan=plan,
        executed=outcome,
    )


REFUSED = made("K.r", refusal("K.r", "code"), Outcome(status="refused", source="none"))


@pytest.mark.parametrize(
    ("text", "trials", "fate"),
    [
        (TEXT, [trial("K.a", answered("1")), trial("K.b", FAILED)], "known"),
        (TEXT, [trial("K.a", FAILED), trial("K.b", answered("1"), None)], "unknown"),
        (TEXT, [trial("K.a", answered("1"), WORD), REFUSED], "untaken"),
        (TEXT, [trial("K.a", UNSENT), trial("K.b", FAILED)], None),
        (TEXT, [trial("K.a", UNSENT), REFUSED], "unsent"),
        ("Show me all proposals.", [trial("K.a", answered("1"), WORD)], None),
        # One page for whatever is asked: nobody looked at the code.
        (TEXT, [trial("K.a", answered("1")), trial("K.b", answered("1"))], "unknown"),
    ],
)
def test_what_became_of_the_values_of_a_request(
    text: str, trials: list[Trial], fate: Fate | None
) -> None:
    assert fate_of(text, trials) == fate


@pytest.mark.parametrize(
    ("location", "confidence", "outcome", "fate"),
    [
        ("path", 0.7, answered("1"), "known"),
        ("path", 0.7, FAILED, None),
        ("path", 0.4, answered("1"), None),
        ("query", 0.9, answered("1"), None),
    ],
    ids=["known", "not there", "guessed", "searched"],
)
def test_a_word_is_a_value_where_a_path_leads_to_it(
    location: Location, confidence: float, outcome: Outcome, fate: Fate | None
) -> None:
    text = "Which columns does vessels have?"
    word = Argument(value="vessels", source="request", span=(19, 26), confidence=confidence)
    plan = CallPlan(tool_id=ToolId("K.a"), arguments={"name": word})
    catalog = Catalog.from_tools([tool("K.a", params=[param("name", location=location)])])
    assert fitting.fate_of(text, [made("K.a", plan, outcome)], catalog) == fate


@pytest.mark.parametrize(
    "said",
    ["42", "/tmp/a", "reports/autumn", "fuel_price", "mira@b.example", "notes.txt", "lowBattery"],
)
def test_what_only_a_server_knows_is_a_value(said: str) -> None:
    text = f"What is {said} about?"
    assert fate_of(text, [trial("K.a", FAILED, (8, 8 + len(said)))]) == "unknown"


@pytest.mark.parametrize("word", ["it.", "Oslo", "well-known"])
def test_a_word_is_none(word: str) -> None:
    text = f"What is {word} about?"
    assert fate_of(text, [trial("K.a", FAILED, (8, 8 + len(word)))]) is None


def test_a_known_value_speaks_for_the_catalogue_and_an_unknown_one_against_it() -> None:
    doubtful, likely = Chances(0.5, 0.005), Chances(0.9, 0.005)
    known = after_trials(TEXT, doubtful, [trial("K.a", answered("1"))])
    unknown = after_trials(TEXT, likely, [trial("K.a", FAILED)])
    assert known.answerable is not None and unknown.answerable is not None
    assert known.answerable > ABSTAIN_BELOW > unknown.answerable
    assert known.needs_tool is not None and known.needs_tool >= known.answerable


@pytest.mark.parametrize("before", [Chances(), Chances(0.9, None)])
def test_what_retrieval_does_not_know_stays_unknown(before: Chances) -> None:
    assert after_trials(TEXT, before, [trial("K.a", answered("1"))]) == before


def test_without_trials_the_word_of_retrieval_stands() -> None:
    assert after_trials(TEXT, Chances(0.5, 0.12), []) == Chances(0.5, 0.12)


def test_a_catalogue_that_may_not_be_called_is_not_held_to_more_than_others() -> None:
    """Its threshold is that of catalogues whose calls say nothing of the request's values."""
    before = Chances(0.15, 0.12)
    unsent = after_trials(TEXT, before, [trial("K.a", UNSENT), REFUSED])
    silent = after_trials("Show me all.", before, [trial("K.a", answered("1"), None)])
    assert unsent.answerable is not None and silent.answerable is not None
    assert unsent.answerable > ABSTAIN_BELOW < silent.answerable
    assert unsent.needs_tool == unsent.answerable


def test_no_evidence_does_more_than_the_best() -> None:
    for before in (Chances(0.3, 0.01), Chances(None, 0.1), Chances(0.9, 0.6)):
        best = at_best(before, 0.5).answerable
        for fate in ([trial("K.a", answered("1"))], [trial("K.a", FAILED)], [trial("K.a", UNSENT)]):
            found = after_trials(TEXT, before, fate).answerable
            assert best is not None and found is not None and best >= found


def test_a_poor_match_speaks_against_the_catalogue_and_a_good_one_says_no_more() -> None:
    """What stands in no value of a request is judged by how near the best tool is."""
    before = Chances(0.9, 0.3)
    chances = [at_best(before, best).answerable for best in (0.0001, 0.004, 0.02, 0.9)]
    assert chances[0] < chances[1] < chances[2] == chances[3]  # type: ignore[operator]


def test_how_a_request_is_put_changes_nothing_behind_trials() -> None:
    """Chat that retrieval took for no request for a tool is not let in because of it."""
    for needed in (0.01, 0.5, 0.99):
        assert (
            at_best(Chances(needed, 0.01), 0.5).answerable
            == at_best(Chances(None, 0.01), 0.5).answerable
        )


def test_a_name_with_a_hyphen_says_something_only_where_it_is_known() -> None:
    text = "What was done to payment-fallback?"
    name = (17, 33)
    assert text[slice(*name)] == "payment-fallback"
    assert fate_of(text, [trial("a.get", answered("1"), name)]) == "known"
    assert fate_of(text, [trial("a.get", FAILED, name)]) is None
    assert fate_of(text, [trial("a.get", answered("1"), None)]) is None
    assert fate_of(f"{text} KRAB37", [trial("a.get", FAILED, name)]) == "untaken"
