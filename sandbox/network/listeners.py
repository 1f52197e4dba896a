"""Ports on which this very process listens: a trial must not call back into GRETEL."""

import os
import socket
import stat

from gretel.sandbox.network.addresses import IPAddress

_FOLDERS = ("/proc/self/fd", "/dev/fd")


def is_own_listener(address: IPAddress, port: int) -> bool:
    """Whether `address` is this machine's, and this process listens on `port`.

    On a system that does not list a process's files (Windows) the answer is always False.
    """
    return port in own_ports() and _is_here(address)


def can_list_ports() -> bool:
    """Whether this system lists a process's files, sockets among them."""
    return any(os.path.isdir(folder) for folder in _FOLDERS)


def own_ports() -> frozenset[int]:
    """TCP ports on which this process listens, on whatever address."""
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


def _is_here(address: IPAddress) -> bool:
    """Whether `address` is one of this machine: only such a one can be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
            return True
    except OSError:
        return False
