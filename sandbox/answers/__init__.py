"""What came back: read within bounds, parsed, classified, judged for relevance."""
