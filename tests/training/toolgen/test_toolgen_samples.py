"""What an epoch takes of requests and documents."""

from dataclasses import replace

import pytest

from fakes import param, tool
from gretel.nodes.retrieve.toolgen.slots import NONE, RESERVED, STOP
from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from gretel.training.toolgen.samples import MOST_READINGS, Samples, views
from gretel.training.toolgen.settings import Settings
from masstool_data import Written


@pytest.fixture
def examples(written: Written) -> Examples:
    """Of the tools the last is named by no request."""
    whole = read_examples(written.folder, no_tool=written.no_tool)
    last = len(whole.tools) - 1
    pairs = zip(whole.train.texts, whole.train.gold, strict=True)
    kept = [(text, gold) for text, gold in pairs if last not in gold]
    return replace(whole, train=Asked(*map(tuple, zip(*kept, strict=True))))


def test_a_request_is_followed_by_all_its_tools_at_once(examples: Examples) -> None:
    samples = Samples(examples, Settings(stages=("retrieve",), chained=0))
    found = samples.requests(0)

    assert len(found) == len(examples.train.texts) + len(examples.no_tool)
    assert [each.target for each in found[: len(examples.train.gold)]] == [
        tuple(RESERVED + place for place in gold) for gold in examples.train.gold
    ]
    assert {each.target for each in found[len(examples.train.gold) :]} == {(NONE,)}


def test_pairs_are_a_sample_for_each_tool(examples: Examples) -> None:
    samples = Samples(examples, Settings(stages=("retrieve",), chained=0, target="pairs"))
    found = [each for each in samples.requests(0) if each.target != (NONE,)]

    assert len(found) == sum(map(len, examples.train.gold))
    assert all(len(each.target) == 1 for each in found)


def test_no_tool_that_is_only_unseen_is_taken_for_a_wrong_one(examples: Examples) -> None:
    samples = Samples(examples, Settings())
    unseen = RESERVED + len(examples.tools) - 1
    for sample in samples.requests(0):
        assert (unseen in samples.permitted(sample)) == sample.is_document
        assert set(sample.target) <= set(samples.permitted(sample))


def test_chains_go_on_with_what_is_left_until_they_stop(examples: Examples) -> None:
    samples = Samples(examples, Settings(stages=("retrieve",), chained=1))
    chains = [each for each in samples.requests(0) if each.before]
    gold = samples._gold

    assert len(chains) == sum(map(len, examples.train.gold))
    for each in chains:
        left = set(gold[each.text]) - set(each.before)
        assert set(each.target) == (left or {STOP})
        assert not set(samples.permitted(each)) & {NONE, *each.before}


def test_documents_are_mixed_in_and_none_too_often(examples: Examples) -> None:
    drawn = Samples(examples, Settings(mixed=0.99)).requests(0)
    documents = [each.text for each in drawn if each.is_document]

    assert documents
    assert max(documents.count(text) for text in set(documents)) <= MOST_READINGS
    alone = Samples(examples, Settings(stages=("retrieve",))).requests(0)
    assert not any(each.is_document for each in alone)


def test_an_epoch_is_drawn_anew_and_again_the_same(examples: Examples) -> None:
    samples = Samples(examples, Settings())

    assert samples.requests(1) == samples.requests(1)
    assert samples.requests(1) != samples.requests(2)


def test_a_tool_has_several_views_and_none_twice() -> None:
    one = tool("Air.search", "Search flights. Prices too.", params=[param("origin")])
    found = views(one)

    assert "Search flights." in found
    assert "air search (origin)" in [each.lower() for each in found]
    assert len(set(found)) == len(found) >= 4
