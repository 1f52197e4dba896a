"""Finished runs as self-contained HTML pages."""
