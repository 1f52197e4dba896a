"""A document chooses neither where a credential stands, nor who hears it, nor who learns facts."""

import traceback
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from arena import BUDGET, HOST, PUBLIC, Arena, LyingNames

from fakes import FakeRetriever, param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, SecurityScheme, Tool, VirtualBinding
from gretel.contracts.trial import Argument
from gretel.graph.selector import Selector
from gretel.graph.settings import Settings, make_policy
from gretel.nodes.plan.provenance import facts_of
from gretel.nodes.request import read_messages
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.gate import OriginLimits
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.looks import without_secrets
from lanes import every

CANARY = "canary-5f2a91-secret"
VARIABLE = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"


class Wire:
    """Answers in the place of the network, and keeps what was sent."""

    def __init__(self, status: Callable[[httpx.Request], int] = lambda request: 200) -> None:
        self.sent: list[httpx.Request] = []
        self._status = status

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        status = self._status(request)
        if not status:
            raise httpx.ConnectError("nobody is there")
        return httpx.Response(status, json={"city": "Oslo", "degrees": 7})

    @property
    def shown(self) -> str:
        """All that was sent."""
        return "\n".join(f"{each.url} {each.headers.raw} {each.content!r}" for each in self.sent)


def executor(wire: Wire, *tools: Tool, env: dict[str, str] | None = None, **policy: Any) -> Any:
    rules = Policy(**({"allow_hosts": frozenset({HOST})} | policy))
    return HttpExecutor(
        Catalog.from_tools(tools),
        rules,
        credentials=EnvironmentCredentials(env or {}),
        transport=httpx.MockTransport(wire),
    )


def key(name: str, place: str | None = "header", scheme: str = "k") -> SecurityScheme:
    made = {"name": scheme, "kind": "apiKey", "location": place, "parameter": name}
    return SecurityScheme.model_validate(made)


def keyed(*schemes: SecurityScheme, server: str = f"https://{HOST}") -> Tool:
    binding = HttpBinding(method="GET", path="/x", servers=(server,), security=(schemes,))
    return tool("a.b", binding=binding)


@pytest.mark.parametrize(
    "name",
    [
        "Host", "hOsT", "Content-Length", "Content_Length", "Transfer-Encoding", "Connection",
        "Upgrade", "TE", "Trailer", "Expect", "X-Forwarded-For", "X-Forwarded-Host",
        "x_forwarded_proto", "Forwarded", "Via", "Proxy-Authorization", "X-HTTP-Method-Override",
        "X-Original-URL", "X-Rewrite-Url", "Proxy", "X-Host", "X-Forwarded", "Fastly-Client-IP",
        "X-Azure-ClientIP", "X_Envoy_External_Address", "X-AppEngine-User-IP", "SSL-Client-Verify",
        "Content-Type", "Accept-Encoding", "Origin", "Referer", "From", "Baggage", "traceparent",
        "x_request_id",
        "X-Key\r\nHost", "X Key", "X-Key:", "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", every(2, ["header", None]))
async def test_no_key_stands_in_a_header_of_ours(name: str, place: str | None) -> None:
    """Where its document does not say in what it stands, that is a header."""
    wire = Wire()
    runner = executor(wire, keyed(key(name, place)), env={VARIABLE: CANARY})
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert wire.sent == []
    assert outcome.failure
    if name == "Upgrade":  # an order as well, whatever stands behind it
        assert outcome.failure.kind == "unsafe_method"
        return
    assert outcome.failure.kind == "missing_credential"
    assert "in a place where none can be sent" in outcome.failure.detail


@pytest.mark.parametrize("word", ["x\r\ny", "x\r\nX-Evil: 1\r\nZ:", "x y", "x,", "\u00e9", "x\x00"])
async def test_no_word_of_a_document_breaks_the_header_of_a_token(word: str) -> None:
    wire, asked = Wire(), SecurityScheme(name="k", kind="http", scheme=word)
    runner = executor(wire, keyed(asked), env={VARIABLE: CANARY})
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert wire.sent == []
    assert outcome.failure and outcome.failure.kind == "missing_credential"


@pytest.mark.parametrize("secret", ["a\r\nX-Evil: 1", "a\nb", "a\x00b", "schl\u00fcssel"])
async def test_no_secret_breaks_its_header(secret: str) -> None:
    wire = Wire()
    await executor(wire, keyed(key("X-Key")), env={VARIABLE: secret}).execute(
        plan("a.b"), budget=BUDGET
    )
    assert wire.sent == []


@pytest.mark.parametrize(
    "others",
    [
        SecurityScheme(name="two", kind="http", scheme="bearer"),
        SecurityScheme(name="two", kind="http", scheme="basic"),
        key("authorization", scheme="two"),
    ],
)
async def test_two_secrets_never_hide_each_other_in_one_place(others: SecurityScheme) -> None:
    wire = Wire()
    asked = keyed(key("Authorization"), others)
    env = {f"{VARIABLE}___K": CANARY, f"{VARIABLE}___TWO": "user:other"}
    outcome = await executor(wire, asked, env=env).execute(plan("a.b"), budget=BUDGET)
    assert wire.sent == []
    assert outcome.failure and outcome.failure.kind == "missing_credential"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (key("X-K"), key("x-k", scheme="two")),
        (key("X-K", None), key("X-K", scheme="two")),
        (key("X-K"), key("X_K", scheme="two")),
        (key("x_k", None), key("X-K", None, scheme="two")),
        (
            key("Authorization", None),
            SecurityScheme(name="two", kind="http", scheme="bearer"),
        ),
    ],
)
async def test_two_keys_never_hide_each_other_in_one_header(
    one: SecurityScheme, other: SecurityScheme
) -> None:
    wire = Wire()
    env = {f"{VARIABLE}___K": CANARY, f"{VARIABLE}___TWO": "another"}
    outcome = await executor(wire, keyed(one, other), env=env).execute(plan("a.b"), budget=BUDGET)
    assert wire.sent == []
    assert outcome.failure and outcome.failure.kind == "missing_credential"


