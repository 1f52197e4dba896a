"""Whatever values and answers are drawn: nothing leaves its place, nothing breaks."""

import json
import unicodedata
from typing import Any
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from fakes import param, tool
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.tool import HttpBinding
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.http.request import build_request
from gretel.sandbox.http.stabletoolbench import read_relayed
from gretel.sandbox.network.origin import parse_server
from gretel.text.foreign import excerpt
from gretel.text.redact import Redactor

SERVER = parse_server("https://api.example.com/v1")
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
NAMES = st.sampled_from(["error", "status", "message", "data", "results", "total", "code", "x"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
ASKED = tool(
    "a.b",
    params=[
        param("id", location="path", required=True),
        param("q"),
        param("X-H", location="header"),
        param("sid", location="cookie"),
    ],
    binding=HttpBinding(method="GET", path="/users/{id}/posts", servers=(str(SERVER),)),
)


@given(st.fixed_dictionaries({"id": VALUES, "q": VALUES, "X-H": VALUES, "sid": VALUES}))
def test_values_stay_in_their_place(values: dict[str, Any]) -> None:
    try:
        request = build_request(ASKED, values, SERVER)
    except ArgumentsError:
        return
    path = request.url.raw_path.decode().partition("?")[0]
    assert str(request.origin) == "https://api.example.com"
    assert path.startswith("/v1/users/") and path.endswith("/posts") and path.count("/") == 4
    assert unquote(path.split("/")[3]) not in {"", ".", ".."}
    assert not request.url.fragment
    assert not any(sign in value for _, value in request.headers for sign in "\r\n\0")


@given(VALUES, st.sampled_from([200, 201, 204, 301, 400, 403, 404, 429, 500, 799]))
def test_every_answer_is_judged(value: Any, status: int) -> None:
    for read in (read_answer, read_relayed):
        answer = read("GET", status, "application/json", json.dumps(value))
        verdict = classify(answer, ASKED, {"id": "42"})
        assert (verdict.status == "succeeded") == (verdict.failure is None)


@given(st.text(max_size=400), st.integers(200, 599))
def test_every_text_is_judged(text: str, status: int) -> None:
    assert classify(read_answer("GET", status, "", text), ASKED, {}).status


@given(st.text(alphabet=st.characters(), max_size=3000), st.text(min_size=4, max_size=20))
def test_every_excerpt_is_clean(text: str, secret: str) -> None:
    with Redactor().during([secret]):
        kept = excerpt(text + secret + text)
    assert len(kept.encode()) <= 2048
    assert not any(unicodedata.category(char) in {"Cf", "Cs", "Co"} for char in kept)
    if not set(secret) & set("[redacted]"):
        assert secret not in kept
