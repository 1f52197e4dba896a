"""A document chooses how a credential is asked for: not who learns it, nor what of it is masked."""

from typing import Any

import httpx
import pytest
from arena import HOST, called

from fakes import tool
from gretel.contracts.tool import HttpBinding, SecurityScheme
from gretel.contracts.trial import CallResult
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import CredentialResolver
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.variables import uses

VARIABLE = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"
CANARY = "canary5f2a91x77Q"
ISSUED = f"client:{CANARY}@https://issuer.example.org/token"
"""Client credentials that the issuer is shown, and the API never."""


def key(place: str, name: str) -> SecurityScheme:
    made = {"name": "k", "kind": "apiKey", "location": place, "parameter": name}
    return SecurityScheme.model_validate(made)


def http(scheme: str) -> SecurityScheme:
    return SecurityScheme(name="k", kind="http", scheme=scheme)


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
async def test_a_document_does_not_have_an_oauth_secret_sent_as_a_key(
    name: str, whole: bool
) -> None:
    variable = f"{VARIABLE}___K" if whole else VARIABLE
    shown, _ = await asked(ASKS[name], EnvironmentCredentials({variable: ISSUED}))
    assert "client" not in shown
    if ASKS[name]:  # a function of the caller may know one secret for all
        shown, _ = await asked(ASKS[name], lambda origin, scheme: ISSUED)
        assert "client" not in shown


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
