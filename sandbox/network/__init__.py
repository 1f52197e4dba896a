"""What may be reached, and the one way out: addresses, names, ports, connections, rates."""
