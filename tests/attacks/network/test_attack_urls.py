"""Server URLs of hostile documents: parser tricks, odd notations, schemes, ports, inner names."""

import pytest
from arena import HOST, PUBLIC, Arena

from fakes import tool
from gretel.sandbox.permission.declared import declared_hosts
from lanes import every
from special_addresses import FORBIDDEN, LOCAL, in_url

ADDRESSES = [in_url(address) for address in (LOCAL + FORBIDDEN).split()]
OTHER_NOTATIONS = (
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "[64:ff9b::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:7f00:1]",
)
"""Of some of these addresses."""

ODD_NUMBERS = """
2130706433 0x7f000001 0X7F000001 017700000001 127.1 127.0.1 0177.0.0.1 0177.1 0x7f.1 0x7f.0.0.1
0x7f.0x0.0x0.0x1 00000177.0.0.1 127.0.0.01 127.0.0.1. 0 0x0 2852039166 0xa9fea9fe
0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 169.254.43518 3232235521 4294967297 1.1 0x08.0x08
127.0.0.1.1 256.0.0.1 127。0。0。1 127｡0｡0｡1 127．0．0．1 169。254。169。254 １２７.0.0.1
①②⑦.⓪.⓪.① ٠.٠.٠.٠ ۱۲۷.0.0.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 [::1%25lo] [fe80::1%25eth0]
[fe80::1%eth0] [::1%00] [::127.1] [0x1] [127.0.0.1] [v1.fe80] [::1 ::1]] [1::2::3]
"""

URLS = {
    # User information, and what one parser reads as such and another does not.
    "user": "http://api.example.com@127.0.0.1:{port}/",
    "user-and-password": "http://api.example.com:80@127.0.0.1:{port}/",
    "user-empty": "http://@127.0.0.1:{port}/",
    "user-of-allowed": "http://user:secret@api.example.com/",
    "user-slash": "http://api.example.com%2f@127.0.0.1:{port}/",
    "user-hash": "http://api.example.com%23@127.0.0.1:{port}/",
    "two-ats": "http://a@api.example.com@127.0.0.1:{port}/",
    "backslash-at": "http://127.0.0.1:{port}\\@api.example.com/",
    "backslash": "http://127.0.0.1:{port}\\.api.example.com/",
    "backslash-host": "http:\\\\127.0.0.1:{port}/",
    "blank-at": "http://api.example.com &@127.0.0.1#@api.example.com/",
    "hash-at": "http://127.0.0.1:{port}#@api.example.com/",
    "query-at": "http://127.0.0.1:{port}?@api.example.com/",
    "slash-at": "http://127.0.0.1:{port}/@api.example.com/",
    # Characters on which parsers disagree.
    "crlf-host": "http://api.example.com\r\nHost: x/",
    "newline": "http://127.0.0.1:{port}\n.api.example.com/",
    "tab": "http://127.0.\t0.1:{port}/",
    "null-host": "http://127.0.0.1:{port}\0.api.example.com/",
    "null-encoded": "http://127.0.0.1%00.api.example.com/",
    "blank-before": " http://127.0.0.1:{port}/",
    "soft-hyphen": "http://local\u00adhost:{port}/",
    "zero-width": "http://local\u200bhost:{port}/",
    "bidi": "http://\u202elocalhost:{port}/",
    "line-separator": "http://localhost\u2028:{port}/",
    "surrogate": "http://local\ud800host:{port}/",
    "percent-host": "http://%6c%6f%63%61%6c%68%6f%73%74:{port}/",
    "comma": "http://127.0.0.1,api.example.com/",
    "semicolon": "http://127.0.0.1;api.example.com/",
    "star": "http://*/",
    "empty-label": "http://api..example.com/",
    "long-label": "http://" + "a" * 300 + ".example.com/",
    "punycode-of-nothing": "http://xn--a/",
    "punycode-of-an-address": "http://xn--127-0.example/",
    # Localhost in disguise.
    "localhost": "http://localhost:{port}/",
    "localhost-upper": "http://LOCALHOST:{port}/",
    "localhost-dot": "http://localhost.:{port}/",
    "localhost-domain": "http://localhost.localdomain:{port}/",
    "localhost-sub": "http://api.localhost:{port}/",
    "localhost-circled": "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/",
    "localhost-full-width": "http://ｌｏｃａｌｈｏｓｔ:{port}/",
    "localhost-cyrillic": "http://l\u043ecalhost:{port}/",
    "localhost-long-s": "http://localho\u017ft:{port}/",
    # Schemes.
    "file": "file:///etc/passwd",
    "file-host": "file://127.0.0.1/etc/passwd",
    "gopher": "gopher://127.0.0.1:{port}/_GET%20/",
    "ftp": "ftp://127.0.0.1/",
    "dict": "dict://127.0.0.1:{port}/info",
    "ldap": "ldap://127.0.0.1:{port}/",
    "data": "data:application/json,{{}}",
    "javascript": "javascript:alert(1)",
    "jar": "jar:http://127.0.0.1:{port}!/",
    "netdoc": "netdoc:///etc/passwd",
    "ws": "ws://127.0.0.1:{port}/",
    "wss": "wss://api.example.com/",
    "unix": "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
    "unix-path": "unix:/var/run/docker.sock",
    "no-slashes": "http:127.0.0.1:{port}/",
    "one-slash": "http:/127.0.0.1:{port}/",
    "three-slashes": "http:///127.0.0.1:{port}/",
    "view-source": "view-source:http://127.0.0.1:{port}/",
    "variable-host": "http://{{host}}:{port}/",
    # Ports of a host that is allowed by its bare name.
    "port-zero": "http://api.example.com:0/",
    "port-ssh": "http://api.example.com:22/",
    "port-mail": "http://api.example.com:25/",
    "port-mysql": "http://api.example.com:3306/",
    "port-postgres": "http://api.example.com:5432/",
    "port-redis": "http://api.example.com:6379/",
    "port-elastic": "http://api.example.com:9200/",
    "port-memcached": "http://api.example.com:11211/",
    "port-docker": "http://api.example.com:2375/",
    "port-kubelet": "https://api.example.com:10250/",
    "port-etcd": "http://api.example.com:2379/",
    "port-x11": "http://api.example.com:6000/",
    "port-overflow": "http://api.example.com:65616/",
    "port-huge": "http://api.example.com:99999999999/",
    "port-negative": "http://api.example.com:-80/",
    "port-letters": "http://api.example.com:80a/",
    "port-two": "http://api.example.com:80:{port}/",
}

