"""Python callables: in a confined child process, or live under a deadline."""
