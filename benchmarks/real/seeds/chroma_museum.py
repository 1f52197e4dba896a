"""Specimens and letters of a museum of natural history, and vectors made of their words."""

import hashlib

Record = tuple[str, str, dict[str, str | int]]

TENANTS = ("museum", "field-school")
DATABASES = (  # tenant, name, id
    ("museum", "specimens", "0b6f2d1a-8c3e-4f5a-9d70-1e2f3a4b5c01"),
    ("museum", "archive", "0b6f2d1a-8c3e-4f5a-9d70-1e2f3a4b5c02"),
    ("field-school", "notebooks", "0b6f2d1a-8c3e-4f5a-9d70-1e2f3a4b5c03"),
)
BEETLES: tuple[Record, ...] = (
    ("B-1871-04", "Stag beetle, oak park, July 1871", {"year": 1871, "drawer": "12a"}),
    ("B-1902-11", "Rose chafer on elder blossom", {"year": 1902, "drawer": "12b"}),
    ("B-1933-02", "Dung beetle from the heath", {"year": 1933, "drawer": "13"}),
    ("B-1987-21", "Ladybird with nineteen spots", {"year": 1987, "drawer": "14"}),
)
MOSSES: tuple[Record, ...] = (
    ("M-1880-01", "Sphagnum from the raised bog", {"year": 1880, "sheet": 3}),
    ("M-1911-07", "Star moss on a slate roof", {"year": 1911, "sheet": 41}),
)
LETTERS: tuple[Record, ...] = (
    ("L-0017", "To the curator, about a crate of shells lost at sea", {"year": 1866}),
    ("L-0042", "The taxidermist asks for his wages", {"year": 1879}),
    ("L-0043", "Thanks for the stuffed pelican", {"year": 1879}),
)
POND: tuple[Record, ...] = (
    ("P-1", "Water boatman, north bank, cloudy", {"pupil": "Ilse"}),
    ("P-2", "Great crested newt, two eggs", {"pupil": "Amadou"}),
)
COLLECTIONS = (  # tenant, database, name, id, what is said of it, records
    ("museum", "specimens", "beetles", "6d9e8f70-1b2c-4d3e-8f4a-5b6c7d8e9f01",
     {"curator": "Dr. Ewa Lindqvist", "room": "E4"}, BEETLES),
    ("museum", "specimens", "mosses", "6d9e8f70-1b2c-4d3e-8f4a-5b6c7d8e9f02",
     {"curator": "Tobias Renn", "room": "H1"}, MOSSES),
    ("museum", "archive", "letters", "6d9e8f70-1b2c-4d3e-8f4a-5b6c7d8e9f03",
     {"curator": "Tobias Renn", "scanned": "2025"}, LETTERS),
    ("field-school", "notebooks", "pond-survey", "6d9e8f70-1b2c-4d3e-8f4a-5b6c7d8e9f04",
     {"teacher": "Mr Abara"}, POND),
)  # fmt: skip


def vector(text: str) -> list[float]:
    """Eight numbers that depend on the text alone."""
    return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]]
