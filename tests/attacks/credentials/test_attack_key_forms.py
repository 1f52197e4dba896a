"""A document chooses how a credential is asked for: not who learns it, nor what of it is masked."""

import hashlib
from typing import Any

import httpx
import pytest
from arena import HOST, called

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, SecurityScheme
from gretel.contracts.trial import CallResult
from gretel.sandbox.network.wire_request import WireRequest
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.attached import with_secrets
from gretel.sandbox.secrets.credentials import CredentialResolver
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.oauth import ClientCredentials
from gretel.sandbox.secrets.variables import uses
from growth import CONSTANT, growth
from lanes import every

VARIABLE = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"
CANARY = "canary5f2a91x77Q"
ISSUED = f"client:{CANARY}@https://issuer.example.org/token"
"""Client credentials that the issuer is shown, and the API never."""


def key(place: str, name: str) -> SecurityScheme:
    made = {"name": "k", "kind": "apiKey", "location": place, "parameter": name}
    return SecurityScheme.model_validate(made)


def http(scheme: str) -> SecurityScheme:
    return SecurityScheme(name="k", kind="http", scheme=scheme)


WRITTEN = {
    "as it is documented": ISSUED,
    "in capitals": f"client:{CANARY}@HTTPS://issuer.example.org/token",
    "a blank in the secret": f"client:{CANARY} x@https://issuer.example.org/token",
    "a blank in the name": f"my client:{CANARY}@https://issuer.example.org/token",
    "blanks around": f" client:{CANARY} @ https://issuer.example.org/token ",
}
WRONG = {
    "no name": f"{CANARY}@https://issuer.example.org/token",
    "no host": f"client:{CANARY}@https://",
    "a blank in the URL": f"client:{CANARY}@https://issuer.example.org/token client",
    "no secret": f"{CANARY}:@Http://issuer.example.org/client",
}

ASKS: dict[str, tuple[tuple[SecurityScheme, ...], ...]] = {
    "a key in the query": ((key("query", "q"),),),
    "a key in a header": ((key("header", "X-Key"),),),
    "a key in a cookie": ((key("cookie", "sid"),),),
    "the whole header": ((key("header", "Authorization"),),),
    "bearer": ((http("bearer"),),),
    "basic": ((http("basic"),),),
    "openIdConnect": ((SecurityScheme(name="k", kind="openIdConnect"),),),
    "nothing said": (),
    "two ways": ((http("bearer"),), ()),
}


async def asked(
    security: tuple[tuple[SecurityScheme, ...], ...], resolver: CredentialResolver, says: str = "7"
) -> tuple[str, CallResult]:
    """What was sent to an API that asks for `security`, and what came of its answer."""
    sent: list[httpx.Request] = []

    def wire(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"city": says})

    result = await called(wire, resolver, security)
    return "\n".join(f"{each.url} {each.headers.raw}" for each in sent), result


@pytest.mark.parametrize("name", ASKS)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("written", every(4, [*WRITTEN, *WRONG]))
async def test_a_document_does_not_have_an_oauth_secret_sent_as_a_key(
    name: str, whole: bool, written: str
) -> None:
    variable = f"{VARIABLE}___K" if whole else VARIABLE
    held = (WRITTEN | WRONG)[written]
    shown, _ = await asked(ASKS[name], EnvironmentCredentials({variable: held}))
    assert "client" not in shown and CANARY not in shown
    if ASKS[name]:  # a function of the caller may know one secret for all
        shown, _ = await asked(ASKS[name], lambda origin, scheme: held)
        assert "client" not in shown and CANARY not in shown


OAUTH = SecurityScheme(name="k", kind="oauth2", token_url="/token")


