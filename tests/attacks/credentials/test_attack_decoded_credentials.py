"""A server that takes a credential apart, and says its parts again, puts them into no record."""

import base64
import json
import logging
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from arena import BUDGET, HOST, called

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding, SecurityScheme
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.oauth import ClientCredentials
from gretel.text.foreign import excerpt
from gretel.text.redact import Redactor
from gretel.text.secret_parts import MAX_PARTS, parts_of
from gretel.text.secret_shapes import MASK
from growth import LINEAR, growth
from lanes import every

VARIABLE = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"


def code(text: str, charset: str = "utf-8") -> str:
    return base64.b64encode(text.encode(charset)).decode()


DOCKER = {"username": "bob", "password": "hunter2x", "email": "bob@x.example"}
HELD: dict[str, tuple[str, list[str]]] = {
    "basic": (f"Basic {code('bob:hunter2x')}", ["hunter2x"]),
    "of a user with a telling name": (f"Basic {code('kari.nord:hunter2x')}", ["kari.nord"]),
    "in a header of its own": (f"X-Auth: Basic {code('bob:hunter2x')}", ["hunter2x"]),
    "without a word": (code("bob:hunter2x"), ["hunter2x"]),
    "for URLs, without its end": (f"Basic {code('bob:?>hunter2x').rstrip('=')}", ["?>hunter2x"]),
    "a key for a user": (f"Basic {code('k3yOfMine99:')}", ["k3yOfMine99"]),
    "a key and a word": (f"Basic {code('k3yOfMine99:x')}", ["k3yOfMine99"]),
    "a password alone": (f"Basic {code(':hunter2x')}", ["hunter2x"]),
    "of another charset": ("Basic " + code("bob:h\u00fcnter2x", "latin-1"), ["h\u00fcnter2x"]),
    "a key in base64": (f"Token {code('k3yOfMine99')}", ["k3yOfMine99"]),
    "JSON": (f"X-Registry-Auth: {code(json.dumps(DOCKER))}", ["hunter2x", "bob@x.example"]),
    "settings": ('Token token="k3yOfMine99", theme=dark', ["k3yOfMine99"]),
    "a cookie": ("Cookie: theme=dark; sid=k3yOfMine99", ["k3yOfMine99"]),
}
SAYS: dict[str, Callable[[str], dict[str, str]]] = {
    "a field": lambda part: {"user": "bob", "said": part},
    "free words": lambda part: {"note": f"bob came with {part}."},
    "backwards": lambda part: {"note": part[::-1]},
    "an error": lambda part: {"error": f"no such account: {part}"},
}


async def answered(held: Any, says: dict[str, str], status: int, *asked: SecurityScheme) -> str:
    """All that stands in the record of a call whose server says `says`."""

    def wire(request: httpx.Request) -> httpx.Response:
        assert {"authorization", "cookie", "x-auth", "x-registry-auth"} & {*request.headers}
        return httpx.Response(status, json=says)

    resolver = EnvironmentCredentials({VARIABLE: held}) if isinstance(held, str) else held
    result = await called(wire, resolver, (asked,) if asked else ())
    return repr(result.outcome) + result.shown


