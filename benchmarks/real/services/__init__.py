"""All services, by name; those of MCP at the end."""

from service import Service

from services import (
    activitywatch,
    bugsink,
    changedetection,
    doccano,
    directus,
    etherpad,
    jupyter,
    kinto,
    lnbits,
    mcp_servers,
    more_mcp_servers,
    powerdns,
    prefect,
    pretalx,
    pygeoapi,
    restate,
    titiler,
    unleash,
    wiremock,
)

SERVICES: tuple[Service, ...] = (
    activitywatch.SERVICE,
    bugsink.SERVICE,
    changedetection.SERVICE,
    doccano.SERVICE,
    directus.SERVICE,
    etherpad.SERVICE,
    jupyter.SERVICE,
    kinto.SERVICE,
    lnbits.SERVICE,
    powerdns.SERVICE,
    prefect.SERVICE,
    pretalx.SERVICE,
    pygeoapi.SERVICE,
    restate.SERVICE,
    titiler.SERVICE,
    unleash.SERVICE,
    wiremock.SERVICE,
    *mcp_servers.SERVICES,
    *more_mcp_servers.SERVICES,
)
