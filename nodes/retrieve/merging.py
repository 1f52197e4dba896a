"""Queries in their parts, and candidates of several queries in one list.

What a rewriter writes stands beside the request and never replaces it: the best score over all
queries lets one bad rewrite put its tools first. So log-odds are averaged, the request's own
counting for most (`benchmarks/retrieval/merging.py` measures both;
docs/decisions/0007-merging-queries.md).
"""

from collections.abc import Sequence

import numpy as np

from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.nodes.retrieve.odds import log_odds, scores_in
from gretel.text.sentences import request_parts

WEIGHT = 0.02
"""Share of the other queries together beside the request, where none says its own."""
DEPTH = 50
"""Candidates of each query, at least, where there are several."""


def depth_of(queries: Sequence[RetrievalQuery], k: int) -> int:
    """Candidates to ask for each query so that `k` can be merged from them."""
    return k if len(queries) < 2 else max(k, DEPTH)


def merge_queries(
    queries: Sequence[RetrievalQuery], retrieval: Retrieval, *, weight: float | None = None
) -> list[Candidate]:
    """One list of the candidates of all queries, best first, ties by tool_id.

    A tool's log-odds are the mean of those for the request and of the mean for all other queries;
    where none of the queries is the request, all count the same. One query stays as it is.
    `weight`: share of the other queries, in [0, 1]; None: what they say, for one rewriter writes
    them all.
    """
    found = dict(enumerate(retrieval.candidates))
    own = [row for row, query in enumerate(queries) if query.origin == "request"] or list(found)
    others = [row for row in found if row not in own]
    if len(found) < 2:
        return list(*found.values())
    pool = {each.tool_id: each for row in (*others, *own) for each in reversed(found[row])}
    if not pool:
        return []
    odds = {row: log_odds(scores_in(found[row], pool)) for row in found}
    merged = np.mean([odds[row] for row in own], axis=0)
    if others:
        said = [each.weight for each in queries if each.weight is not None]
        weight = weight if weight is not None else max(said, default=WEIGHT)
        merged = (1 - weight) * merged + weight * np.mean([odds[row] for row in others], axis=0)
    scores = dict(zip(pool, (1 / (1 + np.exp(-merged))).tolist(), strict=True))
    ordered = sorted(pool.values(), key=lambda each: (-scores[each.tool_id], each.tool_id))
    return [
        each.model_copy(update={"rank": rank, "score": scores[each.tool_id]})
        for rank, each in enumerate(ordered, 1)
    ]


def split(query: RetrievalQuery) -> RetrievalQuery:
    """The query with the sentences and clauses of its text; one that has or is a part stays."""
    if query.parts or query.origin == "part":
        return query
    return query.model_copy(update={"parts": tuple(request_parts(query.text))})
