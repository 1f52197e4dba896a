"""Results of commands for a terminal of any width."""
