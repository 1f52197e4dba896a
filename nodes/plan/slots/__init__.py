"""A tool's parameters, opened up to the leaves that take one value each."""
