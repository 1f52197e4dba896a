"""All evidence at once: the order of the tools, by rule or by a model."""
