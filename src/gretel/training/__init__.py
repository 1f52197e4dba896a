"""Scripts that make the artefacts which the package carries."""
