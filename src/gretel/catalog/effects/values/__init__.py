"""What values of arguments order: actions, switches, methods, statements."""
