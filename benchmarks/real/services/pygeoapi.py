"""pygeoapi: maps and measurements by OGC API; three collections from GeoJSON files of ours."""

import json

from seeds.harbour_map import COLLECTIONS
from service import Place, Service, Wheels

PORT = 18608
WORLD = {
    "bbox": [-180, -90, 180, 90],
    "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
}


def _prepare(place: Place) -> None:
    for name, collection in COLLECTIONS.items():
        features = {"type": "FeatureCollection", "features": collection["features"]}
        place.written(f"{name}.geojson", json.dumps(features, ensure_ascii=False))
    # JSON is YAML, and the configuration is to be YAML.
    settings = place.written("settings.yml", json.dumps(_settings(place)))
    generate = ["openapi", "generate", str(settings), "--output-file"]
    SERVICE.run(place, place.program("pygeoapi"), *generate, str(place.data / "openapi.yml"))


def _settings(place: Place) -> dict[str, object]:
    about = "https://harbour.example"
    return {
        "server": {
            "bind": {"host": "127.0.0.1", "port": place.port},
            "url": f"{place.url}/maps",
            "mimetype": "application/json; charset=UTF-8",
            "encoding": "utf-8",
            "languages": ["en-US"],
            "limits": {"default_items": 20, "max_items": 100},
            "map": {"url": f"{about}/tiles/{{z}}/{{x}}/{{y}}.png", "attribution": "Harbour town"},
        },
        "logging": {"level": "ERROR"},
        "metadata": {
            "identification": {
                "title": "Harbour town maps",
                "description": "Trees, stops and gauges of Harbour town.",
                "keywords": ["trees", "transport", "water"],
                "keywords_type": "theme",
                "terms_of_service": about,
                "url": about,
            },
            "license": {"name": "CC0", "url": about},
            "provider": {"name": "Harbour town", "url": about},
            "contact": {"name": "Survey office", "email": "survey@harbour.example"},
        },
        "resources": {name: _resource(place, name) for name in COLLECTIONS},
    }


def _resource(place: Place, name: str) -> dict[str, object]:
    collection = COLLECTIONS[name]
    provider = {
        "type": "feature",
        "name": "GeoJSON",
        "data": str(place.data / f"{name}.geojson"),
        "id_field": "id",
    }
    return {
        "type": "collection",
        "title": collection["title"],
        "description": collection["description"],
        "keywords": [name],
        "links": [],
        "extents": {"spatial": WORLD},
        "providers": [provider],
    }


def _command(place: Place) -> list[str]:
    address = f"127.0.0.1:{place.port}"
    return [place.program("gunicorn"), "--bind", address, "pygeoapi.flask_app:APP"]


SERVICE = Service(
    name="pygeoapi",
    part="develop",
    install=Wheels("pygeoapi"),
    port=PORT,
    base="/maps",
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "PYGEOAPI_CONFIG": str(place.data / "settings.yml"),
        "PYGEOAPI_OPENAPI": str(place.data / "openapi.yml"),
        "SCRIPT_NAME": "/maps",
    },
    ready="/maps/conformance?f=json",
    document="/maps/openapi?f=json",
)
