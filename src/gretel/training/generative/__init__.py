"""Training of the rewriter that writes: towards descriptions, then towards what is found."""
