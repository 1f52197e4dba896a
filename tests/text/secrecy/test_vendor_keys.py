"""Keys under the name of a vendor that nobody knows, and secrets in the path of a URL."""

import pytest

from gretel.sandbox.secrets.looks import without_secrets
from gretel.text.foreign import excerpt
from gretel.text.secret_shapes import MASK

DRAWN = "Zx9KqvTr8Lm5Pd2Qw7Bn"
DIGEST = "0123456789abcdef0123456789abcdef"
NAMES = ["acme_key", "acmeKey", "X-Acme-Key", "ACME_KEY", "tmdb_key", "stripe_sk", "x-acme-auth"]
FORMS = [
    '{{"{name}": "{value}"}}',
    "the call failed with {name}={value}&page=2",
    "{name}: {value}",
    "https://api.example.com/{name}/{value}/items",
    "Your {name} is {value}.",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_key_of_a_vendor_is_masked_by_its_shape(name: str, form: str) -> None:
    for value in (DRAWN, DIGEST):
        said = excerpt(form.format(name=name, value=value))
        assert value not in said and MASK in said


@pytest.mark.parametrize("name", NAMES)
def test_a_fact_that_is_a_vendors_key_is_left_out(name: str) -> None:
    assert without_secrets({name: DRAWN, "city": "Oslo"}) == ({"city": "Oslo"}, (name,))


@pytest.mark.parametrize("value", ["created_at", "PROJ-123", "uploads/2024/a.png", "42", "en-US"])
@pytest.mark.parametrize("name", ["acme_key", "weather_key", "jira_key", "s3_key"])
def test_what_no_machine_drew_stays(name: str, value: str) -> None:
    said = f'{{"{name}": "{value}"}}'
    assert excerpt(said) == said
    assert without_secrets({name: value}) == ({name: value}, ())


@pytest.mark.parametrize(
    "name",
    ["sort_key", "cache_key", "partitionKey", "object_key", "row_key", "publicKey", "issue_key"],
)
def test_a_key_of_data_stays(name: str) -> None:
    said = f'{{"{name}": "{DRAWN}", "next": "{DIGEST}"}}'
    assert excerpt(said) == said


PATHS = [
    "https://api.telegram.org/{bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11}/getMe",
    "GET /{services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX} failed",
    "https://a.webhook.office.com/webhookb2/9e8d7c6b@1/IncomingWebhook/{" + DIGEST + "}/x",
    "https://discord.com/api/webhooks/7/{" + DRAWN * 2 + "}",
    "https://{hook.eu1.make.com/abcdefghij1234567890klmnopqrst}",
    "https://{hooks.zapier.com/hooks/catch/1234567/abc1234}/",
    "https://example.com/reset-password/{" + DRAWN + "}?lang=en",
    "https://example.com/invite/{" + DRAWN + "}",
    "no answer of https://example.com/v1/token/{" + DRAWN + "}/me",
    "https:\\/\\/hooks.slack.com\\/{services\\/T00000000\\/B00000000\\/" + DRAWN + "}",
    "https%3A%2F%2Fexample.com%2Finvite%2F{" + DRAWN + "}",
    "The link is https://example.com/invite/{" + DRAWN + "}.",
    "https://open.feishu.cn/open-apis{/bot/v2/hook/12345678-1234-1234-1234-1234567890ab}",
    "https://qyapi.weixin.qq.com/cgi-bin/{webhook/send?key=693a91f6-7acc-4bc4-97a0-0ec2fa5aaaaa}",
    "https://cdn.example.com/exp=1700000000~acl=/*{~hmac=" + DIGEST + "}/video.m3u8",
    "https://res.cloudinary.com/demo/image/upload{/s--6mOzZcJ7--/}sample.jpg",
]


@pytest.mark.parametrize("url", PATHS)
def test_a_secret_in_a_path_is_masked(url: str) -> None:
    start, _, rest = url.partition("{")
    secret, _, end = rest.partition("}")
    assert excerpt(start + secret + end) == start + MASK + end


@pytest.mark.parametrize(
    "url",
    [
        f"https://example.com/v1/users/{DRAWN}/posts",
        f"https://example.com/commit/{DIGEST}",
        "https://example.com/hooks/0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B",
        "https://example.com/api/v1/password/reset",
        "https://example.com/webhooks/123e4567-e89b-12d3-a456-426614174000/deliveries",
        "https://example.com/keys/list-of-all-keys-2024",
        "https://example.com/bots/12345:names",
        "https://hooks.example.com/deliveries/list",
        "https://example.com/services/Transport/Bus/timetable",
    ],
)
def test_an_id_in_a_path_stays(url: str) -> None:
    assert excerpt(url) == url
