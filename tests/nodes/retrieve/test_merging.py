"""Candidates of several queries: the request leads, what a rewriter wrote adds and nudges."""

import pytest

from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.merging import DEPTH, depth_of, merge_queries

REQUEST = RetrievalQuery(text="a request")
REWRITE = RetrievalQuery(text="written", origin="rewrite")
FEEDBACK = RetrievalQuery(text="again", origin="feedback")


def found(**scores: float) -> tuple[Candidate, ...]:
    ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(
        Candidate(tool_id=ToolId(name), score=score, rank=rank)
        for rank, (name, score) in enumerate(ordered, 1)
    )


def merged(queries: list[RetrievalQuery], *lists: tuple[Candidate, ...]) -> list[str]:
    return [each.tool_id for each in merge_queries(queries, Retrieval(candidates=lists))]


def test_one_query_stays_as_it_is() -> None:
    own = found(a=0.9, b=0.2)

    assert merge_queries([REQUEST], Retrieval(candidates=(own,))) == list(own)


def test_a_rewrite_adds_tools_behind_what_the_request_finds() -> None:
    assert merged([REQUEST, REWRITE], found(a=0.8, b=0.6), found(c=0.99)) == ["a", "b", "c"]


def test_one_bad_rewrite_does_not_put_its_tools_first() -> None:
    """The best score over all queries would."""
    assert merged([REQUEST, REWRITE], found(a=0.8, b=0.3), found(z=0.999, b=0.998))[0] == "a"


def test_a_near_tie_is_decided_by_what_was_written() -> None:
    assert merged([REQUEST, REWRITE], found(a=0.51, b=0.5), found(b=0.9, a=0.1)) == ["b", "a"]


def test_queries_without_the_request_count_the_same() -> None:
    both = [FEEDBACK, FEEDBACK]

    assert merged(both, found(a=0.9, b=0.5), found(b=0.95, a=0.5)) == ["b", "a"]


def test_scores_descend_and_ranks_count() -> None:
    retrieval = Retrieval(candidates=(found(a=0.8, b=0.6), found(b=0.7, c=0.7)))
    each = merge_queries([REQUEST, REWRITE], retrieval)

    assert [one.rank for one in each] == [1, 2, 3]
    assert sorted((one.score for one in each), reverse=True) == [one.score for one in each]
    assert all(0 < one.score < 1 for one in each)


def test_nothing_found_is_nothing() -> None:
    assert merged([REQUEST, REWRITE], (), ()) == []


@pytest.mark.parametrize(("count", "depth"), [(1, 10), (2, DEPTH)])
def test_several_queries_are_searched_deeper(count: int, depth: int) -> None:
    assert depth_of([REQUEST] * count, 10) == depth
