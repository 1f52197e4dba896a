"""The agent: thinks, chooses a tool, calls it through the sandbox, and answers from what came."""
