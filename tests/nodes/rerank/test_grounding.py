"""What calls take from a request, in view of each other."""

import math
from collections.abc import Sequence
from itertools import permutations

import pytest

from fakes import failed, plan, refusal, trial
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, Trial
from gretel.nodes.plan_evidence import MAX_GROUNDING
from gretel.nodes.rerank.grounding import Grounding, consumed_spans, groundings


def takes(tool_id: str, *parts: tuple[int, int], sure: float = 1.0) -> Trial:
    arguments = {
        f"a{number}": Argument(value="x", source="request", span=part, confidence=sure)
        for number, part in enumerate(parts)
    }
    return trial(tool_id, planned=plan(tool_id).model_copy(update={"arguments": arguments}))


def own(trials: Sequence[Trial]) -> dict[str, float]:
    return {tool_id: found.own for tool_id, found in of(trials).items()}


def of(trials: Sequence[Trial]) -> dict[ToolId, Grounding]:
    return groundings(trials)


def test_a_part_that_one_call_takes_is_all_its_own() -> None:
    found = own([takes("Sky.get", (0, 3), (5, 9)), takes("Rail.get", (10, 12))])
    assert found == {"Sky.get": 2, "Rail.get": 1}


def test_a_part_says_the_less_the_more_calls_take_it_and_nothing_where_all_do() -> None:
    others = [trial(f"U{n}.list") for n in range(16)]
    found = [
        own([takes(f"T{n}.get", (0, 3)) for n in range(count)] + others[count:])["T0.get"]
        for count in (1, 2, 4, 16)
    ]
    assert found == pytest.approx([1, 3 / 4, 1 / 2, 0])


def test_the_surer_call_is_told_more_of() -> None:
    others = [trial(f"U{n}.list") for n in range(2)]
    found = own(
        [takes("Sky.get", (0, 3), sure=0.75), takes("Rail.get", (0, 3), sure=0.25), *others]
    )
    assert found["Sky.get"] == pytest.approx(0.75 * (1 - math.log(4 / 3) / math.log(4)))
    assert found["Rail.get"] == 0


def test_one_candidate_alone_has_what_it_takes() -> None:
    assert own([takes("Sky.get", (0, 3), sure=0.8)]) == {"Sky.get": 0.8}


def test_a_tool_that_does_not_work_takes_nothing_away() -> None:
    works, other, also = takes("Sky.get", (0, 3)), trial("Rail.list"), takes("Air.get", (0, 3))
    dead = also.model_copy(update={"executed": failed("connection")})
    busy = also.model_copy(update={"executed": failed("rate_limit")})
    for ours in (works, works.model_copy(update={"tool_id": "Air.search"})):
        alone = of([ours, other, dead])
        assert alone[ours.tool_id] == Grounding(1, 1)
        assert alone[dead.tool_id].own < 1
        assert of([ours, other, busy])[ours.tool_id].own < 1


def test_a_call_has_a_share_of_what_all_calls_consume() -> None:
    both, one, none = takes("Sky.get", (0, 3), (4, 8)), takes("Air.get", (0, 3)), trial("Rail.list")
    found = of([both, one, none])
    assert [found[each.tool_id].share for each in (both, one, none)] == [1, 0.5, 0]
    assert of([none])["Rail.list"].share == 0


def test_a_part_counts_once_for_each_call() -> None:
    assert own([takes("Sky.get", (0, 3), (0, 3))]) == {"Sky.get": 1}
    assert consumed_spans(takes("Sky.get", (0, 3), (0, 3))) == {(0, 3)}


def test_a_call_that_takes_everything_is_no_better_for_it() -> None:
    greedy = takes("Sky.get", *((place, place + 1) for place in range(20)))
    assert own([greedy]) == {"Sky.get": MAX_GROUNDING}


def test_values_from_elsewhere_and_refusals_consume_nothing() -> None:
    sampled = Argument(value="x", source="example", confidence=0.3)
    from_sample = plan("Sky.get").model_copy(update={"arguments": {"a": sampled}})
    trials = [trial("Sky.get", planned=from_sample), trial("Rail.get", planned=refusal("Rail.get"))]
    assert own(trials) == {"Sky.get": 0, "Rail.get": 0}


def test_a_value_without_any_confidence_consumes_nothing() -> None:
    assert own([takes("Sky.get", (0, 3), sure=0.0)]) == {"Sky.get": 0}


def test_the_order_of_trials_does_not_matter() -> None:
    trials = [takes(f"T{n}.get", (0, 3), (n, 9), sure=0.1 + 0.17 * n) for n in range(4)]
    assert len({tuple(sorted(of(order).items())) for order in permutations(trials)}) == 1
