"""Which mention goes into which slot, and the arguments that come of it."""
