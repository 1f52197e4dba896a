"""All services, by name; those of MCP at the end."""

from service import Service

from services import (
    activitywatch,
    bugsink,
    changedetection,
    directus,
    etherpad,
    kinto,
    lnbits,
    mcp_servers,
    powerdns,
    pygeoapi,
    restate,
    unleash,
    wiremock,
)

SERVICES: tuple[Service, ...] = (
    activitywatch.SERVICE,
    bugsink.SERVICE,
    changedetection.SERVICE,
    directus.SERVICE,
    etherpad.SERVICE,
    kinto.SERVICE,
    lnbits.SERVICE,
    powerdns.SERVICE,
    pygeoapi.SERVICE,
    restate.SERVICE,
    unleash.SERVICE,
    wiremock.SERVICE,
    *mcp_servers.SERVICES,
)
