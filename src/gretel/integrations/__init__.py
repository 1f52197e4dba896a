"""Connections to other systems' tools; each needs an extra of its own."""
