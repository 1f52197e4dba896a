"""What may be sent, and where."""

import ipaddress

import httpx
import pytest

from fakes import tool
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, McpBinding, NoBinding, Tool, ToolId, VirtualBinding
from gretel.sandbox.network.origin import allowed_entry, origin_of, parse_server
from gretel.sandbox.permission.declared import declared_hosts
from gretel.sandbox.permission.policy import Policy


def at(server: str, method: str = "GET") -> Tool:
    return tool("a.b", server=server, method=method)


def policy(*hosts: str, base_url: str | None = None) -> Policy:
    return Policy(allow_hosts=frozenset(hosts), base_url=base_url)


def kind(rules: Policy, asked: Tool) -> str | None:
    failure = rules.decide(asked)
    assert failure is None or failure.fault == "ours"
    return failure.kind if failure else None


def test_nothing_is_allowed_by_default_and_the_host_is_named() -> None:
    failure = Policy().decide(at("https://api.example.com/v1"))
    assert failure is not None
    assert (failure.kind, failure.host) == ("host_not_allowed", "api.example.com")
    failure = Policy().decide(at("http://127.0.0.1:8000"))
    assert failure is not None and failure.host == "127.0.0.1:8000"


@pytest.mark.parametrize(
    ("entry", "server"),
    [
        ("api.example.com", "https://api.example.com"),
        ("api.example.com", "https://api.example.com:8443/v1"),
        ("API.Example.COM", "https://api.example.com"),
        ("api.example.com:443", "https://api.example.com"),
        ("api.example.com:80", "http://api.example.com"),
        ("bücher.example", "https://xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "https://bücher.example"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("::1", "http://[0:0::1]:9000"),
        ("localhost", "http://localhost:5000"),
    ],
)
def test_listed_hosts_are_allowed(entry: str, server: str) -> None:
    assert kind(policy(entry), at(server)) is None


@pytest.mark.parametrize(
    ("entry", "server"),
    [
        ("example.com", "https://api.example.com"),
        ("api.example.com", "https://example.com"),
        ("example.com", "https://example.com.evil.net"),
        ("example.com", "https://example.com."),
        ("example.com:443", "https://example.com:8443"),
        ("example.com:443", "http://example.com"),
        ("localhost", "http://127.0.0.1"),
        ("127.0.0.1:8000", "http://127.0.0.1:8001"),
        ("example.com", "https://example.com:22"),
        ("127.0.0.1", "http://127.0.0.1:6379"),
        ("example.com", "https://example.com@169.254.169.254/"),
        ("1.1.1.1", "http://127.0.0.1:6666\\@1.1.1.1/"),
        ("1.1.1.1", "http://1.1.1.1 &@127.0.0.1#@3.3.3.3/"),
        ("evil.com", "http://user:pass@evil.com/"),
        ("evil.com", "ftp://evil.com/"),
        ("evil.com", "file:///etc/passwd"),
        ("evil.com", "gopher://evil.com/"),
        ("127.0.0.1", "http://2130706433/"),
        ("127.0.0.1", "http://0x7f000001/"),
        ("127.0.0.1", "http://0177.0.0.1/"),
        ("127.0.0.1", "http://127.1/"),
        ("evil.com", "http://evil.com\r\nX: y/"),
        ("evil.com", "http://evil.com\t/"),
        ("evil.com", "http://evil.com\x00/"),
        ("evil.com", "http://evil.com:0/"),
        ("evil.com", "http://evil.com:99999/"),
        ("::1", "http://[fe80::1%25eth0]/"),
    ],
)
def test_what_only_looks_listed_is_not(entry: str, server: str) -> None:
    assert kind(policy(entry), at(server)) == "host_not_allowed"


def test_full_width_dots_are_read_as_the_client_reads_them() -> None:
    failure = policy("example.com").decide(at("http://169。254。169。254/"))
    assert failure is not None and failure.kind == "host_not_allowed"
    assert failure.host is None  # a metadata service is never suggested


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "QUERY"])
def test_unsafe_methods_are_not_sent(method: str) -> None:
    assert kind(policy("api.example.com"), at("https://api.example.com", method)) == "unsafe_method"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_safe_methods_are(method: str) -> None:
    assert kind(policy("api.example.com"), at("https://api.example.com", method)) is None


