"""A request and the parts that are searched for beside it."""

from gretel.contracts.ranking import RetrievalQuery
from gretel.text.sentences import request_parts


def split(query: RetrievalQuery) -> RetrievalQuery:
    """The query with the sentences and clauses of its text; one that has or is a part stays."""
    if query.parts or query.origin == "part":
        return query
    return query.model_copy(update={"parts": tuple(request_parts(query.text))})


def part_queries(query: RetrievalQuery) -> list[RetrievalQuery]:
    """A query for each of its parts."""
    return [RetrievalQuery(text=text, origin="part") for text in query.parts]
