"""Secrets that a sign more parts from their names: sections, cells, inner objects, a line's end."""

import pytest

from gretel.text.foreign import both_ends, excerpt, foreign
from gretel.text.secret_shapes import MASK

SECRET = "hunter2x9Q"


@pytest.mark.parametrize(
    "text",
    [
        "<c><password><![CDATA[{}]]></password></c>",
        "<a:apiKey><![CDATA[{}]]></a:apiKey>",
        "<password><!-- of bob -->{}</password>",
        "<password>\n  <value>{}</value>\n</password>",
        "<tr><td>Password</td><td>{}</td></tr>",
        '<tr><th scope="row">API key</th>\n  <td class="v">{}</td></tr>',
        "<dl><dt>Password</dt><dd>{}</dd></dl>",
        "<b>Password:</b> {}<br>",
        "<label>Password</label> <span>{}</span>",
        "<li><strong>Password</strong>: <code>{}</code></li>",
        '{{"password": {{"type": "plain", "value": "{}"}}}}',
        '{{\n  "apiKey": {{\n    "raw": "{}"\n  }}\n}}',
        '{{"passwords": [{{"value": "{}"}}]}}',
        "password:\n  {}\nport: 5",
        "apiKey: |2-\n  {}\n",
        '{{"p\u0430ssword": "{}"}}',
    ],
)
def test_a_sign_more_between_a_name_and_its_secret(text: str) -> None:
    said = text.format(SECRET)
    for read in (excerpt, both_ends):
        assert SECRET not in read(said) and MASK in read(said)


@pytest.mark.parametrize(
    "text",
    [
        "<tr><td>Password</td><td>Required</td></tr>",
        "<tr><td>City</td><td>Oslo 0150</td></tr>",
        "<dt>Token</dt><dd>of the German language</dd>",
        "<b>Keys:</b> A-Z, 0-9<br>",
        '{"password": {"type": "string", "minLength": "8"}}',
        '{"keyboard": {"value": "qwerty1"}}',
        '{"token": {"symbol": "USDC", "value": "1000000.5"}}',
        "password:\n  must have eight letters",
        "key:\n  - first\n  - second",
        "<title><![CDATA[The secret garden 2]]></title>",
        "<password><rule>eight letters</rule></password>",
    ],
)
def test_what_stands_there_and_is_none(text: str) -> None:
    assert excerpt(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "say password:{} now",
        "http GET x.example.com X-Api-Key:{}",
        "curl -HX-Api-Key:{} x",
        "the user's password: !!str {}",
        "we have password: &p {}",
    ],
)
def test_nothing_but_a_colon_and_a_tag(text: str) -> None:
    assert foreign(text.format(SECRET), 200) == text.format(MASK)


@pytest.mark.parametrize(
    "text",
    [
        "the token:ERC20 of a chain",
        "pull docker.io/secret:v2.10.3",
        "see key:value1 and password:required",
        "at 10:30:45 the session:open began",
        "token:https://a.example.com/v1",
        "mailto:password@example2.com",
    ],
)
def test_nothing_but_a_colon_before_what_is_none(text: str) -> None:
    assert foreign(text, 200) == text
