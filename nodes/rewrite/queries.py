"""Queries of any rewriter: few, all different, a line each, and beside the request."""

from collections.abc import Iterable, Sequence
from typing import Literal

from gretel import prompts
from gretel.contracts.ranking import RetrievalQuery

MAX_QUERIES = 4
"""Beside the request."""
MAX_CHARS = 300
MAX_LACKED = 20
"""Values that one call lacks which are read; a document may require a thousand."""


def distinct(texts: Iterable[str]) -> list[str]:
    """At most `MAX_QUERIES` of `texts`, each cleaned and in one line; case tells none apart."""
    lines = [prompts.one_line(text, MAX_CHARS) for text in texts]
    return list({line.casefold(): line for line in lines if line}.values())[:MAX_QUERIES]


def beside(
    request: str,
    texts: Sequence[str],
    origin: Literal["rewrite", "feedback"],
    *,
    weight: float | None = None,
) -> list[RetrievalQuery]:
    """The request and `texts`, without those that only repeat it.

    `weight`: see `RetrievalQuery`.
    """
    own = [RetrievalQuery(text=request)] if request.strip() or not texts else []
    new = [text for text in texts if text.casefold() != request.strip().casefold()]
    return own + [RetrievalQuery(text=text, origin=origin, weight=weight) for text in new]