def test_the_user_overrides_per_tool() -> None:
    search = at("https://api.example.com", "POST")
    marked = frozenset({ToolId("a.b")})
    hosts = frozenset({"api.example.com"})
    assert kind(Policy(hosts, safe_tools=marked), search) is None
    assert kind(Policy(hosts, safe_tools=marked, unsafe_tools=marked), search) == "unsafe_method"
    assert (
        kind(Policy(hosts, unsafe_tools=marked), at("https://api.example.com")) == "unsafe_method"
    )


def test_what_is_not_tried_says_how_it_may_be() -> None:
    listing = tool("files.list_files", binding=McpBinding(server="files", tool="list_files"))
    failure = Policy().unsafe_call(listing)
    assert failure is not None and "--safe-tool files.list_files" in failure.detail


def test_a_command_that_is_told_holds_nothing_of_a_documents() -> None:
    """A person pastes it: the rest of an id is no command of its own."""
    failure = Policy().unsafe_call(tool("a.b;$(touch${IFS}x)", binding=NoBinding()))
    assert failure is not None and "--safe-tool 'a.b;$(touch${IFS}x)'" in failure.detail


def test_the_method_is_judged_before_the_host() -> None:
    assert kind(Policy(), at("https://api.example.com", "POST")) == "unsafe_method"


def test_what_cannot_be_called() -> None:
    virtual = VirtualBinding(category="c", tool_name="t", api_name="a")
    for binding in (NoBinding(), virtual, HttpBinding(method="GET", path="/x")):
        assert kind(Policy(), tool("a.b", binding=binding)) == "no_binding"
    assert kind(Policy(), at("/v1")) == "no_binding"


def test_a_base_url_stands_in_for_every_server() -> None:
    rules = policy(base_url="http://127.0.0.1:9000/virtual")
    virtual = VirtualBinding(category="c", tool_name="t", api_name="a")
    assert kind(rules, tool("a.b", binding=virtual)) is None
    assert kind(rules, at("https://api.example.com")) is None
    assert kind(rules, at("/v1")) is None
    posts = virtual.model_copy(update={"method": "POST"})
    assert kind(rules, tool("a.b", binding=posts)) == "unsafe_method"
    assert str(rules.server(at("https://api.example.com"))) == "http://127.0.0.1:9000/virtual"


@pytest.mark.parametrize(
    ("tool_id", "path"),
    [("a.b", "/a.b/v"), ("A B/../../x?y#z", "/A%20B%2F..%2F..%2Fx%3Fy%23z/v"), ("ü", "/%C3%BC/v")],
)
def test_a_base_url_may_name_the_tool(tool_id: str, path: str) -> None:
    rules = policy(base_url="http://127.0.0.1:9000/{tool_id}/v")
    asked = tool(tool_id, method="GET")
    assert kind(rules, asked) is None
    assert rules.server(asked).raw_path.decode() == path
    assert origin_of(rules.server(asked)).authority == "127.0.0.1:9000"


@pytest.mark.parametrize(
    "base", ["http://{tool_id}.example.com", "http://{tool_id}@h/", "{tool_id}"]
)
def test_a_tool_never_names_the_host(base: str) -> None:
    with pytest.raises(ConfigurationError):
        policy(base_url=base)


@pytest.mark.parametrize(
    "entry",
    ["", " ", "https://a.com", "a.com/x", "*.a.com", "a.com:x", "u@a.com", "a b", "2130706433"],
)
def test_unusable_entries_are_refused(entry: str) -> None:
    with pytest.raises(ConfigurationError, match="host:port"):
        policy(entry)


def test_an_unusable_base_url_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        policy(base_url="api.example.com")


def test_entries_are_canonical() -> None:
    assert allowed_entry(" EXAMPLE.com:80 ") == "example.com:80"
    assert allowed_entry("::1") == "::1"
    assert allowed_entry("[0::1]:80") == "[::1]:80"


def reaches(rules: Policy, address: str, host: str, port: int = 443) -> bool:
    return rules.address_allowed(ipaddress.ip_address(address), host, port)


def test_a_listed_name_does_not_open_inner_addresses() -> None:
    rules = policy("api.example.com", "localhost", "10.0.0.5:8000")
    assert reaches(rules, "93.184.216.34", "api.example.com")
    assert not reaches(rules, "127.0.0.1", "api.example.com")
    assert not reaches(rules, "10.0.0.5", "api.example.com")
    assert reaches(rules, "10.0.0.5", "api.example.com", 8000)  # listed itself
    assert reaches(rules, "127.0.0.1", "localhost")
    assert reaches(rules, "::1", "localhost")
    assert not reaches(rules, "10.0.0.1", "localhost")


