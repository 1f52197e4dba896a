"""What descriptions say that a call does, read off their verbs."""
