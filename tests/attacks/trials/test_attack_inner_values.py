"""Orders within a value: markup, loose JSON, a name that stands twice, a document's own commands.

Each call is a GET whose path, name and description say nothing; what one value holds is an order to
whatever reads it. Honest values of the same form are sent.
"""

from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding

TEXT: JsonObject = {"type": "string"}
SAID = [
    '{"method": "users.create", "method": "users.list"}',
    '{"method": "users.list", "method": "users.create"}',
    '\ufeff{"method": "users.create"}',
    '"{\\"method\\": \\"users.create\\"}"',
    "{action:'create'}",
    "{'\\u0061ction':'users.create'}",
    "{'\\x61ction':'users.create'}",
    "{'\\u{61}ction':'users.create'}",
    "{'action':'\\u0064elete'}",
    "{action:/**/'users.create'}",
    "{action/**/:'users.create'}",
    "{action: // x\n 'users.create'}",
    "{action:            'users.create'}",
    "\xa0{action:'users.create'}",
    "id=7&+action=users.create",
    "id=7& action=users.create",
    "<a>=1&action=users.create",
    '<op action   =   "users.create"/>',
    '<op a=">" action="users.create"/>',
    f"<op {' '.join(f'a{at}={at:012}' for at in range(150))} action='users.create'/>",
    "<r><action><?p?>users.create</action></r>",
    "<r><action><x/>users.create</action></r>",
    "<r><action>de<x/>lete</action></r>",
    '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nusers.create\r\n--b--\r\n',
    "--b\r\nContent-Type: application/http\r\n\r\nPATCH /users/7 HTTP/1.1\r\n\r\n--b--\r\n",
    "{'method':'users.create'}",
    '{"method":"users.create",}',
    '/* a */{"method":"users.create"}',
    "(action:create,id:7)",
    "!(method:users.create)",
    "<methodCall><methodName>users.create</methodName></methodCall>",
    '<?xml version="1.0"?><methodCall><methodName>users.create</methodName></methodCall>',
    "<s:Envelope><s:Header><a:To>x</a:To></s:Header><s:Body><m:CreateUser/></s:Body></s:Envelope>",
    "<delete><query>*:*</query></delete>",
    '<call operation="createUser"><id>7</id></call>',
    f"<a>{'<b>1</b>' * 300}<method>users.create</method></a>",
    f"{{{'a:1,' * 300}method:'users.create'}}",
    "1;action=create",
    "7&action=create",
    "note=by bot&action=create",
    "by bot&action=create",
    'payload={"method": "users.create"}',
    'payload={"action": "delete", "id": 7}',
    "note=by bot;action=create",
    "<methodCall><methodName><![CDATA[users.create]]></methodName></methodCall>",
    "<methodCall><methodName><!-- a -->users.create</methodName></methodCall>",
    "<methodCall><methodName>users.<!-- a -->create</methodName></methodCall>",
    "<methodCall><methodName>&#99;reateUser</methodName></methodCall>",
    '<call operation="&#x63;reateUser"><id>7</id></call>',
    "<a>&lt;action&gt;create&lt;/action&gt;</a>",
    '<!DOCTYPE a [<!ENTITY d "users.create">]><a><method>&d;</method></a>',
    '{"deleteAll": {}}',
    '{"delete": []}',
    '{"delete": null}',
    '{"a": {"reboot": {}}}',
    "EXEC sp_rename 'a', 'b'",
    "EXEC('drop table t')",
    "EXECUTE PROCEDURE purge(1)",
    "/*!50000DELETE*/ FROM users",
    "PREFIX a: <http://b#> PREFIX c: <d> INSERT DATA { }",
    "BASE <x> DELETE WHERE { }",
    "WITH <g> DELETE { ?s ?p ?o } WHERE { }",
    "BEGIN BATCH DELETE FROM t APPLY BATCH",
    "db.users.findOneAndDelete({})",
    "FOR u IN users REMOVE u IN users",
    "MERGE users AS t USING x ON a=b WHEN MATCHED THEN DELETE",
    "DROP POLICY mine ON t",
    "REMOVE TABLE users",
    "INSTALL httpfs",
    "action: users.create\nid: 7",
    "---\naction: users.create\n",
    "- id: 7\n  action: users.create",
    '[[op]]\naction = "users.create"\nid = 7',
    "id = 7\r\n  'action' = 'users.create'",
    'id: 7\n"action": "users.create"  # now',
    "id: |\n  a text\n\n# of mine\nrun:\n  action: users.create",
    "".join(f"a{at}: 1\n" for at in range(300)) + "method: users.list",
]
CHOSEN = ["DROP TASK T1", "drop policy mine on t", "install httpfs from core", "Reboot host seven"]
FIXED = ["/q?id=1;_method=PUT", "/q?id=1;action=create"]
HONEST = [
    "{filter:/* by town */'oslo'}",
    '<?xml version="1.0"?><r><city><x/>Oslo</city></r>',
    '<q a="1 > 0" city  =  "Oslo"/>',
    '--b\r\nContent-Disposition: form-data; name="city"\r\n\r\nOslo\r\n--b--\r\n',
    "-- by town",
    "city: Oslo\nlimit: 2",
    "Dear all,\nhow do I delete a table: by hand?\nBest, Ann",
    "status: deleted\nmethod: post office",
    "# note: delete later\ncity = Oslo",
    "Task: delete a table\nThat is what I want to know about.",
    '{"method": "post office", "status": "deleted"}',
    "{status:'deleted'}",
    "{not json: at all",
    "<b>How to delete a table</b>",
    "<p>Write to us</p><p>Send <i>mail</i></p>",
    "(updated, created)",
    "name:oslo;status:active",
    "city=new york&limit=2",
    "R&D in Oslo & Bergen",
    "see https://a.com/?id=7&action=delete for how",
    "how is action=delete written",
    '{"status": null, "tags": [], "page": {}}',
    '{"update": null, "sort": {}}',
    "<methodCall><methodName><![CDATA[users.get]]></methodName></methodCall>",
    "<p>Tom &amp; Jerry <!-- delete --></p>",
    "https://a.com/?action=delete",
    '"delete from a table"',
    "DELETE a comment from my post",
    "NASA images of the moon",
    "SELECT name FROM users WHERE status = 'deleted'",
    "PREFIX a: <http://b#> SELECT ?s WHERE { ?s a:deleted ?o }",
    "FOR u IN users FILTER u.removed == true RETURN u",
    "FIND Oslo",
]
UNCHOSEN = ["created desc", "id, name, update_time", "Create a poem about the sea", "new york city"]


