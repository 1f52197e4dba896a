"""Verbs that stand behind something, or within something: the end of what a GET will send.

A call is refused whatever slash, version or format follows its verb, in whichever of the server's
path, the operation's path, a value or a name it stands. Beside each class are honest calls.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.catalog.effects.urls import verb_of_target
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, SecurityScheme, Tool

API = "https://api.example.com"
TEXT: JsonObject = {"type": "string"}
ID = param("id", TEXT, location="path", required=True)
XML = "<methodCall><methodName>%s</methodName></methodCall>"


def made(
    path: str = "/x",
    params: Sequence[Parameter] = (),
    *,
    server: str = API,
    operation: str = "q1",
    media: str | None = None,
    key: str | None = None,
) -> Tool:
    security = [SecurityScheme(name="k", kind="apiKey", location="query", parameter=key)]
    binding = HttpBinding(
        method="GET",
        path=path,
        servers=(server,),
        media_type=media,
        security=((*security,),) if key else (),
    )
    return tool(f"K.{operation}", "", params=list(params), binding=binding)


def place(value: str, style: str | None = None) -> Parameter:
    """A place of a path for which the document wrote the value."""
    made = param("x", {"enum": [value]}, location="path", required=True)
    return made.model_copy(update={"style": style})


ENDS = {
    "a slash": (made("/posts/{id}/hide/", [ID]), {"id": "7"}),
    "two slashes": (made("/posts/{id}/hide//", [ID]), {"id": "7"}),
    "an encoded slash": (made("/posts/{id}/hide%2F", [ID]), {"id": "7"}),
    "a version": (made("/posts/{id}/hide/v2", [ID]), {"id": "7"}),
    "the server's path": (made("/", server=f"{API}/posts/1/hide"), {}),
    "a value before a format": (
        made("/posts/{id}/{x}.json", [ID, place("hide")]),
        {"id": "7", "x": "hide"},
    ),
    "a value before a slash": (
        made("/posts/{id}/{x}/", [ID, place("hide")]),
        {"id": "7", "x": "hide"},
    ),
    "a value that begins it": (
        made("/posts/{id}/{x}de", [ID, place("hi")]),
        {"id": "7", "x": "hi"},
    ),
    "a route": (made("/x?/posts/1/hide"), {}),
    "a thing before a colon": (made("/v1/posts:hide"), {}),
    "what a server takes for a folder": (made("/posts/{id}/hide/index.php", [ID]), {"id": "7"}),
    "the sign of a style": (made("/posts{x}", [place("hide", style="label")]), {"x": "hide"}),
    "the name of a style": (made("/posts{x}", [place("hide", style="matrix")]), {"x": "hide"}),
    "a choice that is a route": (made("/x", [param("r", {"enum": ["posts/hide"]})]),
                                 {"r": "posts/hide"}),
    "a default that is a route": (made("/x", [param("r", TEXT | {"default": "/posts/hide"})]), {}),
    "a name within a value": (made("/x", [param("f", {"default": {"/posts/hide": ""}})]), {}),
}  # fmt: skip
REHEARSALS = {
    "of a header": (made("/x", [param("X-Dry-Run", TEXT, location="header")]),
                    {"X-Dry-Run": "false"}),
    "called a question": (made("/x", [param("isDryRun", TEXT)]), {"isDryRun": "0"}),
    "within a value": (made("/x", [param("options", {})]), {"options": {"dry_run": False}}),
    "of a default within": (
        made("/x", [param("options", {"properties": {"dryRun": {"default": False}}})]), {}),
    "that the document wrote": (made("/x?dry_run=false"), {}),
}  # fmt: skip
BATCH = "GET /a HTTP/1.1\r\nHost: a.example\r\n\r\nDELETE /users/7 HTTP/1.1\r\n\r\n"
ACTIONS = [
    ("action", "hidePost"),
    ("method", "posts.hide"),
    ("operationName", "HidePost"),
    ("cmd", "fork repo"),
    ("route", "posts/hide"),
    ("q", XML % "posts.hide"),
    ("q", '{"method":"users.hide"}'),
]
WITHIN = [
    "note=by bot&action=create",
    'payload={"method": "users.create"}',
    'payload={"action": "delete", "id": 7}',
    XML % "<![CDATA[users.delete]]>",
    XML % "<!-- a -->users.delete",
    XML % "&#100;eleteUser",
    "SELECT DISTINCT delete_user(5)",
    "SELECT ALL setval('s',1)",
    "SELECT TOP 1 dbo.delete_user(5)",
    "SELECT CASE WHEN 1=1 THEN setval('s',1) END",
    "SELECT ARRAY[setval('s',1)]",
    'SELECT U&"\\0070g_terminate_backend"(1)',
    "/users/delete?_=" + "a" * 90,
    "deleteUser#" + "a" * 90,
    "delete  it",
]
NAMES = ["getAndHidePost", "listAndArchive", "getThenDelete"]
METHODS = [
    ("X-Tunneled-Method", "PATCH"),
    ("X-HTTP-Method-Tunnel", "POST"),
    ("X-RestLi-Method", "partial_update"),
]
HONEST = {
    "a list with a slash": (made("/posts/{id}/comments/", [ID]), {"id": "7"}),
    "a version": (made("/posts/{id}/v2", [ID]), {"id": "7"}),
    "a server's version": (made("/posts", server=f"{API}/api/v1/"), {}),
    "a format": (
        made("/posts/{id}/{x}.json", [ID, place("summary")]),
        {"id": "7", "x": "summary"},
    ),
    "a sentence with a sign": (made("/x", [param("q", TEXT)]), {"q": "price = 5 & colour = red"}),
    "a query": (made("/x", [param("q", TEXT)]), {"q": "SELECT DISTINCT name FROM users"}),
    "an action that reads": (made("/x", [param("action", TEXT)]), {"action": "listPosts"}),
    "a name": (made(operation="getNameAndAddress"), {}),
    "an empty filter": (
        made("/x", [param("body", {}, location="content")], media="application/json"),
        {"body": {"filter": {}, "tags": []}},
    ),
    "a key": (made(key="api_key"), {}),
    "a format behind the sign of a style": (made("/posts{x}", [place("json", style="label")]),
                                            {"x": "json"}),
    "a place of the earth": (made("/x", [param("zone", {"default": "Europe/Oslo"})]), {}),
    "a media type": (made("/x", [param("kind", {"enum": ["application/json"]})]),
                     {"kind": "application/json"}),
    "a rehearsal": (made("/x", [param("options", {})]), {"options": {"dry_run": True}}),
    "fields of an object": (made("/x", [param("f", {})]), {"f": {"city": "Oslo"}}),
}  # fmt: skip


def refused(one: Tool, values: dict[str, Any]) -> str | None:
    """Why a call is kept back; what the person said is the id alone."""
    return may_change(one, values, said={"id"})


@pytest.mark.parametrize("name", ENDS)
def test_a_verb_at_the_end_is_seen_behind(name: str) -> None:
    assert refused(*ENDS[name])


@pytest.mark.parametrize(("name", "said"), ACTIONS)
def test_an_action_of_several_words_is_not_sent(name: str, said: str) -> None:
    assert refused(made("/x", [param(name, {"enum": [said]})]), {name: said})


@pytest.mark.parametrize("said", WITHIN)
def test_an_order_that_something_hides_is_not_sent(said: str) -> None:
    assert refused(made("/x", [param("q", TEXT | {"default": said})]), {"q": said})


@pytest.mark.parametrize("said", [{"deleteAll": {}}, {"delete": []}, {"delete": None}])
def test_a_name_that_holds_nothing_is_an_order_too(said: JsonValue) -> None:
    body = param("body", {"default": said}, location="content")
    assert refused(made("/x", [body], media="application/json"), {"body": said})


@pytest.mark.parametrize("name", REHEARSALS)
def test_a_rehearsal_that_is_off_is_seen_wherever_it_stands(name: str) -> None:
    assert refused(*REHEARSALS[name])


@pytest.mark.parametrize("media", ["text/plain", "application/http", "application/json"])
def test_a_request_behind_another_in_a_body_is_not_sent(media: str) -> None:
    """A server that leaves the bodies of GETs unread takes what stands there for the next one."""
    body = param("body", {"default": BATCH}, location="content")
    assert refused(made("/x", [body], media=media), {"body": BATCH})


@pytest.mark.parametrize("style", ["deepObject", "form"])
def test_a_list_that_is_sent_as_one_text_is_judged_as_one(style: str) -> None:
    words: JsonValue = ["SELECT 1", "pg_reload_conf()"]
    each = param("q", {"type": "array", "default": words})
    each = each.model_copy(update={"style": style, "explode": False})
    assert refused(made("/x", [each]), {"q": words})


@pytest.mark.parametrize(
    "said", ["GRANT ALL ON t TO bob", "EXEC sp_rename 'a', 'b'", "COPY t FROM PROGRAM 'x'"]
)
def test_a_list_is_judged_as_it_is_sent(said: str) -> None:
    words: JsonValue = [*said.split()]
    each = param("q", {"type": "array", "default": words})
    each = each.model_copy(update={"style": "spaceDelimited", "explode": False})
    assert refused(made("/x", [each]), {"q": words})


@pytest.mark.parametrize("key", ["reboot", "logout", "shutdown"])
def test_the_name_of_a_key_switches_nothing_on(key: str) -> None:
    assert refused(made(key=key), {})


@pytest.mark.parametrize("operation", NAMES)
def test_a_verb_behind_and_or_then_counts(operation: str) -> None:
    assert refused(made(operation=operation), {})


@pytest.mark.parametrize(("name", "said"), METHODS)
def test_another_method_is_named_by_no_header(name: str, said: str) -> None:
    header = param(name, {"enum": [said]}, location="header")
    assert refused(made("/x", [header]), {name: said})


@pytest.mark.parametrize(
    ("path", "changes"),
    [("/posts/5/hide", True), ("/nodes/5/drain/", True), ("/oauth/token", False),
     ("/oauth2/authorize", False), ("/api/v1/auth/token/", False)],
)  # fmt: skip
def test_a_token_is_fetched_where_nothing_else_is_done(path: str, changes: bool) -> None:
    assert (verb_of_target(path) is not None) == changes


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_call_is_sent(name: str) -> None:
    assert refused(*HONEST[name]) is None
