"""Secrets that a sign more parts from their names: sections, cells, inner objects, a line's end."""

import pytest

from gretel.text.foreign import both_ends, excerpt
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
        "password:\n  must have eight letters",
        "key:\n  - first\n  - second",
        "<title><![CDATA[The secret garden 2]]></title>",
        "<password><rule>eight letters</rule></password>",
    ],
)
def test_what_stands_there_and_is_none(text: str) -> None:
    assert excerpt(text) == text
