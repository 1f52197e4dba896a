"""Documents to Tools."""
