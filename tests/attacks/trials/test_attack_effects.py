"""What a GET will send is judged, not its template: filled paths, queries, headers, servers.

Each operation is a GET (or HEAD, or OPTIONS) whose name, path template and description say nothing;
what the document lets stand in them says that something is changed. None may be sent.
"""

from typing import Any, NamedTuple

import pytest
from arena import BUDGET, Arena, LyingNames

from fakes import param, plan, tool
from gretel.catalog import Catalog
from gretel.catalog.effects.changes import may_change
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Location, Parameter, SecurityScheme, Tool
from gretel.contracts.trial import Argument, CallPlan, Outcome
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer
from lanes import every


class Call(NamedTuple):
    """One call: the path of its operation, its parameters, and the values that are sent."""

    path: str
    parameters: tuple[Parameter, ...] = ()
    values: JsonObject = {}
    method: str = "GET"


def at(
    name: str,
    value: JsonValue = None,
    place: Location = "query",
    *,
    schema: JsonObject | None = None,
    **more: Any,
) -> tuple[Parameter, JsonValue]:
    """A parameter whose document leaves one value, and that value."""
    made = param(name, schema or {"enum": [value]}, location=place, required=place == "path")
    return made.model_copy(update=more), value


def call(path: str, *filled: tuple[Parameter, JsonValue], method: str = "GET") -> Call:
    values = {each.name: value for each, value in filled if value is not None}
    return Call(path, tuple(each for each, _ in filled), values, method)


def path(name: str, value: JsonValue, schema: JsonObject | None = None, **more: Any) -> Any:
    return at(name, value, "path", schema=schema, **more)


