"""Egress: addresses, origins, ports, connections, limits of size and rate."""
