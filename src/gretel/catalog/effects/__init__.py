"""Whether an operation changes something, read off its document; and whether a request asks it."""
