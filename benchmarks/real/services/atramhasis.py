"""Atramhasis: the vocabularies of a society for mills; its own Python makes them."""

from service import Place, Service, Wheels

PORT = 18763
SETTINGS = """[app:main]
use = egg:atramhasis
sqlalchemy.url = sqlite:///{data}/words.sqlite
skosprovider.skosregistry_factory = mill_registry.create_registry
skosprovider.skosregistry_location = request
atramhasis.session_factory.secret = mills-for-tests-only
atramhasis.dump_location = {data}/dumps
atramhasis.note_type_order = {{"definition": 1, "scopeNote": 2, "historyNote": 3}}
jinja2.directories = atramhasis:templates
layout.focus_conceptschemes =
    MILLTYPES
available_languages = en nl fr
pyramid.default_locale_name = en

[server:main]
use = egg:waitress#main
listen = 127.0.0.1:{port}
"""
REGISTRY = '''"""Our own vocabularies, without the two of Getty, which ask the internet."""

from atramhasis.skos import register_providers_from_db
from skosprovider.registry import Registry


def create_registry(request):
    registry = Registry(instance_scope="threaded_thread")
    register_providers_from_db(registry, request.db)
    return registry
'''


def _prepare(place: Place) -> None:
    place.written("mills.ini", SETTINGS.format(data=place.data, port=place.port))
    place.written("mill_registry.py", REGISTRY)
    SERVICE.seeded(place, "atramhasis_shell.py", f"sqlite:///{place.data}/words.sqlite")


SERVICE = Service(
    name="atramhasis",
    part="report",
    install=Wheels("atramhasis"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: [place.program("pserve"), str(place.data / "mills.ini")],
    environment=lambda place: {"PYTHONPATH": str(place.data), "TZ": "UTC"},
    ready="/ready",
    document="/api_doc/openapi.yaml",
    syntax="yaml",
)
