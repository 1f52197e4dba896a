"""The services, in the order of the table in `README.md`."""

from service import Service

from services import (
    activitywatch,
    bugsink,
    changedetection,
    etherpad,
    kinto,
    lnbits,
    mcp_servers,
    powerdns,
    pygeoapi,
    restate,
)

SERVICES: tuple[Service, ...] = (
    activitywatch.SERVICE,
    bugsink.SERVICE,
    changedetection.SERVICE,
    etherpad.SERVICE,
    kinto.SERVICE,
    lnbits.SERVICE,
    powerdns.SERVICE,
    pygeoapi.SERVICE,
    restate.SERVICE,
    *mcp_servers.SERVICES,
)
