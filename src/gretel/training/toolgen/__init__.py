"""Training of ToolGen: memorisation of documents, then retrieval."""
