"""Words, identifiers and characters of any script: one of each rule, for all rooms."""
