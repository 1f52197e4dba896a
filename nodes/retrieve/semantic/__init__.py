"""The default retriever: sentence vectors and BM25, fused for each request."""