ID = path("id", "7", {"type": "string"})
TEXT: JsonObject = {"type": "string"}
PATHS = {
    "enum": call("/users/{id}/{x}", ID, path("x", "delete")),
    "one of an enum": call("/u/{id}/{x}", ID, path("x", "purge", {"enum": ["show", "purge"]})),
    "const": call("/users/{id}/{x}", ID, path("x", "remove", {"const": "remove"})),
    "default": call("/users/{id}/{x}", ID, path("x", "logout", TEXT | {"default": "logout"})),
    "example": call("/m/{id}/{x}", ID, path("x", "send", TEXT, examples=("send",))),
    "schema example": call("/m/{id}/{x}", ID, path("x", "send", TEXT | {"example": "send"})),
    "pattern": call("/u/{id}/{x}", ID, path("x", "erase", TEXT | {"pattern": "^(erase|wipe)$"})),
    "sentence": call("/u/{id}/{x}", ID, path("x", "cancel", TEXT, description="list or cancel")),
    "choice of two": call("/u/{x}", path("x", "wipe", {"anyOf": [{"const": "wipe"}, TEXT]})),
    "first place": call("/{x}/users/{id}", path("x", "delete"), ID),
    "split": call("/users/{a}{b}", path("a", "de"), path("b", "lete")),
    "split by a dash": call("/users/{a}-{b}", path("a", "de"), path("b", "lete")),
    "split by slashes": call("/users/{a}/{b}/{id}", path("a", "de"), path("b", "lete"), ID),
    "split by slashes of the path": call("/users/{id}/er/ase", ID),
    "letter by letter": call("/users/{id}/d/e/l/{x}/t/e", ID, path("x", "e")),
    "ends a word": call("/users/{id}/de{x}", ID, path("x", "lete")),
    "begins a word": call("/users/{id}/{x}User", ID, path("x", "delete")),
    "verb and thing": call("/{x}/{id}", path("x", "bulkDeleteUsers"), ID),
    "short": call("/users/{id}/{x}", ID, path("x", "rm")),
    "short and thing": call("/x/{x}/{id}", path("x", "user_del"), ID),
    "mixed case": call("/users/{id}/{x}", ID, path("x", "dElEtE")),
    "mixed case with a thing": call("/users/{id}/{x}", ID, path("x", "dElEtEuSeR")),
    "percent-encoded": call("/users/{id}/{x}", ID, path("x", "%64elete")),
    "look-alikes": call("/users/{id}/{x}", ID, path("x", "d\u0435lete")),
    "a letter with a stroke": call("/users/{id}/{x}", ID, path("x", "\u0111elete")),
    "a letter with a hook": call("/users/{id}/{x}", ID, path("x", "\u0257elete")),
    "a letter of Armenian": call("/users/{id}/{x}", ID, path("x", "rem\u0585ve")),
    "letters of Lisu": call("/users/{id}/{x}", ID, path("x", "\ua4d3\ua4f0\ua4e1\ua4f0te")),
    "matrix": call("/users/{id}{x}", ID, path("x", "delete", style="matrix")),
    "label": call("/users/{id}{x}", ID, path("x", "delete", style="label")),
    "list": call("/users/{x}", path("x", ["7", "delete"], {"items": {"enum": ["7", "delete"]}})),
    "object": call("/users/{x}", path("x", {"delete": "7"}, {"properties": {"delete": {}}})),
    "ending": call("/users/{x}.pl", path("x", "remove")),
    "in front of a choice": call("/createFoo/{x}", path("x", "en")),
    "in front of a word": call("/createFoo/{x}", path("x", "en", TEXT)),
    "alone": call("/cache/{x}", path("x", "flush")),
    "HEAD": call("/users/{id}/{x}", ID, path("x", "delete"), method="HEAD"),
    "OPTIONS": call("/users/{id}/{x}", ID, path("x", "delete"), method="OPTIONS"),
}
NAMED = at("x", "hide", "path")
ENDS = {
    "a slash": call("/posts/{id}/hide/", ID),
    "two slashes": call("/posts/{id}/hide//", ID),
    "a slash that is encoded": call("/posts/{id}/hide%2F", ID),
    "a version": call("/posts/{id}/hide/v2", ID),
    "a listed verb and a version": call("/users/{id}/block/v2.1", ID),
    "a format": call("/posts/{id}/hide/json", ID),
    "a format of a choice": call("/posts/{id}/hide/{format}", ID, path("format", "json")),
    "a format of any name": call("/posts/{id}/hide/{z}", ID, path("z", "json")),
    "a value and an ending": call("/posts/{id}/{x}.json", ID, NAMED),
    "a value and a slash": call("/posts/{id}/{x}/", ID, NAMED),
    "a value and a format": call("/posts/{id}/{x}/{z}", ID, NAMED, path("z", "json")),
    "a value and text": call("/posts/{id}/{x}de", ID, path("x", "hi")),
    "a noun as well, in a value": call("/repos/{id}/{x}/", ID, path("x", "merge")),
    "a value with a slash": call("/posts/{id}/{x}", ID, path("x", "hide/")),
    "a value that is a route": call("/{x}", path("x", "posts/7/hide/v2")),
    "a route alone": call("/x?/posts/1/hide"),
    "a route alone, with a slash": call("/x?/posts/1/hide/"),
    "a route with a name": call("/x?r=posts/hide"),
}  # fmt: skip
"""What stands behind the verb that a path ends with, and leaves the place the same."""
NAMES = {
    "spelt apart": call("/users/{id}/de-lete", ID),
    "backwards": call("/x/userdelete/{id}", ID),
    "of a cluster": call("/nodes/{id}/cordon", ID),
    "cut off": call("/counters/incr"),
    "of images": call("/images/prune"),
    "led to": call("/x/apideleteuser/{id}", ID),
    "short beside a thing": call("/x/order_rm/{id}", ID),
    "short before a thing": call("/x/rmOrder/{id}/ok", ID),
    "mixed case": call("/x/dElEtEuSeR/{id}", ID),
    "up": call("/posts/{id}/upvote", ID),
    "down": call("/posts/{id}/downvote", ID),
    "behind a dot": call("/x/chat.postMessage"),
    "a hook": call("/hooks/trigger-deploy"),
}
QUERIES = {
    "operationName": call("/q", at("operationName", "deleteUser")),
    "said freely": call("/q", at("operationName", "deleteUser", schema=TEXT)),
    "actionType": call("/q", at("action_type", "delete", schema=TEXT)),
    **{
        f"switch {name}": call("/q", at(name, True))
        for name in (
            "factoryReset",
            "place_order",
            "emptyTrash",
            "x_transfer_money",
            "restartServer",
            "unlockDoor",
            "submitOrder",
            "confirm_create_user",
        )
    },
    "a noun as an action": call("/q", at("action", "deletion")),
    "thing and noun": call("/q", at("perform", "user-removal", schema=TEXT)),
    "in progress": call("/q", at("do", "purging")),
    "a command in a script": call("/q", at("lua", "return redis.call('del', 'x')")),
    "plural": call("/q", at("actions[]", "delete", schema=TEXT)),
    "of a node": call("/q", at("method", "eth_sendRawTransaction", schema=TEXT)),
    "a noun as an order": call("/q", at("action", "trash", schema=TEXT)),
    "a noun of a verb": call("/q", at("action", "user_removal", schema=TEXT)),
    "a noun of a verb, of what": call("/q", at("op", "DeletionOfUser", schema=TEXT)),
    "verb and thing": call("/q", at("action", "hidePost", schema=TEXT)),
    "behind a dot": call("/q", at("method", "posts.hide", schema=TEXT)),
    "a noun elsewhere, behind a dot": call("/q", at("method", "account.close", schema=TEXT)),
    "behind a dot, with a version": call("/q", at("method", "posts.hide.v2", schema=TEXT)),
    "a noun behind a dot": call("/q", at("action", "nodes.drain", schema=TEXT)),
    "of GraphQL": call("/q", at("operationName", "HidePost", schema=TEXT)),
    "two words of a command": call("/q", at("cmd", "fork repo", schema=TEXT)),
    "a command behind another": call("/q", at("cmd", "ls; hide post", schema=TEXT)),
    "a route to a verb": call("/q", at("route", "posts/hide", schema=TEXT)),
    "a mode with a thing": call("/q", at("mode", "hidePost", schema=TEXT)),
    "XML-RPC": call(
        "/q", at("q", "<methodCall><methodName>posts.hide</methodName></methodCall>", schema=TEXT)
    ),
    "JSON-RPC, any verb": call("/q", at("q", '{"method": "users.hide"}', schema=TEXT)),
    "a long word": call("/q", at("x", f"/users/delete?_={'a' * 90}")),
    "a long word behind a sign": call("/q", at("x", f"deleteUser#{'a' * 90}")),
    "two blanks": call("/q", at("x", "delete  it")),
    "words, blank by blank": call(
        "/q", at("q", ["GRANT", "ALL", "ON", "t TO bob"], style="spaceDelimited", schema={})
    ),
    "words, comma by comma": call(
        "/q", at("q", ["SELECT 1", "pg_reload_conf()"], explode=False, schema={})
    ),
    "words, pipe by pipe": call(
        "/q", at("q", ["SELECT 1", "pg_reload_conf()"], style="pipeDelimited", schema={})
    ),
    "names and words": call(
        "/q", at("q", {"GRANT": "ALL", "ON": "t", "TO": "bob"}, style="spaceDelimited", schema={})
    ),
    "words of a header": call(
        "/q", at("X-Q", ["SELECT 1", "pg_reload_conf()"], "header", schema={})
    ),
    "SOAPAction": call("/q", at("SOAPAction", "urn:DeleteUser", "header")),
    "soapaction": call("/q", at("soapaction", "urn:DeleteUser", "header", schema=TEXT)),
    "route": call("/q", at("route", "user/delete", schema=TEXT)),
    "button": call("/q", at("btn", "Delete", schema=TEXT)),
    "any name": call("/q", at("x", "delete")),
    "any name, of several": call("/q", at("x", "delete", schema={"enum": ["list", "delete"]})),
    "a filter with one choice": call("/q", at("type", "delete")),
    "a header": call("/q", at("X-What", "deleteUser", "header")),
    "a cookie": call("/q", at("what", "purge", "cookie")),
    "left-out default": call("/q", at("action", schema=TEXT | {"default": "delete"})),
    "left-out default of any name": call("/q", at("x", schema=TEXT | {"default": "delete"})),
    "fixed": call("/q?x=delete"),
    "percent-encoded": call("/q", at("action", "%64elete", schema=TEXT)),
    "twice encoded": call("/q", at("action", "%2564elete", schema=TEXT)),
    "several words": call("/q", at("cmd", "then delete it", schema=TEXT)),
    "shell": call("/q", at("cmd", "rm -rf /", schema=TEXT)),
    "shell, behind another command": call("/q", at("cmd", "cat x; rm -rf /", schema=TEXT)),
    "shell, in a pipe": call("/q", at("command", "ls | grep x && rm x", schema=TEXT)),
    "shell, as another user": call("/q", at("cmd", "sudo rm -rf /", schema=TEXT)),
    "JSON-RPC": call("/q", at("request", '{"method": "users.delete", "id": 1}', schema=TEXT)),
    "JSON in JSON": call("/q", at("r", '{"a": "{\\"_method\\": \\"DELETE\\"}"}', schema=TEXT)),
    "a form in a value": call("/q", at("data", "id=7&action=delete", schema=TEXT)),
    "stops": call("/q", at("action", "stop", schema=TEXT)),
    "what is to go": call("/q", at("deleteUser", "x7", schema=TEXT)),
    "the id of what is to go": call("/q", at("purge_ids[]", "x7", schema=TEXT)),
    "an x before": call("/q", at("X-Delete", "true", "header", schema=TEXT)),
    "a number behind": call("/q", at("action2", "delete", schema=TEXT)),
    "a name that is encoded": call("/q", at("%5Fmethod", "DELETE", schema=TEXT)),
    "turns off": call("/q", at("power", "off", schema=TEXT)),
    "sends": call("/q", at("send_email", "true", schema=TEXT)),
    "X-Amz-Target": call("/q", at("X-Amz-Target", "D_1.DeleteItem", "header", schema=TEXT)),
    "two words": call("/q", at("x", "Log out")),
    "a short switch": call("/q", at("rm", "true", schema=TEXT)),
    "a rehearsal that is left out": call("/tidy", at("dry_run", schema={"default": False})),
    "a switch that is a noun as well": call(
        "/changes", at("commit", True, schema={"default": True})
    ),
    "what is to leave": call("/cart", at("remove", "7", schema=TEXT)),
    "a job to end": call("/jobs", at("kill", "4711", schema=TEXT)),
    "such a switch of a key": call("/keys/{id}", ID, at("rotate", "1", schema=TEXT)),
    "a rehearsal switched off": call("/tidy", at("dryRun", "false", schema=TEXT)),
    "a rehearsal of another in its name": call(
        "/tidy",
        at("dryRun", "true", "header", schema=TEXT),
        at("dryRun_query", False, schema={"type": "boolean"}, wire_name="dryRun"),
    ),
    "nothing but a check": call("/tidy", at("validateOnly", schema=TEXT)),
    "what if not": call("/tidy", at("what-if", False, schema={"type": "boolean"})),
    "a hook of a choice": call("/hooks/{x}", path("x", "trigger-deploy")),
    "a verb": call("/q", at("_verb", "DELETE", schema=TEXT)),
    "a flag": call("/a?logout"),
    "a place of a server's own": call("/_flush"),
    "a route alone": call("/index.php?/users/delete/7"),
    "a route alone, encoded": call("/index.php?%2Fusers%2Fdelete%2F7"),
    "behind what anybody reads": call(
        "/q", at("body", f"-- {'x' * 20_000}\nDROP TABLE users", "content", schema=TEXT)
    ),
    "behind more pairs than anybody reads": call(
        "/q", at("data", "a=1&" * 300 + "action=delete", schema=TEXT)
    ),
    "behind what anybody reads, in an object": call(
        "/q", at("query", {"a": [f"{' ' * 20_001}; drop table users"]}, "body", schema={})
    ),
}
METHODS = {
    name: call("/q", at(name, value, place, schema=TEXT))
    for name, value, place in [
        ("http_verb", "DELETE", "query"), ("override", "DELETE", "query"),
        ("override_method", "PUT", "query"), ("X-HTTP-Method-Override", "GET, DELETE", "header"),
        ("_http_method", "DELETE;", "query"), ("request_method_override", "PATCH", "query"),
        ("x-http-verb-override", "purge", "header"), ("httpVerb", "DELETE", "cookie"),
        ("X-Tunneled-Method", "PATCH", "header"), ("X-HTTP-Method-Tunnel", "POST", "header"),
        ("X-RestLi-Method", "partial_update", "header"),
    ]
}  # fmt: skip
STATEMENTS = {
    said: call("/q", at("q", said, schema=TEXT))
    for said in [
        "/**/DELETE/**/FROM users", "explain analyze delete from users", "TRUNCATE users",
        "WITH x AS (SELECT 1) DELETE FROM users", "-- a\nDELETE FROM users",
        "REPLACE INTO users VALUES (1)", "MERGE INTO users USING x", "DROP TABLE IF EXISTS users",
        "CREATE OR REPLACE VIEW v AS SELECT 1", "GRANT ALL ON users TO eve", "Delete%20From%20x",
        "SELECT * FROM users INTO OUTFILE '/tmp/x'", "MATCH (n) DETACH DELETE n",
        "DELETE WHERE { ?s ?p ?o }", "INSERT DATA { <a> <b> <c> }", "DROP ALL", "FLUSHALL",
        'UPDATE "my users" SET a = 1', "CALL purge_users()", "VACUUM FULL",
        "WITH a AS (DELETE FROM users RETURNING *) SELECT * FROM a",
        "MATCH (n:User) SET n.admin = true", "COPY users TO PROGRAM 'sh'",
        "copy users (id) from stdin", "SELECT pg_terminate_backend(1)",
        "SELECT 1, pg_reload_conf()", "ATTACH 'x.db' AS x", "attach \"x.db\"",
        "EXPORT DATABASE '/tmp/x'", "IMPORT DATABASE '/tmp/x'", "PURGE BINARY LOGS TO 'a.1'",
        "DROP SERIES FROM cpu", "SELECT lo_unlink(7)",
        f"mutation{' ' * 600}{{ deleteUser(id: 7) }}",
        f"mutation M(${'a' * 600}: ID) {{ deleteUser(id: 7) }}",
        "{ users { id } } mutation M { deleteUser(id: 7) }",
        f"SELECT {'1, ' * 200}pg_terminate_backend(1)", f"UPDATE {'a' * 90} SET a = 1",
        f"CALL {'a' * 90}()", f"GRANT select{', insert' * 20} ON users TO eve",
        f"MATCH (n) WHERE n.a <> '{'a' * 200}' DELETE n",
        "select pg_drop_replication_slot('a')", '[{"$out": "users"}]',
        '[{"$match": {}}, {"$merge": {"into": "users"}}]', "SELECT dblink_exec('x')",
        "SELECT 1 DELETE FROM users", "SELECT 1 /*! DELETE FROM users */",
        "EXPLAIN ANALYZE VERBOSE DELETE FROM users", "SELECT lo_import('/etc/passwd')",
        "COPY users FROM '/etc/passwd'", "SELECT * INTO copies FROM users",
        "PRAGMA writable_schema=1", "DELETE LOW_PRIORITY FROM users", "DELETE u FROM users u",
        "INSERT IGNORE INTO users VALUES (1)", "INSERT users VALUES (1)",
        "REPLACE users VALUES (1)",
        "DELETE users WHERE id=1", "UPDATE users AS u SET a = 1", "UPDATE ONLY users SET a = 1",
        "UPDATE TOP (5) users SET a = 1", "IF 1=1 DELETE FROM users", "USE x DELETE FROM users",
        "SET NOCOUNT ON DELETE FROM users", "BEGIN TRAN DELETE FROM users",
        "DECLARE @a int DELETE FROM users", "CREATE (n:User {id: 1})", "MERGE (n:User {id: 1})",
        "UNWIND [1] AS x CREATE (n)", "db.users.drop()", "db.users.deleteMany({})",
        "LOAD <http://a.com> INTO GRAPH <g>", "COPY GRAPH <a> TO <b>", ".set-or-append T <| x",
        'from(bucket: "a") |> to(bucket: "b")', "ALTER SESSION SET x = 1", "SET GLOBAL a = 1",
        "KILL 5", "OPTIMIZE TABLE users", "PREPARE x FROM 'DELETE FROM users'",
        "UPDATE u JOIN w ON 1=1 SET u.a=1", "UPDATE u AS v, w SET a=1", "DELETE u.* FROM users u",
        "DELETE u.*, v.* FROM u, v", "DELETE u.* , v.*,w.* FROM u, v, w",
        "WHILE 1=1 DELETE FROM users", "EXEC dbo.PurgeUsers", "EXEC PurgeUsers @id=1",
        "{call purge_users(7)}", "DROP OWNED BY eve", "REASSIGN OWNED BY a TO b",
        "CREATE LOGIN eve WITH PASSWORD='x'", "ALTER PUBLICATION p ADD TABLE users",
        "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO eve", "DROP CONSTRAINT c",
        "CREATE EVENT e ON SCHEDULE AT now() DO DELETE FROM users", "UPSERT INTO users VALUES (1)",
        "COPY INTO users FROM @stage", "MSCK REPAIR TABLE users", "UNDROP TABLE users",
        "PURGE BINARY LOGS TO 'x'", "FLUSH PRIVILEGES", "STOP REPLICA",
        "CHANGE MASTER TO MASTER_HOST='x'", "INSTALL PLUGIN x SONAME 'y.so'",
        "FOREACH (x IN [1] | CREATE (n))", "CALL { CREATE (n) }", "MATCH p=(a)-->(b) SET a.x=1",
        "LOAD CSV FROM 'http://x' AS row CREATE (n)", "UPSERT {a:1} INSERT {} UPDATE {} IN users",
        "db['users'].drop()", "db.getCollection('users').deleteMany({})", "db.dropDatabase()",
        "db.runCommand({drop: 'users'})", "db.users.aggregate([{$out: 'x'}])", '{"drop": "users"}',
        '{"renameCollection": "a.b", "to": "a.c"}', '{"dropUser": "bob"}',
        '{"createUser": "bob", "pwd": "x"}', '{"collMod": "users", "validator": {}}',
        '{"dropDatabase": 1}', '{"insert": "users", "documents": []}', "g.V().drop()",
        '{"update": "users", "updates": []}', "g.addV('person')",
        "SELECT net.http_post('http://x', '{}')", "SELECT aws_lambda.invoke('f', '{}')",
    ]
}  # fmt: skip
ATTACKS = [
    pytest.param(each, id=f"{kind}: {name!a}")
    for kind, calls in [
        ("path", PATHS), ("end", ENDS), ("name", NAMES), ("query", QUERIES), ("method", METHODS),
        ("statement", STATEMENTS),
    ]
    for name, each in calls.items()
]  # fmt: skip


