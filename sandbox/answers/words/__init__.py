"""What the words of an answer say by themselves, whatever was called: lists and patterns."""