async def test_two_keys_of_a_query_are_two_where_their_names_are() -> None:
    wire = Wire()
    asked = keyed(key("app_id", "query"), key("app-id", "query", scheme="two"))
    env = {f"{VARIABLE}___K": CANARY, f"{VARIABLE}___TWO": "another"}
    await executor(wire, asked, env=env).execute(plan("a.b"), budget=BUDGET)
    assert dict(wire.sent[0].url.params) == {"app_id": CANARY, "app-id": "another"}


@pytest.mark.parametrize("name", ["X-Key", "Authorization", "User-Agent", "Cookie", "apikey"])
async def test_a_key_stands_where_honest_documents_put_it(name: str) -> None:
    wire = Wire()
    sid = param("sid", location="cookie")
    asked = keyed(key(name)).model_copy(update={"parameters": (sid,)})
    runner = executor(wire, asked, env={VARIABLE: "own=abc1234"})
    await runner.execute(plan("a.b", sid="7"), budget=BUDGET)
    (sent,) = wire.sent
    assert sent.headers[name].endswith("own=abc1234")
    assert sent.headers["cookie"].startswith("sid=7")


def virtual() -> Tool:
    names = {"category": "c", "tool_name": "t", "api_name": "n"}
    return tool("a.b", binding=VirtualBinding(**names))


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("http://api.example.com/virtual", False),
        ("http://93.184.216.34:8080/virtual", False),
        ("http://toolbench.internal/virtual", False),
        ("https://api.example.com/virtual", True),
        ("http://127.0.0.1:8080/virtual", True),
        ("http://10.1.2.3:8080/virtual", True),
    ],
)
async def test_a_servers_own_key_is_not_sent_in_clear(server: str, told: bool) -> None:
    wire = Wire()
    runner = HttpExecutor(
        Catalog.from_tools([virtual()]),
        Policy(base_url=server),
        credentials=lambda origin, scheme: CANARY,
        transport=httpx.MockTransport(wire),
    )
    await runner.execute(plan("a.b"), budget=BUDGET)
    assert len(wire.sent) == 1
    assert (CANARY in wire.shown) == told


@pytest.mark.parametrize("answers", [[PUBLIC], ["127.0.0.1", PUBLIC], ["10.0.0.1"], ["::2"]])
@pytest.mark.parametrize("named", ["listed", "base URL"])
async def test_what_is_called_localhost_is_this_machine(
    arena: Arena, answers: list[str], named: str
) -> None:
    """A key is sent there in clear: so it must be where the name says."""
    server = "http://localhost:8000"
    asked = keyed(key("X-Key"), server=server)
    rules = Policy(frozenset({"localhost:8000", "10.0.0.1:8000"}))
    if named == "base URL":
        rules = Policy(base_url=server)
    runner = HttpExecutor(
        Catalog.from_tools([asked]),
        rules,
        credentials=lambda origin, scheme: CANARY,
        resolver=LyingNames({"localhost": [answers]}),
    )
    arena.executors.append(runner)
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    arena.assert_kept_in(outcome)


