"""Nothing is changed that the user did not allow: a recording server over fuzzed catalogues.

What a server would take for a change is judged here by rules of its own, wider than those of
`src/gretel/catalog/effects/changes.py`: the fuzz builds each operation out of parts it knows to be
harmful or harmless, and puts the verdict into the path, so that the server's log alone decides.
"""

import random
from typing import Any

import pytest
from arena import BUDGET, Arena, LyingNames

from fakes import FakeRetriever, param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding, Parameter, Tool, ToolId
from gretel.contracts.trial import CallPlan
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer
from lanes import every

CATALOGUES = 200
SIZE = 12
VERBS = [
    "delete",
    "remove",
    "cancel",
    "send",
    "create",
    "update",
    "purge",
    "revoke",
    "pay",
    "submit",
]
THINGS = ["user", "order", "invoice", "message", "file", "account", "booking", "subscription"]
HARMFUL_PATHS = [
    "/{thing}/{verb}", "/{verb}/{thing}", "/{verb}-{thing}", "/{verb}_{thing}.php",
    "/api/v1/{thing}s/{Verb}{Thing}", "/{thing}s.{verb}", "/{thing}s:{verb}", "/{VERB}",
    "/x?action={verb}", "/x?cmd={verb}{Thing}", "/x?_method=DELETE", "/x?do={verb}&id=1",
]  # fmt: skip
HARMFUL_TEXTS = [
    "{Verb} the {thing}.", "{Verb}s the {thing} of that id", "This endpoint {verb}s the {thing}.",
    "Immediately {verb} a {thing}", "Get and {verb} the {thing}", "Used to {verb} the {thing}",
]  # fmt: skip
HARMLESS_PATHS = ["/{thing}s", "/{thing}s/latest", "/search/{thing}s", "/{thing}s/updates", "/news"]
HARMLESS_TEXTS = ["List {thing}s.", "Search {thing}s by created date", "Deleted {thing}s", ""]
OVERRIDES = ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"]


def filled(draw: random.Random, template: str) -> str:
    verb, thing = draw.choice(VERBS), draw.choice(THINGS)
    words = {"verb": verb, "Verb": verb.title(), "VERB": verb.upper()}
    words |= {"thing": thing, "Thing": thing.title()}
    for name, word in words.items():
        template = template.replace("{" + name + "}", word)
    return template


def operation(draw: random.Random, number: int, server: str) -> Tool:
    """One operation; `/harm` in front of its path says that calling it unasked is a fault."""
    kind = draw.choice(["method", "path", "text", "name", "argument", "header", "plain", "plain"])
    path = filled(draw, draw.choice(HARMLESS_PATHS))
    text = filled(draw, draw.choice(HARMLESS_TEXTS))
    name, method, parameters = f"list{number}", draw.choice(["GET", "get", "HEAD"]), []
    if kind == "method":
        method = draw.choice(["POST", "PUT", "PATCH", "DELETE", "TRACE", "post", "PURGE", "Delete"])
        path = draw.choice([path, "/search", "/query"])
    elif kind == "path":
        path = filled(draw, draw.choice(HARMFUL_PATHS))
    elif kind == "text":
        text = filled(draw, draw.choice(HARMFUL_TEXTS))
    elif kind == "name":
        name = filled(draw, draw.choice(["{verb}{Thing}", "{verb}_{thing}", "{thing}s.{verb}"]))
    elif kind == "argument":
        parameters = [argument(draw)]
    elif kind == "header":  # such a header is never sent, so that the GET stays one
        parameters = [fixed(draw.choice(OVERRIDES), "DELETE", location="header")]
    harm = "" if kind in ("plain", "header") else "/harm"
    binding = HttpBinding(method=method, path=f"{harm}{path}", servers=(server,))
    made = tool(f"K{number}.op", text, binding=binding, params=parameters)
    return made.model_copy(update={"operation": name})


def argument(draw: random.Random) -> Parameter:
    """A parameter whose only value makes a change of the call."""
    name = draw.choice(["action", "op", "cmd", "_method", "X-HTTP-Method-Override", "http_method"])
    override = "method" in name.lower()
    return fixed(name, "DELETE" if override else filled(draw, "{verb}"))


def fixed(name: str, value: str, **fields: Any) -> Parameter:
    return param(name, {"type": "string", "enum": [value]}, required=True, **fields)