def operation(asked: Call, server: str) -> Tool:
    binding = HttpBinding(method=asked.method, path=asked.path, servers=(server,))
    made = tool("K.q1", binding=binding, params=asked.parameters)
    return made.model_copy(update={"operation": "q1"})


async def outcome_of(arena: Arena, asked: Call, planned: CallPlan) -> Outcome:
    executor = arena.executor(
        operation(asked, arena.api.url()), Policy(frozenset({arena.api.host})), LyingNames({})
    )
    return await executor.execute(planned, budget=BUDGET)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        *(("delete", "query"), ("purge", "cookie"), ("X-Delete-Items", "header")),
        *(("wipe", "query"), ("reboot", "query"), ("logout", "cookie"), ("shutdown", "query")),
    ],
)
async def test_a_key_is_sent_under_no_name_that_deletes(
    arena: Arena, name: str, place: Any
) -> None:
    """`?delete=` and the user's own key behind it."""
    scheme = SecurityScheme(name="k", kind="apiKey", location=place, parameter=name)
    binding = HttpBinding(
        method="GET", path="/items", servers=(arena.api.url(),), security=((scheme,),)
    )
    rules = Policy(frozenset({arena.api.host}))
    executor = arena.executor(tool("K.q1", binding=binding), rules, LyingNames({}))
    outcome = await executor.execute(plan("K.q1"), budget=BUDGET)
    assert arena.api.requests == []
    assert outcome.failure and outcome.failure.kind == "unsafe_method"