async def test_a_far_proxy_is_not_asked_for_this_machine(arena: Arena) -> None:
    """Its own machine would answer, and the network between would read the key."""
    asked = keyed(key("X-Key"), server="http://localhost:8000")
    rules = Policy(frozenset({"localhost:8000"}), proxy="http://192.0.2.1:4750")
    runner = HttpExecutor(
        Catalog.from_tools([asked]),
        rules,
        credentials=lambda origin, scheme: CANARY,
        resolver=LyingNames({"localhost": [["127.0.0.1"]]}),
    )
    arena.executors.append(runner)
    arena.assert_kept_in(await runner.execute(plan("a.b"), budget=BUDGET))


# --- what a document's calls show is for that document alone


def at(name: str, path: str, **fields: Any) -> Tool:
    binding = HttpBinding(method="GET", path=path, servers=(f"https://{HOST}",))
    return tool(name, binding=binding).model_copy(update=fields)


@pytest.mark.parametrize(
    ("hostile", "rival"),
    [
        (at("evil.a", "/silent"), at("good.b", "/ok")),
        (
            at("Same.a", "/silent", source="evil.yaml#/paths/~1silent/get"),
            at("Same.b", "/ok", source="good.yaml#/paths/~1ok/get"),
        ),
    ],
)
async def test_a_document_does_not_stop_the_calls_of_others(hostile: Tool, rival: Tool) -> None:
    """It names a server of theirs, and paths at which that one is silent."""
    wire = Wire(lambda request: 0 if request.url.path == "/silent" else 200)
    limits = OriginLimits(failures=3, cooldown_s=60)
    runner = executor(wire, hostile, rival, limits=limits)
    for _ in range(5):
        await runner.execute(plan(hostile.tool_id), budget=BUDGET)
    assert len(wire.sent) == 3, "its own calls are stopped"
    outcome = await runner.execute(plan(rival.tool_id), budget=BUDGET)
    assert outcome.status == "succeeded"


async def test_a_document_does_not_take_the_pace_of_others() -> None:
    hostile, rival = at("evil.a", "/x"), at("good.b", "/ok")
    wire = Wire()
    runner = executor(wire, hostile, rival, limits=OriginLimits(per_second=2))
    hasty = BUDGET.model_copy(update={"call_s": 0.2})
    for _ in range(4):
        await runner.execute(plan("evil.a"), budget=hasty)
    outcome = await runner.execute(plan("good.b"), budget=hasty)
    assert outcome.status == "succeeded"


async def test_a_document_does_not_spoil_the_form_of_others_tokens() -> None:
    """After three words in vain a server is asked no more: by that document."""
    wire = Wire(
        lambda request: (
            200
            if request.url.path == "/ok" and "Bearer" in request.headers["authorization"]
            else 401
        )
    )
    asked = (
        keyed(key("Authorization")).binding.model_copy(update={"path": path})
        for path in ("/no", "/ok")
    )
    hostile, rival = (
        tool(f"{name}.b", binding=each) for name, each in zip("xy", asked, strict=True)
    )
    runner = executor(wire, hostile, rival, env={VARIABLE: CANARY})
    for _ in range(4):
        await runner.execute(plan("x.b"), budget=BUDGET)
    assert (await runner.execute(plan("y.b"), budget=BUDGET)).status == "succeeded"


# --- facts of the caller

HOME = {"home_city": "Trondheim"}
ASKS = param("home_city", {"type": "string"}, required=True)


def weather(**fields: Any) -> Tool:
    made = tool("w.now", "The weather at home", params=[ASKS], server=f"https://{HOST}")
    return made.model_copy(update=fields)


def declared(*tools: Tool) -> Policy:
    """What `--allow-host declared` allows."""
    return make_policy(Catalog.from_tools(tools), ["declared"], None, Settings())