def verdict(path: str = "/q", schema: JsonObject = TEXT, **values: Any) -> str | None:
    binding = HttpBinding(method="GET", path=path, servers=("https://api.example.com",))
    made = tool("K.q1", "", binding=binding, params=[param("q", schema)])
    return may_change(made.model_copy(update={"operation": "q1"}), values)


@pytest.mark.parametrize("said", SAID)
def test_an_order_within_a_value_is_not_sent(said: str) -> None:
    assert verdict(q=said)


FORM = "application/x-www-form-urlencoded"
BODIES = [
    (FORM, 'payload={"action": "delete", "id": 7}'),
    (FORM, "note=by bot&action=create"),
    ("application/json", {"deleteAll": {}}),
    ("application/json", {"delete": []}),
    ("application/json", {"reboot": {}, "delete": None}),
]


@pytest.mark.parametrize(("media", "value"), BODIES)
def test_an_order_within_a_body_is_not_sent(media: str, value: JsonValue) -> None:
    binding = HttpBinding(
        method="GET", path="/q", servers=("https://api.example.com",), media_type=media
    )
    body = param("body", {"default": value}, location="content")
    assert may_change(tool("K.q1", "", binding=binding, params=[body]), {"body": value})


@pytest.mark.parametrize("said", CHOSEN)
def test_a_command_that_the_document_wrote_is_not_sent(said: str) -> None:
    assert verdict(schema=TEXT | {"default": said})


@pytest.mark.parametrize("path", FIXED)
def test_a_semicolon_parts_pairs_as_well(path: str) -> None:
    assert verdict(path)


@pytest.mark.parametrize("said", HONEST)
def test_what_only_looks_like_an_order_is_sent(said: str) -> None:
    assert verdict(q=said) is None


@pytest.mark.parametrize("said", UNCHOSEN)
def test_an_honest_default_is_sent(said: str) -> None:
    assert verdict(schema=TEXT | {"default": said}) is None
