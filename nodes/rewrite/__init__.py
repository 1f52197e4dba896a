"""Before retrieval: queries from the request."""
