"""What trained parts are on disk, whatever was trained: one format, one belonging, one growing."""
