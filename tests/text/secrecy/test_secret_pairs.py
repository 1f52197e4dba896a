"""A secret is masked beside its name in every form of data, and what is none is left as it is."""

import json
import re
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gretel.text.foreign import both_ends, excerpt
from gretel.text.redact import names_a_secret, redacted
from gretel.text.secrecy import pairs
from gretel.text.secret_shapes import MASK
from gretel.text.words import word_set
from growth import LINEAR, growth
from lanes import every

FORMS = {
    "JSON": '{{"user": "ann", "{name}": "{value}", "n": 1}}',
    "JSON in JSON": '{{"said": "{{\\"{name}\\": \\"{value}\\"}}"}}',
    "Python": "{{'user': 'ann', '{name}': '{value}'}}",
    "Ruby": "{{:user => 'ann', '{name}' => '{value}'}}",
    "a query": "https://a.example/x?user=ann&{name}={value}&page=2",
    "a fragment": "https://a.example/x#{name}={value}",
    "an escaped query": "next=%2Fx%3F{name}%3D{value}",
    "escaped JSON": "?x=%7B%22{name}%22%3A%22{value}%22%7D",
    "a setting": "[main]\nuser = ann\n{name} = {value}\n",
    "a shell": "export {name}='{value}'",
    "a connection": "Server=db;User Id=ann;{name}={value};",
    "YAML": "db:\n  user: ann\n  {name}: {value}\n",
    "a block of YAML": "{name}: |\n  {value}\n",
    "pairs in YAML": "- name: {name}\n  value: {value}\n",
    "pairs in JSON": '[{{"key": "{name}", "value": "{value}"}}]',
    "pairs turned round": '[{{"value": "{value}", "name": "{name}"}}]',
    "an element": "<{name}>{value}</{name}>",
    "an element with attributes": '<x:{name} kind="text">{value}</x:{name}>',
    "an attribute": '<user login="ann" {name}="{value}"/>',
    "an input": '<input type="hidden" name="{name}" value="{value}">',
    "an input turned round": '<input value="{value}" name="{name}"/>',
    "a property": '<property name="{name}">{value}</property>',
    "a header": "{name}: {value}",
    "a flag": "tool --{name} {value} --user ann",
    "a flag with a sign": "tool --{name}={value}",
    "a part of a form": 'form-data; name="{name}"\r\n\r\n{value}\r\n',
    "an item": "os.environ['{name}'] = '{value}'",
    "a keyword": 'connect(user="ann", {name}="{value}")',
    "a row": "| {name} | {value} |",
    "a column": "user,{name}\nann,{value}\n",
    "a form with brackets": "user[{name}]={value}&user[name]=ann",
    "emphasis": "**{name}:** {value}",
    "code": "`{name}`: `{value}`",
    "a list": '{{"{name}": ["{value}"]}}',
}
NAMES = ["totp_seed", "recoveryCode", "x-api-key", "wachtwoord", "zugangscode", "privKey", "cvc2"]
OTHERS = ["country_code", "sortKey", "x-request-id", "trefwoord", "page_token", "passenger"]
VALUE = "q7Zk-92mTw"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", every(3, FORMS))
def test_a_secret_beside_its_name(form: str, name: str) -> None:
    seen = excerpt(FORMS[form].format(name=name, value=VALUE))
    assert VALUE not in seen and MASK in seen


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("form", every(3, FORMS))
def test_what_has_another_name(form: str, name: str) -> None:
    text = FORMS[form].format(name=name, value=VALUE)
    assert excerpt(text) == text.replace("\r\n", "\n")


@pytest.mark.parametrize(
    "said",
    [
        *(
            "required",
            "missing",
            "null",
            "true",
            "***",
            "<password>",
            "{{password}}",
            "${PASSWORD}",
        ),
        *("This field is required.", "must be at least 12 characters long", "falsch", "无"),
    ],
)
@pytest.mark.parametrize("form", ["JSON", "an element", "a header", "a column", "a list"])
def test_what_is_said_of_a_secret(form: str, said: str) -> None:
    text = FORMS[form].format(name="password", value=said)
    assert excerpt(text) == text