async def selected(
    asked: Tool, facts: JsonObject, policy: Policy, request: str = "What is the weather at home?"
) -> tuple[Wire, Any]:
    """A selection that tries `asked`: what went out, and what came of it."""
    wire, catalog = Wire(), Catalog.from_tools([asked])
    selector = Selector(
        catalog,
        policy=policy,
        retriever=FakeRetriever([asked], needs_tool=1.0),
        executor=HttpExecutor(catalog, policy, transport=httpx.MockTransport(wire)),
    )
    try:
        return wire, await selector.aselect(request, context=facts)
    finally:
        await selector.aclose()


PLACES = [
    ASKS,
    ASKS.model_copy(update={"location": "header"}),
    ASKS.model_copy(update={"location": "cookie"}),
    param("body", {"properties": {"home_city": {"type": "string"}}, "required": ["home_city"]},
          required=True, location="content"),
    param("home_city", {"type": "array", "items": {"type": "string"}}, required=True),
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=lambda each: f"{each.location} {each.name}")
async def test_facts_do_not_go_to_a_host_that_a_document_named(place: Parameter) -> None:
    asked = weather(parameters=(place,))
    wire, selection = await selected(asked, HOME, declared(asked))
    assert wire.sent == []
    (trial,) = selection.trials
    failure = trial.executed.failure
    assert trial.plan.facts == (place.name,)
    assert failure and (failure.kind, failure.host) == ("host_not_allowed", HOST)
    assert place.name in failure.detail and "Trondheim" not in failure.detail
    assert selection.hosts == (HOST,)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(frozenset({HOST})),
        Policy(frozenset({HOST}), declared=frozenset({HOST})),
        Policy(base_url=f"https://{HOST}"),
        Policy(base_urls=frozenset({f"https://{HOST}"})),
    ],
)
async def test_facts_go_to_a_host_that_the_user_named(policy: Policy) -> None:
    wire, selection = await selected(weather(), HOME, policy)
    assert "home_city=Trondheim" in wire.shown
    assert selection.tools[0].trial.executed.status == "succeeded"


async def test_what_the_request_says_goes_to_declared_hosts() -> None:
    asked = weather(parameters=(param("city", {"type": "string"}, required=True),))
    request = "What is the weather in Trondheim?"
    wire, _ = await selected(asked, {"city": "Trondheim"}, declared(asked), request)
    assert "city=Trondheim" in wire.shown


@pytest.mark.parametrize(
    ("value", "source"),
    [("Trondheim, Norway", "invented"), ("trondheim", "invented"), ("Trondheim", "context"),
     ({"a": ["Trondheim"]}, "invented"), (4711, "invented"), ({"x": "Storgata 1"}, "request"),
     # in part, in other signs, as a number or a text, as a name, behind words that it quotes
     ("Storgata", "invented"), ("Nordmann, Kari", "invented"), ("kari-nordmann", "invented"),
     ("Kari+Nordmann", "request"), ("kari.nordmann%40mail", "request"), (48213377, "invented"),
     (48213377, "request"), ("account 90817263", "message"), ("c90817263", "invented"),
     ("+4790123456", "invented"), (4790123456, "request"), ({"48213377": 1}, "invented"),
     ("\uff2b\uff41\uff52\uff49 \uff2e\uff4f\uff52\uff44\uff4d\uff41\uff4e\uff4e", "invented"),
     # joined, or parted, or with letters that look like these
     ("KariNordmann", "invented"), ("storgata1", "request"), ("Trond heim", "invented"),
     ("T-r-o-n-d-h-e-i-m", "invented"), ("Trond\u200bheim", "request"),
     (["Trond", "heim"], "invented"), ("\u0422rondheim", "invented"),
     ("Tr\u00f3ndheim", "invented"), (48213377.0, "invented")],
)  # fmt: skip
def test_a_model_does_not_hide_a_fact(value: JsonValue, source: Any) -> None:
    """It was moved to write a fact into another place, in other words."""
    facts: dict[str, JsonValue] = {
        "home_city": "Trondheim", "address": {"street": "Storgata 1"}, "number": 4711,
        "name": "Kari Nordmann", "account": "48213377", "customer": 90817263,
        "phone": "+47 901 23 456",
    }  # fmt: skip
    request = Request(text="How is the weather?", context=facts, today="2026-11-23")
    made = plan("w.now")
    made = made.model_copy(update={"arguments": {"q": Argument(value=value, source=source)}})
    assert facts_of(made, request) == ("q",)


