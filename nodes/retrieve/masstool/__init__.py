"""MassTool (arXiv 2507.00487): whether a tool is needed, and which, from known requests."""
