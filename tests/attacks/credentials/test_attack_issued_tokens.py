"""A token that an issuer chose so that other secrets end as it does."""

import httpx
import pytest

from gretel.contracts.tool import SecurityScheme
from gretel.sandbox.network.wire_request import WireRequest
from gretel.sandbox.secrets.attached import with_secrets
from gretel.sandbox.secrets.oauth import Token

OAUTH = SecurityScheme(name="o", kind="oauth2")
KEY = SecurityScheme(name="k", kind="apiKey", location="header", parameter="X-K")
REQUEST = WireRequest("GET", httpx.URL("https://api.example/list"), ())
SECRET, API_KEY, BASIC = "Zx9KqvTrW8mLpB4n", "kEy77QvZ31mnbT4n", "aWQ6Wng5S3F2VHJXOG1McEI0bg=="


@pytest.mark.parametrize("token", ["n", "4n", "=", "abcdefgh-12345"])
def test_secrets_that_end_as_a_token_are_the_users_own(token: str) -> None:
    issued = Token(token, (token, SECRET, BASIC), until=1e9)
    attached = with_secrets(REQUEST, {OAUTH: issued, KEY: API_KEY})

    assert {SECRET, API_KEY, BASIC} <= {*attached.chosen}
    assert {*attached.issued} == {token, f"Bearer {token}"}
    assert {*attached.with_word("token").issued} >= {token, f"Token {token}"}
