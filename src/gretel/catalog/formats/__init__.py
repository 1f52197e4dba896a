"""Other sources of tools: JSONL rows, ToolBench, MCP listings, Python callables, LangChain tools."""
