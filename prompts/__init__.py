"""One template a step."""
