"""Which addresses may be reached."""

import ipaddress

import pytest

from gretel.sandbox.network.addresses import is_loopback_host, parse_address, scope

PUBLIC = """
1.1.1.1 8.8.8.8 100.63.255.254 100.128.0.1 172.15.255.255 172.32.0.1 192.169.0.1 11.0.0.1
169.253.255.255 198.17.255.255 198.20.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001::1
2001:4860:4860::8888 2001:200::1
"""
LOCAL = """
127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1
::1 fc00::1 fd00:ec2::253
"""
FORBIDDEN = """
0.0.0.0 0.1.2.3 100.100.100.200 fd00:ec2::254 169.254.169.254 169.254.170.2 169.254.170.23
168.63.129.16 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1
224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: fe80::1 fec0::1 ff02::2 ::ffff:127.0.0.1
::ffff:8.8.8.8 ::169.254.169.254
::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::808:808 64:ff9b:1:a9fe:a9:fe00:808:808 2002:a9fe:a9fe::1
2002:808:808::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 2001:db8::1 3fff::1
100::1 5f00::1 4000::1 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:808:808
"""


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
