"""Who learns from which request, and what a right answer is."""

from dataclasses import replace

import pytest

from fakes import tool
from gretel.contracts.errors import InputError
from gretel.nodes.rewrite.queries import MAX_QUERIES
from gretel.training.generative.samples import LONGEST, answer_of, described, split_of
from gretel.training.generative.settings import Settings
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked

SETTINGS = Settings(fold=0.3, unseen=0.2)


def named(asked: Asked) -> set[int]:
    return {place for gold in asked.gold for place in gold}


def test_the_second_stage_has_tools_that_the_first_never_sees(examples: Examples) -> None:
    parts = split_of(examples, SETTINGS)

    assert parts.sft.texts and parts.align.texts
    assert all(set(gold) - named(parts.sft) for gold in parts.align.gold)


def test_no_stage_sees_the_tools_that_are_held_out(examples: Examples) -> None:
    parts = split_of(examples, SETTINGS)
    seen = named(parts.sft) | named(parts.align)

    assert parts.unseen.texts
    assert all(set(gold) - seen for gold in parts.unseen.gold)
    assert named(parts.known) <= set(range(len(examples.tools)))
    assert parts.new == pytest.approx(1 - len(seen) / len(examples.tools))


def test_each_request_has_one_part(examples: Examples) -> None:
    parts = split_of(examples, SETTINGS)
    texts = [text for part in parts[:4] for text in part.texts]

    assert sorted(texts) == sorted([*examples.train.texts, *examples.dev.texts])


def test_the_folds_are_those_of_the_data_and_the_seed(examples: Examples) -> None:
    one = split_of(examples, SETTINGS)

    assert split_of(examples, SETTINGS) == one
    assert split_of(examples, SETTINGS.model_copy(update={"seed": 8})).align != one.align
    assert split_of(replace(examples, digest="other"), SETTINGS).align != one.align


@pytest.mark.parametrize("stage", ["sft", "align"])
def test_one_stage_alone_has_all_that_is_not_held_out(stage: str, examples: Examples) -> None:
    both = split_of(examples, SETTINGS)
    alone = split_of(examples, SETTINGS.model_copy(update={"stages": (stage,)}))

    assert len(getattr(alone, stage).texts) == len(both.sft.texts) + len(both.align.texts)


def test_as_many_as_are_wanted_are_drawn(examples: Examples) -> None:
    parts = split_of(examples, SETTINGS.model_copy(update={"requests": 2, "held": 3}))

    assert [len(part.texts) for part in parts[:4]] == [2, 2, 3, 3]


def test_a_stage_without_requests_is_an_error(examples: Examples) -> None:
    few = replace(examples, train=Asked(examples.train.texts[:1], examples.train.gold[:1]))
    with pytest.raises(InputError, match="no request is left"):
        split_of(few, SETTINGS)


def test_a_right_answer_is_a_line_of_each_tool_few_and_short() -> None:
    sky = tool("Sky.getForecast", "Weather <b>forecast</b> of a city. Sold by the day.")
    bare = tool("Sky.ping", "")
    wordy = tool("Sky.talk", "blah " * 100)
    many = [tool(f"Sky.t{n}", "Says.") for n in range(9)]

    assert answer_of([sky, sky, bare]) == ["get forecast: Weather forecast of a city.", "ping"]
    assert len(described(wordy)) <= LONGEST
    assert described(wordy).endswith(" blah")
    assert len(answer_of(many)) == MAX_QUERIES