@pytest.mark.parametrize(
    ("fact", "value"),
    [("HIV", "hiv"), ("HIV", "\uff28\uff29\uff36"), ("Bo Ek", "Ek, Bo"), (4821, "4821"),
     ("4821", 4821), (4821, "4 821"), (51.5, "51.5"), ("Ren\u00e9", "Rene"), ("J\u00f8rn", "Jorn"),
     ("\u0418\u0432\u0430\u043d", "\u0418\u0432a\u043d"),
     # two signs are a whole name in Chinese, Japanese and Korean
     ("\u738b\u4f1f", "\u738b\u4f1f\u5148\u751f"), ("\u738b\u4f1f", "\u738b \u4f1f"),
     ("\u6771\u4eac", "\u6771\u4eac\u90fd"),
     ("\u7530\u4e2d\u592a\u90ce", "\u592a\u90ce \u7530\u4e2d"),
     ("\uae40\ubbfc\uc218", "\ubbfc\uc218 \uae40"),
     # digits of other scripts
     ("91234567", "\u0669\u0661\u0662\u0663\u0664\u0665\u0666\u0667"),
     (91234567, "\u096f\u0967\u0968\u0969\u096a\u096b\u096c\u096d")],
)  # fmt: skip
def test_a_short_fact_is_known_in_other_signs(fact: JsonValue, value: JsonValue) -> None:
    request = Request(text="How is the weather?", context={"a": fact}, today="2026-11-23")
    arguments = {"q": Argument(value=value, source="invented")}
    assert facts_of(plan("w.now").model_copy(update={"arguments": arguments}), request) == ("q",)
    said = Request(text=f"Is it {value}?", context={"a": fact}, today="2026-11-23")
    assert facts_of(plan("w.now").model_copy(update={"arguments": arguments}), said) == ()


@pytest.mark.parametrize("value", [{"48213377": "Oslo"}, [{"kari.nordmann": "Oslo"}]])
def test_a_name_within_a_value_that_was_said_hides_no_fact(value: JsonValue) -> None:
    """The value's text is the request's; the name beside it a model was moved to write."""
    facts: dict[str, JsonValue] = {"account": "48213377", "name": "Kari Nordmann"}
    request = Request(text="Weather in Oslo?", context=facts, today="2026-11-23")
    made = plan("w.now")
    made = made.model_copy(update={"arguments": {"q": Argument(value=value, source="request")}})
    assert facts_of(made, request) == ("q",)
    listed = param("q", {"properties": {"48213377": {}}, "items": {"properties": {}}})
    said = facts_of(made, request, tool("w.now", params=[listed]))
    assert said == (() if isinstance(value, dict) else ("q",))


@pytest.mark.parametrize(
    ("value", "source"),
    [("2026-11-23", "context"), ("Oslo", "request"), ("metric", "default"), (True, "invented"),
     ("Oslo Airport", "invented"), ("2026-12-01", "request"), (2, "invented"), ("en", "invented")],
)  # fmt: skip
def test_what_is_no_fact(value: JsonValue, source: Any) -> None:
    facts = {"city": "Oslo", "units": "metric", "on": True, "born": "1984-12-01", "n": 20261}
    request = Request(text="Weather in Oslo?", context=facts, today="2026-11-23")
    made = plan("w.now")
    made = made.model_copy(update={"arguments": {"q": Argument(value=value, source=source)}})
    assert facts_of(made, request) == ()


@pytest.mark.slow
@pytest.mark.parametrize("source", every(2, ["request", "message"]))
def test_a_number_of_the_request_is_no_fact_among_many(source: Any) -> None:
    facts: dict[str, JsonValue] = {"orders": [*range(1000)]}
    request = Request(text="Weather for two days?", context=facts, today="2026-11-23")
    made = plan("w.now")
    made = made.model_copy(update={"arguments": {"q": Argument(value=2, source=source)}})
    assert facts_of(made, request) == ()


