"""All services, by name; those of MCP at the end."""

from service import Service

from services import (
    activitywatch,
    bugsink,
    changedetection,
    etherpad,
    jupyter,
    kinto,
    lnbits,
    mcp_servers,
    powerdns,
    prefect,
    pretalx,
    pygeoapi,
    restate,
)

SERVICES: tuple[Service, ...] = (
    activitywatch.SERVICE,
    bugsink.SERVICE,
    changedetection.SERVICE,
    etherpad.SERVICE,
    jupyter.SERVICE,
    kinto.SERVICE,
    lnbits.SERVICE,
    powerdns.SERVICE,
    prefect.SERVICE,
    pretalx.SERVICE,
    pygeoapi.SERVICE,
    restate.SERVICE,
    *mcp_servers.SERVICES,
)
