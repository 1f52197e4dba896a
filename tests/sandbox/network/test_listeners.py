"""Ports of our own process."""

import ipaddress
import socket

import pytest

from gretel.sandbox.network.ports import is_here, own_ports


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::1", "::"])
def test_a_listening_socket_is_found_and_stays_open(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        port = listener.getsockname()[1]
        assert port in own_ports()
        assert is_here(ipaddress.ip_address("127.0.0.1"))
        assert is_here(ipaddress.ip_address("::1"))
        assert not is_here(ipaddress.ip_address("93.184.216.34"))
        assert listener.fileno() > 0 and listener.getsockname()[1] == port
    assert port not in own_ports()


def test_a_socket_that_does_not_listen_is_none() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert bound.getsockname()[1] not in own_ports()
