"""Requests in other words than those of the tools, and what is fitted on them."""