def test_a_key_is_sent_under_an_honest_name() -> None:
    for name in ("api_key", "X-API-Key", "token", "appid", "call_token"):
        scheme = SecurityScheme(name="k", kind="apiKey", location="query", parameter=name)
        binding = HttpBinding(method="GET", path="/x", servers=(), security=((scheme,),))
        assert may_change(tool("K.q1", binding=binding)) is None


@pytest.mark.parametrize("attack", every(4, ATTACKS))
async def test_what_would_be_sent_says_that_it_changes_something(
    arena: Arena, attack: Call
) -> None:
    outcome = await outcome_of(arena, attack, plan("K.q1", **attack.values))
    assert arena.api.requests == []
    assert outcome.failure and outcome.failure.kind == "unsafe_method"


def described(said: str) -> Tool:
    """A GET whose document says so of it."""
    asked = operation(call("/q"), "https://api.example.com")
    return asked.model_copy(update={"description": said})


@pytest.mark.parametrize(
    "said",
    [
        "Account. Calling this endpoint wipes all data.",
        "Account.\nUsing it will permanently delete the account.",
        "By invoking this method cancels the order.",
        "Calling this API terminates the session.",
        "Account. Requesting this route also sends an e-mail.",
    ],
)
async def test_what_the_call_does_is_said_of_calling_it(said: str) -> None:
    failure = Policy().unsafe_call(described(said))
    assert failure and failure.kind == "unsafe_method"