@pytest.mark.parametrize("said", SAYS)
@pytest.mark.parametrize("held", every(3, HELD))
@pytest.mark.parametrize("status", [200, 403])
async def test_no_part_of_a_credential_stands_in_a_record(
    held: str, said: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret, parts = HELD[held]
    for part in parts:
        shown = await answered(secret, SAYS[said](part), status) + caplog.text
        assert part not in shown and part[::-1] not in shown


async def test_basic_that_a_document_declares_and_a_resolver_encodes() -> None:
    basic = SecurityScheme(name="b", kind="http", scheme="basic")
    for held in ("bob:hunter2x", f"Basic {code('bob:hunter2x')}"):
        shown = await answered(lambda *asked, held=held: held, {"n": "hunter2x"}, 200, basic)
        assert "hunter2x" not in shown


async def test_what_a_token_endpoint_repeats_is_known() -> None:
    """It gives the program's own name and secret, decoded, as a token; the API repeats both."""
    scheme = SecurityScheme(name="o", kind="oauth2", token_url=f"https://{HOST}/token")
    binding = HttpBinding(
        method="GET", path="/x", servers=(f"https://{HOST}",), security=((scheme,),)
    )
    says = {"client": "app-77:x", "pass": "s p=cret/9", "again": "s+p%3Dcret%2F9"}

    def wire(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/token":
            assert parse_qs(request.content.decode())["grant_type"] == ["client_credentials"]
            told = request.headers["authorization"].split()[1]
            return httpx.Response(200, json={"access_token": base64.b64decode(told).decode()})
        return httpx.Response(200, json=says)

    runner = HttpExecutor(
        Catalog.from_tools([tool("a.b", binding=binding)]),
        Policy(frozenset({HOST})),
        credentials=lambda origin, scheme: ClientCredentials("app-77", "s p=cret/9"),
        transport=httpx.MockTransport(wire),
    )
    outcome = (await runner.call(plan("a.b"), budget=BUDGET)).outcome
    assert outcome.status == "succeeded"
    for part in ("app-77", "s p=cret/9", "s+p%3Dcret%2F9"):
        assert part not in repr(outcome)


COOKIE = "; ".join(f"c{number}=v{number}Ab7Qx{number}9Zk77" for number in range(40))
FIELDS = {f"k{number}": f"v{number}Ab7Qx{number}9Zk77" for number in range(40)}
SIGNED = "q7Jx_2Kd9vLmPzRtWn4YbHc8sXeUaGf3ToQiV1yB6wE"
PIECES = {
    "a cookie of many values": (COOKIE, "v38Ab7Qx389Zk77"),
    "JSON of many fields": (code(json.dumps(FIELDS)), "v38Ab7Qx389Zk77"),
    "a secret behind an id": ("app77.a8Kd93kLmQpZxR71bVn2", "a8Kd93kLmQpZxR71bVn2"),
    "of small letters": ("app77.a8kd93klmqpz", "a8kd93klmqpz"),
    "a signature": (f"Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.{SIGNED}", SIGNED),
    "behind a vendor's prefix": ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc"),
    "behind one word": ("ghp_4eC39HqLyjWDarjtT1zdp7dc4kQ", "4eC39HqLyjWDarjtT1zdp7dc4kQ"),
    "the last number of JSON": ('{"user":"bob","pin":48291377}', "48291377"),
    "JSON without its escapes": ('{"user":"bob","key":"Zx9\\"KqvTr77"}', 'Zx9"KqvTr77'),
    "a list in JSON": ('{"keys":["Pq8WvTr77Lmz","Zx9KqvTr77Lm"]}', "Zx9KqvTr77Lm"),
    "JSON in a cookie": ("auth=%7B%22token%22%3A%20%22Zx9KqvTr77Lm%22%7D", "Zx9KqvTr77Lm"),
    "a signed cookie": ("sess=j%3A%7B%22id%22%3A%22Zx9KqvTr77Lm%22%7D", "Zx9KqvTr77Lm"),
    "in single quotes": ("host=db user=app password='Zx9 KqvTr77Lm'", "Zx9 KqvTr77Lm"),
    "fields in single quotes": ("{'token': 'Zx9KqvTr77Lm'}", "Zx9KqvTr77Lm"),
    "in braces": ("Driver=x;UID=app;Pwd={Zx9;KqvTr77Lm}", "Zx9;KqvTr77Lm"),
    "behind a colon": ("user: bob, password: Zx9KqvTr77Lm", "Zx9KqvTr77Lm"),
    "before a bracket": ("auth(token=Zx9KqvTr77Lm)", "Zx9KqvTr77Lm"),
    "behind a number": ("12|4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc"),
}


@pytest.mark.parametrize("name", PIECES)
@pytest.mark.parametrize("said", ["no match for {}.", '{{"n":"{}"}}'])
def test_a_piece_of_a_credential_is_masked(name: str, said: str) -> None:
    held, piece = PIECES[name]
    with Redactor().during([held]):
        quoted = json.dumps(piece)[1:-1] if said.startswith("{") else piece
        assert excerpt(said.format(quoted)) == said.format(MASK)


@pytest.mark.parametrize(
    "word", ["eyJhbGciOiJIUzI1NiJ9", "HS256", "bob", "app77", "sk_live_", "live"]
)
def test_what_many_credentials_have_is_no_secret(word: str) -> None:
    with Redactor().during([held for held, _ in PIECES.values()]):
        assert excerpt(f"we saw {word} there") == f"we saw {word} there"


@pytest.mark.slow
def test_many_credentials_of_many_parts_make_no_answer_dear() -> None:
    held = ["; ".join(f"c{n}=v{n}Ab7Qx{n}9Zk{m}" for n in range(90)) for m in range(64)]
    with Redactor().during(held):
        assert growth(lambda size: excerpt("word %41&lt;\\u0041 " * size), 900) < LINEAR


@pytest.mark.parametrize("held", ["admin:hunter2x", f"Basic {code('admin:hunter2x')}"])
def test_a_users_plain_name_is_no_secret(held: str) -> None:
    with Redactor().during([held]):
        assert excerpt("the admin lives in Oslo") == "the admin lives in Oslo"


def test_an_issuer_that_gives_a_thousand_parts_makes_nothing_dear() -> None:
    settings = "; ".join(f"name{number}=value{number}x" for number in range(1_000))
    assert len(parts_of(settings)) == MAX_PARTS
    assert len(parts_of(code(settings) * 2)) <= MAX_PARTS


@pytest.mark.parametrize("held", ["eyJhbGciOi.c4n4ryvalue.x", "k3yOfMine99", "a" * 400])
def test_what_is_one_piece_has_no_parts(held: str) -> None:
    assert parts_of(held) == (held,)


@pytest.mark.parametrize(
    "written",
    [
        lambda text: "".join(chr(ord(c) + 0xFEE0) if c.isascii() else c for c in text),
        lambda text: "\u0301".join(text),
        lambda text: "".join(f"{char}\u0323\u0300" if char in "aeuy" else char for char in text),
        lambda text: unicodedata.normalize("NFC", text.replace("a", "a\u0301")),
        lambda text: text.translate(str.maketrans("aeoc", "\u0430\u0435\u043e\u0441")),
        lambda text: "".join(chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c for c in text),
        lambda text: "".join(f"\\u{{{ord(char):x}}}" for char in text),
        lambda text: "".join(f"\\u{{0000{ord(char):X}}}" for char in text),
        lambda text: json.dumps("".join(f"\\u{{{ord(char):x}}}" for char in text)),
    ],
)
@pytest.mark.parametrize("secret", ["canary-5f2a91-secretQ", "schl\u00fcssel-5f2a91-\u0441\u0435"])
def test_letters_written_otherwise(secret: str, written: Callable[[str], str]) -> None:
    with Redactor().during([secret]):
        shown = excerpt(f"you sent {written(secret)} today")
    assert shown.replace('"', "") == f"you sent {MASK} today"


class Servers(httpx.AsyncBaseTransport):
    """The issuer gives a word as its token, which is a name in what all others answer."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            said: dict[str, object] = {"access_token": "temperature"}
        else:
            said = {"temperature": 21.5, "asked": request.headers.get("authorization", "")}
        return httpx.Response(200, json=said)


async def test_a_token_is_masked_where_it_is_sent_and_in_no_others_answers() -> None:
    scheme = SecurityScheme(name="o", kind="oauth2", token_url="/token")
    other = f"other-{HOST}"
    guarded = HttpBinding(
        method="GET", path="/x", servers=(f"https://{HOST}",), security=((scheme,),)
    )
    asked = [
        tool("a.b", binding=guarded),
        tool("c.b", server=f"https://{HOST}"),
        tool("d.b", server=f"https://{other}"),
    ]
    executor = HttpExecutor(
        Catalog.from_tools(asked),
        Policy(allow_hosts=frozenset({HOST, other})),
        credentials=lambda origin, scheme: "id:s3cret-canary",
        transport=Servers(),
    )
    said = {}
    for name in "acd":
        said[name] = (await executor.execute(plan(f"{name}.b"), budget=BUDGET)).excerpt

    assert "temperature" not in said["a"] and "s3cret" not in said["a"]
    assert "temperature" not in said["c"] and "temperature" in said["d"]


@pytest.mark.parametrize("held", ["=3D" * 2_730, "a: b1c2 " * 1_020, "a={b1c2" * 1_170])
def test_a_long_token_has_parts_of_few_times_its_length(held: str) -> None:
    """Their forms are made on the event loop, when a call begins."""
    assert sum(map(len, parts_of(held))) < 4 * 8_192
