"""Credentials: found when a request is sent, and kept out of everything that is stored."""
