"""ToolGen as the agent's model: one language model thinks, chooses, argues and answers."""
