"""What may be called: the policy, what changes something, and the word of a person."""
