"""Invented data of the maps: trees, bus stops and water gauges of a town that is not there."""

from typing import Any


def _points(rows: list[tuple[int, float, float, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {
            "type": "Feature",
            "id": number,
            "geometry": {"type": "Point", "coordinates": [east, north]},
            "properties": properties,
        }
        for number, east, north, properties in rows
    ]


COLLECTIONS: dict[str, dict[str, Any]] = {
    "trees": {
        "title": "Street trees",
        "description": "Trees that the town looks after, with species, year and height.",
        "features": _points(
            [
                (101, 5.301, 60.391, {"species": "lime", "planted": 1978, "height_m": 17.5}),
                (102, 5.304, 60.392, {"species": "oak", "planted": 1932, "height_m": 21.0}),
                (103, 5.311, 60.394, {"species": "rowan", "planted": 2015, "height_m": 5.2}),
                (104, 5.330, 60.399, {"species": "lime", "planted": 1981, "height_m": 16.1}),
                (105, 5.345, 60.402, {"species": "birch", "planted": 2003, "height_m": 9.8}),
            ]
        ),
    },
    "bus-stops": {
        "title": "Bus stops",
        "description": "Stops of the town's buses, with the lines that serve them and shelters.",
        "features": _points(
            [
                (1, 5.300, 60.390, {"name": "Harbour square", "line": "2", "shelter": "yes"}),
                (2, 5.312, 60.393, {"name": "Fish market", "line": "2", "shelter": "no"}),
                (3, 5.329, 60.398, {"name": "Rope walk", "line": "5", "shelter": "yes"}),
                (4, 5.350, 60.404, {"name": "Surveyor's hill", "line": "7", "shelter": "no"}),
            ]
        ),
    },
    "water-gauges": {
        "title": "Water gauges",
        "description": "Gauges of rivers and the harbour, with the level of 5 October 2026.",
        "features": _points(
            [
                (31, 5.298, 60.389, {"station": "Pier 3", "level_cm": 142, "alarm_cm": 210}),
                (32, 5.333, 60.400, {"station": "Mill weir", "level_cm": 88, "alarm_cm": 120}),
                (33, 5.361, 60.410, {"station": "Upper bridge", "level_cm": 63, "alarm_cm": 95}),
            ]
        ),
    },
}
