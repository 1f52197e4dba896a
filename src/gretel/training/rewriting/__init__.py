"""Training of the query vector rewriter, through the fixed semantic retriever."""
