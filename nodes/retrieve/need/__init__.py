"""Whether a request needs a tool, and whether one of the catalogue fits."""