@pytest.mark.parametrize(
    "value", ["x9f3kq", "$ecret99", "-9fk3qz", "_9fk3qz", ".9fk3qz", "{9fk3qz"]
)
def test_a_secret_that_begins_like_what_stands_in_its_place(value: str) -> None:
    assert value not in excerpt(json.dumps({"password": value}))


def test_a_text_that_holds_data_is_read_within() -> None:
    inner = json.dumps({"shown": False, "iframe_token": VALUE})
    for text in (json.dumps({"page": inner}), json.dumps({"a": json.dumps({"b": inner})})):
        assert VALUE not in excerpt(text)


def test_a_token_is_long_and_a_code_may_be_short() -> None:
    assert excerpt('{"token": "WETH", "otp": "4471"}') == f'{{"token": "WETH", "otp": "{MASK}"}}'


def test_codes_of_a_list_are_masked_one_by_one() -> None:
    assert excerpt('{"recovery_codes": ["1231-4451", "8821-0912"]}') == (
        f'{{"recovery_codes": ["{MASK}", "{MASK}"]}}'
    )
    assert excerpt("Backup codes:\n- 1231-4451\n- 8821-0912\n") == (
        f"Backup codes:\n- {MASK}\n- {MASK}\n"
    )


@pytest.mark.parametrize(
    "call",
    ["getenv('DB_PASSWORD', 'no default 1')", "find_token('a1b2c3d4')", "f(sort_key='a1b2c3')"],
)
def test_a_name_that_is_handed_to_a_function(call: str) -> None:
    assert redacted(call, was_cut=False) == call


@pytest.mark.parametrize("change", [str.upper, escape, quote])
def test_a_fact_that_holds_a_pair(change: object) -> None:
    assert callable(change)
    assert names_a_secret(change(f"db=1;password={VALUE}"))
    assert not names_a_secret(change(f"db=1;sort={VALUE}"))


ASSIGNED = re.compile(
    r"(?:(?<![^\s?&;,|(\"'`#])|(?<=%3[BFbf])|(?<=%26))(?P<name>[^\W\d_][\w.\[\]-]{0,60})"
    r"(?:\s{0,3}=>?\s{0,3}(?!=)|(?P<code>%3[Dd]))"
    r"(?P<value>(?(code)(?:[^&\s\"'<>;,%]|%(?!2[026]|3[Bb]))|[^&\s\"'<>;,]){1,4000})"
)
"""Names with their values as one pattern, which reads a value again for each name within it."""
SIGNS = st.sampled_from(
    sorted(
        word_set("a key token password = => == %3D %3d %26 %3B %20 %41 ? & ; , | ( () # $x é [0]")
    )
    + ["'", "<", ">"]
    + [" ", "    ", "\n", '"', "hunter2", "sk-9fA3kd02ls9", "https://h/", "x" * 3_990, "y" * 20]
)


@given(st.lists(SIGNS, max_size=30).map("".join))
def test_a_value_behind_a_sign_is_masked_as_by_one_pattern(text: str) -> None:
    pieces, done, pair = [], 0, ASSIGNED.search(text)
    while pair:
        start, end = pair.span("value")
        if pairs._assigned(pair["name"], pair["value"]):
            pieces += [text[done:start], MASK]
            start = done = end
        pair = ASSIGNED.search(text, start)
    assert next(iter(pairs._assignments()))(text) == "".join([*pieces, text[done:]])


@pytest.mark.parametrize("unit", ["?a=b", "?key=b", "?key=()", "?key%3D"])
def test_names_in_one_value_do_not_read_it_again(unit: str) -> None:
    assert growth(lambda size: both_ends(unit * size), 10_000) < LINEAR
