"""Requests rewritten by what was learnt from judged ones."""