@pytest.mark.parametrize(
    "said",
    [
        "Lists users. Calling this endpoint requires a key.",
        "Shows the account. By using this service you accept the terms.",
        "Counts posts. Using the API key is optional.",
        "[Lists](https://a.example/Deletes) users.",
        "Get the invoice and show it.",
        "List the people who sent a gift and have it.",
        "Lists users, sorting the newest first.",
        "Lists fields. You can move them by:\n- Using the [Update Field](https://a.example) call.",
    ],
)
async def test_what_else_is_said_of_calling_it_stops_nothing(said: str) -> None:
    assert Policy().unsafe_call(described(said)) is None


PLACES = [
    *("/jobs/{id}/retry", "/polls/{id}/vote", "/subscriptions/{id}/pause", "/cron/run"),
    *("/vms/{id}/boot", "/outlets/{id}/power-cycle", "/deployments/{id}/scale", "/crm/sync-now"),
    *("/firewall/allow", "/contracts/{id}/sign", "/hotels/{id}/book-now", "/queues/{id}/pop"),
    *("/positions/{id}/liquidate", "/machines/{id}/dispense", "/repos/{id}/unstar", "/logs/rotate"),
    *("/vehicles/{id}/door_unlock", "/flights/{id}/checkin", "/backups/{id}/restore"),
]
NAMED = ["triggerBackup", "placeMarketOrder", "unsubEmail", "kickMember", "impersonateUser"]
SENTENCES = [
    *("Prints the document on the office printer.", "Waters the plant.", "Clones the repository."),
    *("Records an impression for the campaign.", "Texts a code to the user.", "Honk the horn."),
    *("Logs the user in and starts a session.", "Plays a sound for the user."),
    *("[Deletes](https://a.example/x) the user.", "Fetch mail and mark it as read."),
    *("Get the next job and lock it.", "Obtain a new token, invalidating the old one."),
]
ORDERS = {
    "transfer": ("from", "to", "amount"),
    "sms": ("phone", "text"),
    "email": ("to", "subject", "body"),
}
SAYS = [
    *(pytest.param(operation(call(each), "https://a.com"), id=each) for each in PLACES),
    *(pytest.param(tool(f"K.{each}", server="https://a.com"), id=each) for each in NAMED),
    *(pytest.param(tool("K.q1", each, server="https://a.com"), id=each) for each in SENTENCES),
    *(
        pytest.param(tool(f"K.{name}", params=names, server="https://a.com"), id=name)
        for name, names in ORDERS.items()
    ),
]
"""GETs that say in one more way that they change something."""


