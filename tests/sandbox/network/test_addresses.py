"""Which addresses may be reached."""

import ipaddress

import pytest

from gretel.sandbox.network.addresses import is_loopback_host, parse_address, scope
from special_addresses import FORBIDDEN, LOCAL, PUBLIC


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public(address: str) -> None:
    assert scope(ipaddress.ip_address(address)) == "public"


@pytest.mark.parametrize("address", LOCAL.split())
def test_local(address: str) -> None:
    assert scope(ipaddress.ip_address(address)) == "local"


@pytest.mark.parametrize("address", FORBIDDEN.split())
def test_forbidden(address: str) -> None:
    assert scope(ipaddress.ip_address(address)) == "forbidden"


@pytest.mark.parametrize("text", ["127.1", "0177.0.0.1", "2130706433", "0x7f000001", "a.com", ""])
def test_odd_notations_are_no_addresses(text: str) -> None:
    assert parse_address(text) is None


def test_loopback_hosts() -> None:
    assert is_loopback_host("localhost") and is_loopback_host("::1")
    assert not is_loopback_host("localhost.example.com") and not is_loopback_host("10.0.0.1")
