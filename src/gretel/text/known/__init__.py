"""Known secrets: where they occur in a text, in whatever encoding they came back."""