@pytest.mark.parametrize("asked", SAYS)
def test_a_path_a_name_or_a_sentence_says_that_it_changes_something(asked: Tool) -> None:
    failure = Policy().unsafe_call(asked)
    assert failure and failure.kind == "unsafe_method"


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("transfer", ["id"]),
        ("sms", ["to"]),
        ("listTransfer", ["to", "amount"]),
        ("convert", ["to"]),
    ],
)
def test_a_noun_alone_is_no_order(name: str, asked: list[str]) -> None:
    binding = HttpBinding(method="GET", path="/transfer", servers=("https://a.com",))
    assert Policy().unsafe_call(tool(f"K.{name}", params=asked, binding=binding)) is None


BASES = [
    *("/posts/1/hide", "/posts/1/hide/", "/posts/1/hide/v2", "/repos/5/merge", "/hosts/7/isolate"),
    "/posts/1/hide?x=1",
]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("own", ["/", ""])
def test_a_servers_own_path_ends_in_a_verb(base: str, own: str) -> None:
    failure = Policy().unsafe_call(operation(call(own), f"https://api.example.com{base}"))
    assert failure and failure.kind == "unsafe_method"


@pytest.mark.parametrize("base", ["/api/v1", "/api/1", "/posts/1", "/v2/", "/feed", "/translate/"])
@pytest.mark.parametrize("own", ["/", "/users", "/{id}/", "/groups/{id}/feed/"])
def test_a_servers_own_path_that_says_nothing(base: str, own: str) -> None:
    asked = operation(call(own, *([ID] if "{id}" in own else [])), f"https://a.com{base}")
    assert (
        Policy().unsafe_call(asked, plan("K.q1", **({"id": "7"} if "{id}" in own else {}))) is None
    )


