"""Other sources of tools: JSONL, ToolBench, MCP listings, Python callables, LangChain tools."""
