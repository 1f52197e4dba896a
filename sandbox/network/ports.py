"""Ports that may be called: where web servers listen, not where other services do or we do."""

import os
import socket
import stat

from gretel.sandbox.network.addresses import IPAddress

WEB_PORTS = frozenset({80, 443, 8080, 8443})
"""All that a document may open by naming its own server (`declared`)."""

_FIRST_FREE = 1024

_SERVICES = frozenset(
    {
        *(1433, 1434, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 9300, 11211),  # databases, caches
        *(27017, 27018, 27019),
        *(1883, 4222, 5672, 8883, 9092),  # queues
        *(2181, 2379, 2380, 4369, 8500),  # registries
        *(2375, 2376, 6443, 10250, 10255),  # Docker, Kubernetes
        *(2049, 3389, 5900, 6000),  # files and screens
        *(1080, 3128),  # proxies
        *(1719, 1720, 1723, 3659, 4045, 4190, 5060, 5061, 6566, 6679, 6697, 10080),
        *range(6665, 6670),
    }
)
"""Ports above 1023 of services that a stray request may harm or that answer to anyone; the last
two lines are what browsers block (Fetch standard, "bad port")."""
_FOLDERS = ("/proc/self/fd", "/dev/fd")


def may_serve_web(port: int) -> bool:
    """Whether a bare host opens `port`: 80, 443, and free ports that no known service owns."""
    return port in WEB_PORTS or (port >= _FIRST_FREE and port not in _SERVICES)


def can_list_ports() -> bool:
    """Whether this system lists a process's files, sockets among them."""
    return any(os.path.isdir(folder) for folder in _FOLDERS)


def own_ports() -> frozenset[int]:
    """TCP ports on which this process listens, on whatever address.

    None on a system that does not list a process's files (Windows). Each open file is looked at.
    """
    folder = next((each for each in _FOLDERS if os.path.isdir(each)), None)
    names = os.listdir(folder) if folder else ()
    ports = (_listening_port(int(name)) for name in names)
    return frozenset(port for port in ports if port is not None)


def _listening_port(descriptor: int) -> int | None:
    """The port of a listening TCP socket; None for every other file, or one closed meanwhile."""
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            return None
        probe = socket.socket(fileno=descriptor)
    except OSError:
        return None
    try:
        internet = probe.family in {socket.AF_INET, socket.AF_INET6}
        if not internet or not probe.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return None
        return int(probe.getsockname()[1])
    except OSError:
        return None
    finally:
        probe.detach()  # the descriptor is somebody else's


def is_here(address: IPAddress) -> bool:
    """Whether `address` is one of this machine: only such a one can be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
            return True
    except OSError:
        return False