SECRETS: dict[str, JsonValue] = {
    "api_key": "c4n4ry-value", "apiKey": "c4n4ry-value", "access_token": "c4n4ry-value",
    "password": "c4n4ry-value", "DB_PASSWORD": "c4n4ry-value", "client_secret": "c4n4ry-value",
    "Authorization": "Bearer c4n4ry-value", "session_cookie": "sid=c4n4ry-value",
    "key": "c4n4ry-value", "credentials": {"user": "me", "pass": "c4n4ry-value"},
    "accesstoken": "c4n4ry-value", "private-key": "c4n4ry-value",
    "note": "ghp_c4n4ryvaluec4n4ryvalue0123", "thing": "sk-live-c4n4ryvalue0123456789",
    "aws": "AKIAC4N4RYVALUE01234", "jwt": "eyJhbGciOi.c4n4ryvalue.x", "a": "eyJhbGciOi.c4n4ryvalue",
    "url": "https://me:c4n4ry-value@api.example.com/x", "list": ["a", "xoxb-c4n4ry-value-123"],
    "mine": {"deep": {"token": "c4n4ry-value"}}, "rows": [{"secret": "c4n4ry-value"}],
    "pem": "-----BEGIN RSA PRIVATE KEY-----\nc4n4ryvalue",
    "pass_phrase": "c4n4ry-value", "pw": "c4n4ry-value", "creds": "me:c4n4ry-value",
    "login_tok": "c4n4ry-value", "otp": "c4n4ry-value", "Passwort": "c4n4ry-value",
    "contrase\u00f1a": "c4n4ry-value", "contrasen\u0303a": "c4n4ry-value",
    "mot de passe": "c4n4ry-value", "\u043f\u0430\u0440\u043e\u043b\u044c": "c4n4ry-value",
    "auth": "c4n4ry-value", "sid": "c4n4ry-value", "session": "c4n4ry-value",
    "lab": "glpat-c4n4ryvaluec4n4ryvalue", "npm": "npm_c4n4ryvaluec4n4ryvaluec4n4ryvalue12",
    "grid": "SG.c4n4ryvaluec4n4ryvalue.c4n4ryvaluec4n4ryvalue", "vault": "hvs." + "c4n4ry" * 5,
    "shop": "shpat_c4n4ryvaluec4n4ryvalue0", "google": "ya29.c4n4ryvaluec4n4ryvaluec4n4ry",
    "sessionId": "c4n4ry7value", "pin": "c4n4ry7value", "iban_pin": "c4n4ry7value",
    "connection_string": "Server=c4n4ry", "seed_phrase": "c4n4ry apple", "mnemonic": "c4n4ry a b",
    "csrf": "c4n4ry-value", "XSRF": "c4n4ry-value", "recoveryPhrase": "c4n4ry a b",
    "refresh": "1//c4n4ryvalue", "basic": "Basic c4n4ryVmYWx1ZTE=", "held": "Bearer c4n4ry123456",
    "db": "Server=db;User=a;Password=c4n4ry",
    "bot": "123456789:AAc4n4ryvaluec4n4ryvaluec4n4ryvalu1",
    "doppler": "dp.pt.c4n4ryvaluec4n4ryvaluec4n4ry",
    "azure": "DefaultEndpointsProtocol=https;AccountKey=c4n4ryvaluec4n4ryvalue==",
    "otp_code": "c4n4ry7value", "totpSeed": "c4n4ryvalue", "priv_key": "c4n4ryvalue",
    "cvc2": "c4n4ry", "recovery-code": "c4n4ry", "mnemonic_phrase": "c4n4ry apple tree",
    "hmac_signature_key": "c4n4ry", "sessionid": "c4n4ry7value", "zugangscode": "c4n4ry",
    "clave_de_acceso": "c4n4ry", "c\u00f3digo_de_verifica\u00e7\u00e3o": "c4n4ry",
    "\u9a8c\u8bc1\u7801": "c4n4ry", "card_number": "c4n4ry", "lab2": "gldt-c4n4ryvaluec4n4ryvalue",
    "said": "my password is c4n4ry7value", "redis": "redis://:c4n4ry@cache.example",
}  # fmt: skip


@pytest.mark.parametrize("name", every(8, SECRETS))
async def test_a_secret_of_the_context_is_no_argument(name: str) -> None:
    """Whatever a document calls a parameter of its own, and whatever host the user named."""
    leaf = {"mine": "token", "rows": "secret", "credentials": "pass"}.get(name, name)
    schema: JsonObject = {"type": "array"} if name in ("list", "rows") else {"type": "string"}
    asked = weather(parameters=(param(leaf, schema), param(name, {})))
    wire, selection = await selected(asked, {name: SECRETS[name]}, Policy(frozenset({HOST})))
    assert len(wire.sent) == 1
    assert "c4n4ry" not in wire.shown.lower()
    assert "c4n4ry" not in selection.model_dump_json().lower()
    assert any(name in note and "credential" in note for note in selection.notes)


