"""All services, by name; those of MCP at the end."""

from service import Service

from services import (
    activitywatch,
    airflow,
    bugsink,
    changedetection,
    etherpad,
    flexget,
    kinto,
    litellm,
    lnbits,
    mcp_servers,
    powerdns,
    pygeoapi,
    restate,
)

SERVICES: tuple[Service, ...] = (
    activitywatch.SERVICE,
    airflow.SERVICE,
    bugsink.SERVICE,
    changedetection.SERVICE,
    etherpad.SERVICE,
    flexget.SERVICE,
    kinto.SERVICE,
    litellm.SERVICE,
    lnbits.SERVICE,
    powerdns.SERVICE,
    pygeoapi.SERVICE,
    restate.SERVICE,
    *mcp_servers.SERVICES,
)
