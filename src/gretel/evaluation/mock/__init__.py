"""A catalogue as a live API on loopback, with seeded faults."""