async def test_facts_that_only_sound_like_secrets_are_used() -> None:
    facts: JsonObject = {
        "project_key": "GRETEL", "next_page_token": "abc", "max_tokens": 100, "key": "C major",
        "plan": "basic membership", "commit": "06b0996a" * 5, "keyboard": "qwertz",
        "refreshed": "2026-11-24", "pinned": "yes", "spin": "5", "ratio": "12345:AAA",
        "dp": "dp.pt.1",
        "sessions": "4711", "refresh": "daily", "pin": "red", "said": "bearer of bad news",
        "session": "keynote 2026", "auth": "oauth2", "pass": "Ikon", "sid": 4711, "potok": "Dunaj",
        "package": "npm_config_registry", "sg": "SG.51", "shop": "xapp-store",
        "country_code": "DE49", "sort_key": "created1", "page_token": "c4n4ry7value",
        "account_sid": "AC12345678", "token_count": 12, "mnemonic": "add", "answer_key": "a1b2c3d4",
        "note": "The password must have 12 characters", "tan": "hazel", "password_length": 12,
        "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", "zip_code": "10115",
        "secretary": "Eva", "uses_password": True, "id": "123e4567-e89b-12d3-a456-426614174000",
    }  # fmt: skip
    assert without_secrets(facts) == (facts, ())


@pytest.mark.parametrize(
    "fact",
    [
        {"name": "api_key", "value": "c4n4ry7Value"},
        [{"name": "Authorization", "value": "Bearer c4n4ry7Value"}],
        {"of": [{"key": "client_secret", "val": "c4n4ry7Value"}]},
        {"inner": {"field": "password", "content": "c4n4ry7Value"}},
        [{"label": "wifi password", "value": "c4n4ry7Value"}],
        "curl -u bob:c4n4ry7Value https://a.example",
        "CREATE USER bob IDENTIFIED BY 'c4n4ry7Value'",
        "user,password\nbob,c4n4ry7Value",
        "WIFI:S:home;T:WPA;P:c4n4ry7Value;;",
    ],
)
def test_a_secret_of_the_context_is_named_by_what_stands_beside_it(fact: JsonValue) -> None:
    kept, dropped = without_secrets({"thing": fact})
    assert "c4n4ry" not in str(kept) and dropped


def test_a_pair_that_only_sounds_like_a_secret_is_used() -> None:
    facts: JsonObject = {
        "filter": {"name": "city", "value": "c4n4ry7Value"},
        "sort": [{"key": "token_count", "value": "descending"}, {"name": "password", "value": ""}],
        "said": "run curl -u without a name, then log in",
    }
    assert without_secrets(facts) == (facts, ())


def test_facts_that_are_numbers_are_secrets_by_their_names() -> None:
    known: JsonObject = {"pin": 4711, "cvv": 123, "card": {"otp_code": 482913}}
    assert without_secrets(known) == ({"card": {}}, ("pin", "cvv", "card.otp_code"))


def test_an_answer_to_a_question_about_a_secret_is_no_secret() -> None:
    said: JsonObject = {"password": "yes", "otp": "none", "api_key": "false", "token": ""}
    assert without_secrets(said) == (said, ())


KEY = "sk_live_51HabcdEFGHijklMNOPqrst"


@pytest.mark.parametrize(
    "facts",
    [
        {KEY: "bob"},
        {"owners": {KEY: "bob"}},
        {"owners": [{KEY: None}]},
        {KEY: {"password": "a1b2"}},
    ],
)
def test_a_name_that_is_a_key_is_neither_used_nor_noted(facts: JsonObject) -> None:
    kept, named = without_secrets(facts)
    assert KEY not in repr(kept) and KEY not in repr(named) and named


@pytest.mark.parametrize("content", [[KEY, 7], {"api_key": KEY}, None])
def test_an_entry_that_is_no_message_is_not_repeated(content: JsonValue) -> None:
    """A tool of others may have answered it."""
    with pytest.raises(InputError) as error:
        read_messages([{"role": "tool", "name": KEY, "content": content}])
    assert KEY not in "".join(traceback.format_exception(error.value))
