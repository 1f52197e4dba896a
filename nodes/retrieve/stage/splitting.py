"""A request and its parts."""

from gretel.contracts.ranking import RetrievalQuery
from gretel.text.sentences import request_parts


def split(query: RetrievalQuery) -> RetrievalQuery:
    """The query with the sentences and clauses of its text; one that has or is a part stays."""
    if query.parts or query.origin == "part":
        return query
    return query.model_copy(update={"parts": tuple(request_parts(query.text))})