@pytest.mark.parametrize("written", WRONG)
async def test_what_names_an_issuer_and_cannot_be_read_is_shown_to_nobody(written: str) -> None:
    """Neither as a token nor to the API's own issuer, and nothing of it is said."""
    shown, result = await asked(((OAUTH,),), EnvironmentCredentials({VARIABLE: WRONG[written]}))
    assert shown == "" and result.outcome.failure is not None
    assert result.outcome.failure.kind == "missing_credential"
    assert "is not written as id:secret@https://host/token" in result.outcome.failure.detail
    assert CANARY not in result.outcome.model_dump_json()


@pytest.mark.parametrize("written", WRITTEN)
def test_where_tokens_are_issued_is_read_however_it_is_written(written: str) -> None:
    found = ClientCredentials.read(WRITTEN[written])
    assert found is not None and found.client_secret.startswith(CANARY)
    assert found.client_secret.strip() == found.client_secret
    assert (found.token_url or "").lower() == "https://issuer.example.org/token"


def test_what_is_not_sent_is_not_listed_as_sent() -> None:
    binding = HttpBinding(method="GET", path="/x", servers=(f"https://{HOST}",))
    asked, held = tool("a.b", binding=binding), EnvironmentCredentials({VARIABLE: ISSUED})
    assert [*uses([asked], Policy(), held)] == []


@pytest.mark.parametrize("name", ASKS)
@pytest.mark.parametrize("form", ["Token {}", "user:{}", "X-Key: {}", "client:{}"])
async def test_a_part_of_a_credential_is_masked_like_the_whole(name: str, form: str) -> None:
    """A server that splits what it was sent says the half of it that counts."""
    held = EnvironmentCredentials({VARIABLE: form.format(CANARY)})
    shown, result = await asked(ASKS[name], held, says=f"you are {CANARY}")
    assert shown
    kept: list[Any] = [result.outcome.model_dump_json(), result.shown]
    assert "you are" in kept[0] and not any(CANARY in each for each in kept)


@pytest.mark.parametrize("said", ["4711", '{"pin": "4711"}'])
async def test_no_digest_of_an_answer_tells_a_short_secret(said: str) -> None:
    """Who knows the rest of an answer finds ten thousand PINs by its hash."""

    def wire(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text=said)

    found = await called(wire, lambda origin, scheme: "4711", ASKS["a key in a header"])
    plain = await called(wire, lambda origin, scheme: "0815", ASKS["a key in a header"])

    digest = hashlib.sha256(said.encode()).hexdigest()
    assert found.outcome.body_sha256 not in (None, digest)
    assert plain.outcome.body_sha256 == digest


@pytest.mark.parametrize("query", ["/users/find", "x=%FF", "a=1&b=2&a=3", "%61=b"])
def test_a_key_leaves_the_rest_of_its_query_as_it_was_judged(query: str) -> None:
    url = httpx.URL(f"https://{HOST}/x?{query}&k=mine&%6B=mine")
    request = WireRequest("GET", url, ())
    sent = with_secrets(request, {key("query", "k"): "a&b c"}).request
    assert sent.url.query.decode() == f"{query}&k=a%26b%20c"


def test_many_keys_read_a_long_query_once() -> None:
    """Else a document's twenty keys, which one variable fills, would hold the event loop."""
    url = httpx.URL(f"https://{HOST}/x?" + "&".join(["a"] * 7_500))
    keys = [key("query", f"k{number}") for number in range(30)]

    def attach(count: int) -> None:
        with_secrets(WireRequest("GET", url, ()), dict.fromkeys(keys[:count], CANARY))

    assert growth(attach, 20) < CONSTANT


@pytest.mark.parametrize(("headers", "looked_up"), [(20, 20), (21, 0), (1_000, 0)])
def test_a_header_for_each_of_many_keys_is_an_argument(headers: int, looked_up: int) -> None:
    names = [f"X-Api-Key-{at}" for at in range(headers)]
    made = tool("A.find", params=[param(name, required=True, location="header") for name in names])
    assert sum(map(len, made.security)) == len(made.implied_keys) == looked_up
    assert sum(each.required for each in made.fillable) == headers - looked_up