@pytest.mark.parametrize("server", ["https://delete.api.example.com", "https://x/api/purge-users"])
async def test_a_servers_name_says_that_it_changes_something(server: str) -> None:
    failure = Policy().unsafe_call(operation(call("/q"), server))
    assert failure and failure.kind == "unsafe_method"


HONEST = {
    "a thing and a slash": call("/posts/{id}/feed/", ID),
    "a thing and a version": call("/posts/{id}/comments/v2", ID),
    "a thing and a format": call("/posts/{id}/comments/{format}", ID, path("format", "json")),
    "an id and a slash": call("/schedule/{id}/", ID),
    "an id that is a word": call("/share/{id}", path("id", "hide", TEXT)),
    "a route alone": call("/x?/users/list"),
    "a route with a name": call("/x?r=posts/list"),
    "a media type": call("/x?accept=image/png"),
    "an action that reads": call("/q", at("action", "listPosts", schema=TEXT)),
    "a call that reads": call("/q", at("operationName", "GetUser", schema=TEXT)),
    "a method that reads": call("/q", at("method", "tools/list", schema=TEXT)),
    "a mode": call("/q", at("mode", "drive", schema=TEXT)),
    "an intent": call("/q", at("intent", "greet", schema=TEXT)),
    "a command that shows": call("/q", at("cmd", "show version", schema=TEXT)),
    "a SOAP action": call("/q", at("SOAPAction", "http://a.com/GetWeather", "header", schema=TEXT)),
    "words, blank by blank": call("/q", at("q", ["new", "york"], style="spaceDelimited",
                                           schema={})),
    "fields, comma by comma": call("/q", at("fields", ["id", "created", "status"], explode=False,
                                            schema={})),
    "a key": call("/q", at("x", "Ab3d" * 30)),
    "a long link": call("/q", at("x", f"https://a.com/{'b' * 90}/c.html")),
    "a word": call("/words/{word}", path("word", "delete", TEXT)),
    "a word of many": call("/define/{lang}/{word}", path("lang", "en", {"enum": ["en", "de"]}),
                           path("word", "send", TEXT)),
    "what happened": call("/events", at("event_type", "delete",
                                        schema={"enum": ["create", "delete"]})),
    "an order": call("/videos", at("sort", "publish.time", schema={"enum": ["publish.time"]})),
    "a search": call("/docs", at("q", "how to delete from a table", schema=TEXT)),
    "a title": call("/films", at("title", "Kill Bill", schema=TEXT)),
    "a default text": call("/say", at("text", schema=TEXT | {"default": "Write a short poem"})),
    "a default brake": call("/all", at("include_deleted", schema={"default": False})),
    "duplicates": call("/q", at("removeDuplicates", "exact", schema=TEXT)),
    "kept": call("/q", at("deleteAll", "false", schema=TEXT)),
    "a read": call("/q", at("operationName", "getUser", schema=TEXT)),
    "a query": call("/q", at("query", "query { user(id: 1) { mutation } }", schema=TEXT)),
    "functions that read": call(
        "/q", at("sql", "SELECT array_remove(a, 1), replace(b, 'x', 'y') FROM t", schema=TEXT)
    ),
    "commands that read": call("/q", at("cmd", "cat x | head; ls & pwd", schema=TEXT)),
    "a copy": call("/q", at("q", "copy from Oslo to Paris", schema=TEXT)),
    "what is kept apart": call(
        "/q", at("q", "attach files; export database dumps, purge binary data", schema=TEXT)
    ),
    "a wish": call("/docs", at("q", "delete photos from iPhone, or update my alarm set at 7",
                               schema=TEXT)),
    "another wish": call("/docs", at("q", "Create (or merge) lists, insert values", schema=TEXT)),
    "a third wish": call("/docs", at("q", "set goals, load music, add songs and move on",
                                     schema=TEXT)),
    "a fourth wish": call("/docs", at("q", "load csv with pandas, copy into the clipboard",
                                      schema=TEXT)),
    "a fifth wish": call("/docs", at("q", "create login page design, update me on sets",
                                     schema=TEXT)),
    "no statement": call("/q", at("f", '{"drop": false, "insert": "rate"}', schema=TEXT)),
    "a pipeline": call("/q", at("p", '[{"$match": {"out": "merge"}}]', schema=TEXT)),
    "a rehearsal": call("/tidy", at("dry_run", True, schema={"type": "boolean"})),
    "messages of posts": call("/posts/messages"),
    "votes": call("/posts/{id}/votes", ID),
    "triggers": call("/triggers/{id}/jobs", ID),
    "a read of SQL": call("/q", at("sql", "SELECT * FROM updates WHERE deleted = 1", schema=TEXT)),
    "an id of a build": call("/builds/{id}/retry-policy", ID),
    "a method": call("/q", at("method", "POSTCODE", schema=TEXT)),
    "what is told of a removal": call("/q", at("action", "removal_reasons", schema=TEXT)),
    "JSON": call("/q", at("filter", '{"status": "deleted", "method": "post office"}', schema=TEXT)),
    "a link": call("/q", at("url", "https://a.com/?action=delete", schema=TEXT)),
    "an example of the document": call("/q", at("city", "Oslo", schema=TEXT, examples=("Send",))),
}  # fmt: skip


