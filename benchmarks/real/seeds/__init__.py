"""The invented data that is too long to stand beside its service."""
