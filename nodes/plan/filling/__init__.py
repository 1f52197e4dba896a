"""Slot filling: which mention goes into which slot, and the arguments that come of it."""