def test_special_addresses_stay_closed_even_when_listed() -> None:
    rules = policy("169.254.169.254", "0.0.0.0", base_url="http://mirror:8080")
    assert not reaches(rules, "169.254.169.254", "169.254.169.254")
    assert not reaches(rules, "0.0.0.0", "0.0.0.0")
    assert not reaches(rules, "169.254.169.254", "mirror", 8080)


def test_the_stand_in_may_live_inside() -> None:
    rules = policy(base_url="http://mirror:8080/virtual")
    assert reaches(rules, "172.18.0.3", "mirror", 8080)
    assert not reaches(rules, "172.18.0.3", "mirror", 8081)
    assert not reaches(rules, "172.18.0.3", "other", 8080)


def test_the_server_of_one_source_opens_its_origin_and_no_more() -> None:
    rules = Policy(base_urls=frozenset({"http://127.0.0.1:8000/v1", "https://bugs.lan"}))
    for server in ("http://127.0.0.1:8000", "http://127.0.0.1:8000/other", "https://bugs.lan:443"):
        assert kind(rules, at(server)) is None
    for server in (
        "https://127.0.0.1:8000",
        "http://127.0.0.1:8001",
        "http://127.0.0.1",
        "http://localhost:8000",
        "http://127.0.0.2:8000",
        "http://bugs.lan",
        "https://bugs.lan:8443",
        "https://x.bugs.lan",
    ):
        assert kind(rules, at(server)) == "host_not_allowed", server
    # The name may lead inside, as that of a stand-in may; others still may not, or elsewhere.
    assert reaches(rules, "10.0.0.7", "bugs.lan")
    assert not reaches(rules, "10.0.0.7", "bugs.lan", 8443)
    assert not reaches(rules, "10.0.0.7", "other.example")
    assert not reaches(rules, "127.0.0.1", "api.example.com", 8001)
    # A tool is called where its own document lies, not at somebody else's server.
    assert str(rules.server(at("https://api.example.com"))) == "https://api.example.com"
    assert kind(rules, at("http://127.0.0.1:8000", "DELETE")) == "unsafe_method"


def test_the_server_of_one_source_opens_its_port_of_our_own() -> None:
    rules = Policy(base_urls=frozenset({"http://127.0.0.1:8000"}))
    own = ipaddress.ip_address("127.0.0.1")
    assert rules.names_listener(own, "127.0.0.1", 8000)
    assert not rules.names_listener(own, "127.0.0.1", 8001)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x", "http://a:b@x", "http://x:0", ""])
def test_an_unusable_server_of_one_source_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        Policy(base_urls=frozenset({url}))


def test_a_metadata_service_stays_closed_whoever_names_it() -> None:
    rules = Policy(base_urls=frozenset({"http://169.254.169.254"}))
    assert kind(rules, at("http://169.254.169.254")) == "host_not_allowed"


def test_declared_hosts_are_the_public_servers() -> None:
    servers = [
        "https://api.example.com/v1",
        "http://plain.example.com:8080",
        "http://127.0.0.1:9000",
        "http://localhost:9000",
        "http://10.1.1.1",
        "http://169.254.169.254",
        "https://8.8.8.8",
        "/relative",
        "not a url",
    ]
    tools = [tool(f"a.t{i}", server=server) for i, server in enumerate(servers)]
    tools.append(tool("a.none", binding=NoBinding()))
    assert declared_hosts(tools) == {"api.example.com:443", "plain.example.com:8080", "8.8.8.8:443"}
    assert kind(Policy(declared_hosts(tools)), at("http://127.0.0.1:9000")) == "host_not_allowed"


def test_origins_compare_as_in_a_browser() -> None:
    assert origin_of(httpx.URL("https://A.com")) == origin_of(httpx.URL("https://a.com:443/x"))
    assert str(origin_of(parse_server("http://[::1]:80/x?y#z"))) == "http://[::1]"
    assert str(parse_server("https://a.com/v1?x=1#y")) == "https://a.com/v1"


@pytest.mark.parametrize("name", ["allow_hosts", "base_urls", "declared", "safe_tools",
    "callable_tools", "trusted_servers", "unsafe_tools"])  # fmt: skip
def test_one_text_is_no_set_of_its_letters(name: str) -> None:
    with pytest.raises(
        ConfigurationError, match=f"^{name}: is a single string. Give a set: {name}="
    ):
        Policy(**{name: "api.example.com"})