LOOKALIKES = {
    "suffix": "http://api.example.com.evil.test/",
    "prefix": "http://evil-api.example.com/",
    "parent": "http://example.com/",
    "sub": "http://x.api.example.com/",
    "dot": "http://api.example.com./",
    "homograph": "http://\u0430pi.example.com/",
    "kelvin": "http://api.example.com\u212a/",
    "other-port": "http://api.example.com:8081.evil.test/",
    "dash": "http://api-example.com/",
    "punycode": "http://xn--pi-7kc.example.com/",
}
"""What only looks like the host that the user allowed."""

INNER_NAMES = {
    "metadata.google.internal": "169.254.169.254",
    "metadata": "169.254.169.254",
    "instance-data.ec2.internal": "169.254.169.254",
    "kubernetes.default.svc.cluster.local": "10.96.0.1",
    "kubernetes.default.svc": "10.96.0.1",
    "host.docker.internal": "192.168.65.2",
    "gateway.docker.internal": "172.17.0.1",
    "localtest.me": "127.0.0.1",
    "127.0.0.1.nip.io": "127.0.0.1",
    "a9fea9fe.nip.io": "169.254.169.254",
    "ip6-localhost": "::1",
    "spoofed.burpcollaborator.test": "127.0.0.1",
    "router.home.arpa": "192.168.1.1",
    "printer.local": "192.168.1.9",
    "wiki.corp": "10.1.1.1",
    "xn--lcalhost-6fg.test": "127.0.0.1",
}


async def kept_in(arena: Arena, server: str) -> None:
    """The document names `server`, and the user allowed `declared` and one good host."""
    declared = declared_hosts([tool("a.b", server=server)])
    names = {name: [[address]] for name, address in INNER_NAMES.items()} | {HOST: [[PUBLIC]]}
    names |= {f"localhost{more}": [["127.0.0.1"]] for more in ("", ".", ".localdomain")}
    names["api.localhost"] = [["127.0.0.1"]]
    outcome = await arena.call(server, allow=(HOST, *declared), names=names)
    kind = "no_binding" if server.startswith("/") else "host_not_allowed"
    arena.assert_kept_in(outcome, kind)


@pytest.mark.parametrize("address", every(3, [*ADDRESSES, *OTHER_NOTATIONS]))
async def test_an_inner_address_as_server(address: str, arena: Arena) -> None:
    await kept_in(arena, f"http://{address}:{arena.api.port}/")


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "[::1]", "[fd00:ec2::254]"])
async def test_an_inner_address_on_a_port_of_the_web(address: str, arena: Arena) -> None:
    await kept_in(arena, f"https://{address}/latest/meta-data/")


@pytest.mark.parametrize("number", ODD_NUMBERS.split())
async def test_an_odd_notation_of_an_address(number: str, arena: Arena) -> None:
    await kept_in(arena, f"http://{number}:{arena.api.port}/")


@pytest.mark.parametrize("name", every(2, URLS))
async def test_a_hostile_url(name: str, arena: Arena) -> None:
    await kept_in(arena, URLS[name].format(port=arena.api.port))


@pytest.mark.parametrize("name", every(2, LOOKALIKES))
async def test_a_name_that_looks_like_the_allowed_one(name: str, arena: Arena) -> None:
    outcome = await arena.call(LOOKALIKES[name], allow=(HOST,), names={HOST: [[PUBLIC]]})
    arena.assert_kept_in(outcome)


@pytest.mark.parametrize("name", INNER_NAMES)
async def test_a_name_that_means_something_inside(name: str, arena: Arena) -> None:
    await kept_in(arena, f"http://{name}/")


@pytest.mark.parametrize(
    "url",
    [
        "http://api.example.com/#@169.254.169.254/",
        "http://api.example.com/@127.0.0.1/",
        "http://api.example.com?@127.0.0.1/",
        "http://api.example.com//127.0.0.1/",
        "http://API.EXAMPLE.COM:80/",
        "http://api.example.com/http://127.0.0.1/",
        "http://api.example.com:+80/",
        "http://api.example.com:８０/",
        "http://api.example.com:080/",
    ],
)
async def test_what_looks_bad_goes_to_the_allowed_host_alone(url: str, arena: Arena) -> None:
    outcome = await arena.call(url, names={HOST: [[PUBLIC]]})
    assert arena.dialled == [(PUBLIC, 80)]
    assert outcome.failure is not None and outcome.failure.kind == "connection"
