"""All services, by name; those of MCP at the end."""

from importlib import import_module

from service import Service

MODULES = """
    activitywatch airflow bugsink changedetection craftbeerpi doccano directus etherpad jupyter
    flexget flowfuse kinto litellm lnbits netdata orthanc powerdns prefect pretalx pygeoapi restate
    superset titiler unleash wiremock chroma homebridge pyload signalk zou acapy atramhasis
    evidently guillotina gns3 mcp_servers mcp_servers_new mcp_servers_third mcp_servers_fourth
"""
"""In the order of `services.json`, which is that of the tools in a part's catalogue."""


def _of(name: str) -> tuple[Service, ...]:
    module = import_module(f"services.{name}")
    return getattr(module, "SERVICES", None) or (module.SERVICE,)


SERVICES: tuple[Service, ...] = tuple(each for name in MODULES.split() for each in _of(name))
