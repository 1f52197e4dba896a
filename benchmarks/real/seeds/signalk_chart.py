"""Waypoints, routes, regions, notes and charts of a cruise among the islands of Åland."""

from typing import Any

SOURCES: dict[str, Any] = {
    "standard": {"routes": True, "waypoints": True, "notes": True, "regions": True},
    "custom": [{"name": "anchorages", "description": "Where we have anchored"}],
    "path": "./resources",
}
POINTS = (  # id, name, longitude, latitude, what it is
    ("5a1c1f0e-3d52-4c8b-9b0e-0c6a4b7d1e01", "Mariehamn West", 19.9243, 60.0968, "Guest harbour"),
    (
        "5a1c1f0e-3d52-4c8b-9b0e-0c6a4b7d1e02",
        "Kobba Klintar",
        19.8833,
        60.0283,
        "Old pilot station",
    ),
    ("5a1c1f0e-3d52-4c8b-9b0e-0c6a4b7d1e03", "Rödhamn", 20.1050, 59.9867, "Jetty for 30 boats"),
    ("5a1c1f0e-3d52-4c8b-9b0e-0c6a4b7d1e04", "Lågskär", 19.9150, 59.8417, "Light, no landing"),
    ("5a1c1f0e-3d52-4c8b-9b0e-0c6a4b7d1e05", "Sandvik, Kökar", 20.8833, 59.9417, "Guest harbour"),
    ("5a1c1f0e-3d52-4c8b-9b0e-0c6a4b7d1e06", "Rock off Herrö", 20.1500, 59.9500, "1.2 m, unmarked"),
)
ROUTES = (  # id, name, what for, metres, through which of the points
    ("7b2d2a1f-4e63-4d9c-8c1f-1d7b5c8e2f01", "Mariehamn to Kökar", "Day sail", 61800, (0, 1, 2, 4)),
    (
        "7b2d2a1f-4e63-4d9c-8c1f-1d7b5c8e2f02",
        "Round Lågskär",
        "Weather window only",
        44100,
        (2, 3, 2),
    ),
)
REGIONS = (  # id, name, what it is, west, south, east, north
    (
        "8c3e3b2a-5f74-4ead-9d2a-2e8c6d9f3a01",
        "Seal sanctuary",
        "No entry",
        19.85,
        59.80,
        19.98,
        59.88,
    ),
    (
        "8c3e3b2a-5f74-4ead-9d2a-2e8c6d9f3a02",
        "Firing range",
        "Tuesdays",
        20.40,
        59.85,
        20.60,
        59.95,
    ),
)
NOTES = (  # id, title, text, longitude, latitude, region
    ("9d4f4c3b-6a85-4fbe-8e3b-3f9d7eaf4b01", "Water at Rödhamn", "The tap is dry since August",
     20.1048, 59.9869, ""),
    ("9d4f4c3b-6a85-4fbe-8e3b-3f9d7eaf4b02", "Fuel in Mariehamn", "Closes at 18:00",
     19.9260, 60.0955, ""),
    ("9d4f4c3b-6a85-4fbe-8e3b-3f9d7eaf4b03", "Grey seals", "About forty on the skerry in June",
     19.9100, 59.8400, "8c3e3b2a-5f74-4ead-9d2a-2e8c6d9f3a01"),
    ("9d4f4c3b-6a85-4fbe-8e3b-3f9d7eaf4b04", "Call before crossing", "Channel 16, range control",
     20.5000, 59.9000, "8c3e3b2a-5f74-4ead-9d2a-2e8c6d9f3a02"),
)  # fmt: skip
ANCHORAGES = (
    ("ae5a5d4c-7b96-4acf-9f4c-4aae8fba5c01", "Bay north of Rödhamn", "Mud, 5 m, open to the east"),
)


def _point(longitude: float, latitude: float, **more: object) -> dict[str, Any]:
    at = {"type": "Point", "coordinates": [longitude, latitude]}
    return {"type": "Feature", "geometry": at, "properties": more}


def _waypoint(row: tuple[str, str, float, float, str]) -> tuple[str, str, Any]:
    identifier, name, longitude, latitude, about = row
    feature = _point(longitude, latitude)
    return "waypoints", identifier, {"name": name, "description": about, "feature": feature}


def _route(row: tuple[str, str, str, int, tuple[int, ...]]) -> tuple[str, str, Any]:
    identifier, name, about, metres, stops = row
    line = [[POINTS[stop][2], POINTS[stop][3]] for stop in stops]
    names = [{"name": POINTS[stop][1]} for stop in stops]
    feature = {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": line},
        "properties": {"coordinatesMeta": names},
    }
    content = {"name": name, "description": about, "distance": metres, "feature": feature}
    return "routes", identifier, content


def _region(row: tuple[str, str, str, float, float, float, float]) -> tuple[str, str, Any]:
    identifier, name, about, west, south, east, north = row
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    feature = {
        "type": "Feature",
        "geometry": {"type": "Polygon", "coordinates": [ring]},
        "properties": {},
    }
    return "regions", identifier, {"name": name, "description": about, "feature": feature}


def _note(row: tuple[str, str, str, float, float, str]) -> tuple[str, str, Any]:
    identifier, title, text, longitude, latitude, region = row
    position = {"latitude": latitude, "longitude": longitude}
    content: dict[str, Any] = {"title": title, "description": text, "position": position}
    if region:
        content["href"] = f"/resources/regions/{region}"
    return "notes", identifier, content


RESOURCES = (
    *map(_waypoint, POINTS),
    *map(_route, ROUTES),
    *map(_region, REGIONS),
    *map(_note, NOTES),
    *(("anchorages", key, {"name": name, "description": about}) for key, name, about in ANCHORAGES),
)
"""The kind of each, its id, and what its file holds."""