@pytest.mark.parametrize("honest", [pytest.param(each, id=name) for name, each in HONEST.items()])
async def test_what_the_person_said_is_looked_up(arena: Arena, honest: Call) -> None:
    outcome = await outcome_of(arena, honest, plan("K.q1", **honest.values))
    assert outcome.source == "executed", outcome.failure
    assert len(arena.api.requests) == 1


async def test_a_path_value_that_nobody_said_is_judged(arena: Arena) -> None:
    """A model made it up, moved by whatever text it read."""
    asked = call("/users/{id}/{x}", ID, path("x", "delete", TEXT))
    arguments = {
        "id": Argument(value="7", source="request"),
        "x": Argument(value="delete", source="invented", confidence=0.3),
    }
    made = CallPlan(tool_id=operation(asked, "https://a.com").tool_id, arguments=arguments)
    outcome = await outcome_of(arena, asked, made)
    assert arena.api.requests == []
    assert outcome.failure and outcome.failure.kind == "unsafe_method"


DOCUMENT = """
openapi: 3.0.3
info: {{title: Users, version: "1"}}
servers: [{{url: "{server}"}}]
paths:
  /users/{{id}}/{{x}}:
    get:
      operationId: user
      summary: The user of an id
      parameters:
        - {{name: id, in: path, required: true, schema: {{type: integer}}}}
        - {{name: x, in: path, required: true, schema: {{type: string, {choice}}}}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "choice",
    ["enum: [delete]", "default: delete", "enum: [list, delete]", "pattern: '^delete$'"],
)
async def test_a_request_for_the_change_does_not_make_it_in_a_trial(
    api: HostileServer, choice: str, tmp_path: Any
) -> None:
    document = tmp_path / "users.yaml"
    document.write_text(DOCUMENT.format(server=api.url().rstrip("/"), choice=choice))
    policy = Policy(allow_hosts=frozenset({api.host}))
    selector = Selector(Catalog.from_openapi(document), policy=policy)
    try:
        for request in ("Show me the user 7", "delete user 7", "User 7, x 'delete'"):
            await selector.aselect(request)
    finally:
        await selector.aclose()
    assert [got.target for got in api.requests if "delete" in got.target] == []