@pytest.mark.slow
@pytest.mark.parametrize("seed", every(20, range(20)))
async def test_no_fuzzed_catalogue_makes_a_change(api: HostileServer, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(CATALOGUES // 20):
        tools = [operation(draw, number, api.url()) for number in range(SIZE)]
        await tried(api, tools)
    harmless = [got for got in api.requests if "/harm" not in got.target]
    assert len(harmless) > CATALOGUES // 20, "a sandbox that sends nothing proves nothing"
    assert {got.method for got in api.requests} <= {"GET", "HEAD"}
    assert [got.target for got in api.requests if "/harm" in got.target] == []
    assert not any(
        "override" in name or "method" in name for r in api.requests for name in r.headers
    )


async def test_what_the_user_allowed_is_sent_and_nothing_beside_it(api: HostileServer) -> None:
    """A POST search, by the user's word; its neighbour, and one that is also marked unsafe, not."""
    names = ("search", "order", "both")
    tools = [tool(f"A.{name}", method="POST", server=api.url()) for name in names]
    safe = frozenset({ToolId("A.search"), ToolId("A.both")})
    await tried(api, tools, safe_tools=safe, unsafe_tools=frozenset({ToolId("A.both")}))
    assert [(got.method, got.target) for got in api.requests] == [("POST", "/search")]


async def test_what_is_kept_in_is_planned_and_simulated(api: HostileServer) -> None:
    kept = tool("A.deleteUser", "Delete a user.", server=api.url(), params=[param("id")])
    (trial,) = (await tried(api, [kept])).trials
    assert trial.plan.kind == "plan" and trial.simulated is not None
    assert trial.executed.failure and trial.executed.failure.kind == "unsafe_method"
    assert "'delete'" in trial.executed.failure.detail
    assert api.requests == []


SAYS_SO = {
    "names": [
        "apiDeleteUser", "tool_delete_user", "users_delete_v2", "deleteuser", "dropTable",
        "transferMoney", "changePassword", "setPassword", "placeOrder", "makePayment",
        "bookFlight", "grantAccess", "rollback", "turnOffLights", "user_delete_by_id",
        "d\u0435leteUser", "\uff24elete_user", "de\u00adleteUser",
    ],
    "paths": [
        "/deleteUser/json", "/user/deleteUser/now", "/delete-user/{id}/confirm",
        "/users/%2564elete", "/api/user.delete/{id}/now", "/reset-password/{id}/go",
        "/do/deleteAccount/{id}/yes",
        "/\uff44elete/{id}", "/d\u0435lete/{id}", "/users;delete", "/user/del/{id}",
        "/wallet/transfer", "/users/{id}/block", "/server/7/stop", "/accounts/{id}/close",
        "/orders/{id}/checkout", "/lights/{id}/off", "/shop/purchase", "/konto/loeschen",
        "/benutzer/l\u00f6schen/{id}", "/kundeAnlegen", "/compte/supprimer",
        "/usuario/{id}/eliminar",
        "/conta/apagar", "/utente/elimina", "/gebruiker/verwijderen",
    ],
    "tags": ["Delete user", "Purge", "user/delete", "Konto l\u00f6schen"],
    "texts": [
        "This deletes the user.", "It deletes the user.", "Will delete the user.",
        "This will permanently delete the user.", "Use this endpoint to delete a user.",
        "Use to delete a user.", "Call this to remove the item.", "Endpoint for deleting users.",
        "Allows deleting a user.", "Deleting a user.", "Deletion of a user.", "User deletion.",
        "WARNING: deletes the account.", "Warning! This deletes the account.",
        "DEPRECATED: Delete the user.", "Deprecated. Deletes the user.",
        "[Admin] Deletes the user.", "[v2] [beta] Delete the user",
        "(Admin only) Deletes the user.", "1. Deletes the user",
        "<b>Deletes</b> the user.", "Returns nothing. Deletes the user.",
        "User endpoint. Deletes the user.", "User endpoint. Delete the user.",
        "User endpoint. This API lets you delete users.", "Users\n\n- removes the user",
        "GET /users - deletes the user", "Get a user and delete it.",
        "To delete a user, call this.", "The user will be permanently removed.",
        "Places an order.", "Makes a payment.",
        "Transfers money between accounts.", "Shuts down the server.", "Opens the garage door.",
        "Turns off the lights.", "Changes the user's email.", "Empties the trash.",
        "Logs the user out.", "Un-subscribes the user.", "Grants access to the user.",
        "\uff24\uff45\uff4c\uff45\uff54\uff45\uff53 the user.", "D\u0435letes the user.",
        "L\u00f6scht den Benutzer.", "Ein Konto l\u00f6schen", "Storniert die Bestellung.",
        "Supprime le compte.", "Elimina el usuario.", "Cancella l'utente.", "Exclui a conta.",
        "Verwijdert de gebruiker.", "Konto. \u00dcberweist Geld.",
        "De\u00adletes the user.", "D\u200beletes the user.", "De\u0301letes the user.",
    ],
}  # fmt: skip
ARGUMENTS = [
    ("_method", "MERGE", None), ("_method", "MOVE", None), ("_method", "COPY", None),
    ("_method", "PURGE", None), ("_method[0]", "DELETE", None), ("x[_method]", "DELETE", None),
    ("x", {"_method": "DELETE"}, None), ("x", {"_method": "DELETE"}, "deepObject"),
    ("x", {"y": {"_method": "DELETE"}}, "deepObject"), ("x", [{"_method": "DELETE"}], None),
    ("_method", {"x": "DELETE"}, "deepObject"), ("_m\u0435thod", "DELETE", None),
    ("X-Original-Method", "DELETE", None), ("action", {"name": "delete"}, None),
    ("action", "user.create", None), ("cmd", "rm", None), ("rpc", "deleteUser", None),
    ("deleteAll", True, None), ("confirm_delete", "true", None), ("do_delete", 1, None),
    ("purgeCache", "yes", None), ("delete", "y", None), ("delete", "all", None),
    ("delete", 10**5000, None), ("delete", "", None), ("remove", 1.0, None),
    ("query", "mutation { deleteUser(id: 1) { id } }", None),
    ("q", "# a\nmutation M($id: ID!) @x {\n deleteUser(id: $id) }", None),
    ("body", {"query": "mutation{deleteUser(id:1)}"}, None),
    ("sql", "DROP TABLE users", None), ("q", "1; delete from users", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("part", "said"),
    every(
        3,
        [
            pytest.param(part, said, id=ascii(said))
            for part, each in SAYS_SO.items()
            for said in each
        ],
    ),
)
async def test_what_says_that_it_changes_something_is_not_sent(
    arena: Arena, part: str, said: str
) -> None:
    path = said if part == "paths" else "/q1"
    binding = HttpBinding(method="GET", path=path, servers=(arena.api.url(),))
    places = [param("id", location="path", required=True)] if "{id}" in path else []
    asked = tool("K.q1", said if part == "texts" else "", binding=binding, params=places)
    tag = said if part == "tags" else ""
    asked = asked.model_copy(
        update={"operation": said if part == "names" else "q1", "category": tag}
    )
    await kept_in(arena, asked, {"id": "7"} if places else {})


@pytest.mark.parametrize(
    ("name", "value", "style"),
    [pytest.param(*each, id=f"{number}-{each[0]!a}") for number, each in enumerate(ARGUMENTS)],
)
async def test_what_an_argument_makes_a_change_of_is_not_sent(
    arena: Arena, name: str, value: Any, style: str | None
) -> None:
    made = param(name, {}, location="query").model_copy(update={"style": style})
    await kept_in(arena, tool("K.q1", server=arena.api.url(), params=[made]), {name: value})


async def kept_in(arena: Arena, asked: Tool, values: dict[str, Any]) -> None:
    """Nothing is sent, and the outcome says that the call may change something."""
    executor = arena.executor(asked, Policy(frozenset({arena.api.host})), LyingNames({}))
    outcome = await executor.execute(plan("K.q1", **values), budget=BUDGET)
    assert arena.api.requests == []
    assert outcome.failure and outcome.failure.kind == "unsafe_method"


async def tried(api: HostileServer, tools: list[Tool], **policy: Any) -> Any:
    """A selection that tries every tool."""
    selector = Selector(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools, needs_tool=1.0),
        policy=Policy(allow_hosts=frozenset({api.host}), **policy),
    )
    try:
        return await selector.aselect("Do it with the user of id 7.", depth=len(tools))
    finally:
        await selector.aclose()


@pytest.mark.parametrize(("role", "said"), [("tool", False), ("user", True), ("assistant", True)])
async def test_what_a_tool_answered_earlier_gives_no_leave(
    api: HostileServer, role: str, said: bool
) -> None:
    """A server's answer stands in the caller's conversation; nobody there said that verb."""
    known = param("id", required=True, location="path", description="id of the thing")
    binding = HttpBinding(method="GET", path="/things/{id}", servers=(api.url(),))
    show = tool("Kit.show", "Show a thing by its id.", params=[known], binding=binding)
    selector = Selector(
        Catalog.from_tools([show]),
        retriever=FakeRetriever([show], needs_tool=1.0),
        policy=Policy(allow_hosts=frozenset({api.host})),
    )
    for value in ("delete", "K-4711"):
        turns = [{"role": role, "content": f'{{"id": "{value}"}}'}]
        found = await selector.aselect("Show the thing of that id.", messages=turns)
        plan = [*found.tools, *found.lacking][0].trial.plan
        assert isinstance(plan, CallPlan)
        assert plan.arguments["id"].source == ("message" if said else "answer")
    await selector.aclose()
    sent = [request.target for request in api.requests]
    assert sent == (["/things/delete"] if said else []) + ["/things/K-4711"]
