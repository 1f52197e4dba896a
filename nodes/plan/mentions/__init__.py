"""What stands in the conversation that could be the value of an argument."""
