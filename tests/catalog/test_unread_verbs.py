"""A GET changes something by any verb that is not known to read, where a verb stands."""

import pytest

from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.catalog.effects.english import is_only_verb, is_verb, may_be_verb, only_reads
from gretel.contracts.tool import HttpBinding, Tool


def get(path: str, name: str = "", text: str = "") -> Tool:
    """A GET, with the operation's name where the document gives one."""
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    made = tool("A.x", text, binding=binding, params=[param("action")])
    named = {"operation": name or "thing", "external_id": name or None}
    return made.model_copy(update=named)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/posts/{id}/hide", "hidePost"),
        ("/posts/{id}/hide", ""),
        ("/posts/{id}/bookmark", "bookmarkPost"),
        ("/jobs/{id}/build", ""),
        ("/users/{id}/make-owner", ""),
        ("/accounts/{id}/top-up", ""),
        ("/branches/{id}/merge", ""),
        ("/repos/{id}/fork", "forkRepo"),
        ("/index/{id}/swap", ""),
        ("/lights/{id}/dim", "dimLight"),
        ("/seats/{id}/hold", "holdSeat"),
        ("/nodes/{id}/cordon", "cordonNode"),
        ("/domains/{id}/park", "parkDomain"),
        ("/hosts/{id}/isolate", ""),
        ("/pods/{id}/prune", ""),
        ("/claims/{id}/adjudicate", ""),
        ("/alarms/{id}/silence", "silenceAlarm"),
        ("/oven/preheat", ""),
        ("/containers/{id}/unhide", ""),
        ("/drafts/{id}/autosave", ""),
        ("/posts/{id}/hide", "getPost"),
    ],
)
def test_names_and_paths_that_say_so(path: str, name: str) -> None:
    assert may_change(get(path, name)) is not None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/posts/{id}/comments", ""),
        ("/users/{id}/email", ""),
        ("/users/{id}/feed", ""),
        ("/users/{id}/schedule", ""),
        ("/movies/{id}/cast", ""),
        ("/movies/{id}/similar", "similarMovies"),
        ("/books/{id}/cover", "bookCover"),
        ("/builds/{id}", "build"),
        ("/builds/latest", "latestBuild"),
        ("/sites/{id}/build_hooks", "listSiteBuildHooks"),
        ("/stop-point/{id}/lines", "stopPointLines"),
        ("/groups/{id}/invite", "getGroupInvite"),
        ("/groups/{id}", "SyncGroups_Get"),
        ("/lookup/bin", "binLookup"),
        ("/text/translate", "translateText"),
        ("/images/{id}/crop", "cropImage"),
        ("/address/standardise", "standardiseAddress"),
        ("/routes/optimize", "optimizeRoute"),
        ("/matches/live", "liveMatches"),
        ("/orders/open", "openOrders"),
    ],
)
def test_names_and_paths_that_only_sound_like_it(path: str, name: str) -> None:
    assert may_change(get(path, name)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Fork a repository",
        "Top up an account",
        "Impersonate user",
        "Account statement. Afterwards the account is closed.",
        "Gets the report. All other sessions of the user are logged out.",
        "Get an item. Each call decrements the stock by one.",
        "Each call decrements the stock of the item.",
        "Look up a coupon. Looking it up redeems it.",
        "Read a secret. The secret is destroyed once it was read.",
        "Retrieve a link. A new link is issued and the old one stops working.",
        "One-time code. An SMS with a code is sent to the phone.",
        "Verify. When called, the address is confirmed.",
        "A cart. Expired items are dropped from the cart by this call.",
        "Returns the latest version and prunes all older ones.",
        "Logs. Returns the log and truncates it.",
        "A badge. Each request awards one point to the user.",
        "Inbox. All messages are flagged as read afterwards.",
        "An order. Viewing the order marks it as seen.",
        "Schaltet das Ger\u00e4t aus",
        "Legt einen neuen Termin an",
        "\u00d6ffnet die T\u00fcr",
        "Ferme le compte",
        "Fermer le compte",
        "Bloquea al usuario",
        "Confirma el pedido",
        "Chiude la porta",
    ],
)
def test_sentences_that_say_so(text: str) -> None:
    assert may_change(get("/thing", "", text)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Comments on a post",
        "Weather in a city",
        "Words that rhyme",
        "Live metrics of a game",
        "Transfer portal by season",
        "Line-up",
        "Trash. Items that are deleted are kept for 30 days.",
        "Get a statement. A statement is issued every month.",
        "Get a price. The price is rounded and expressed in euros.",
        "Get data. This endpoint is deprecated.",
        "Get data. The list is truncated to 100 entries.",
        "Retrieves objects and limits the answer to ten.",
        "Get data. This response is sent when the page has moved.",
        "Get data. The country is omitted in the response.",
        "Get keys. The keys are only supported on the larger plan.",
        "Searches for all texts and calls of a contact.",
        "Abfahrten an einer Haltestelle",
        "Liefert das Wetter",
        "Gibt die Liste der Orte aus",
        "Sucht einen Ort",
        "Affiche les retards",
        "Pour les clients",
        "Busca el tiempo",
        "Trova le farmacie",
    ],
)
def test_sentences_that_only_sound_like_it(text: str) -> None:
    assert may_change(get("/thing", "", text)) is None


def test_an_action_is_an_order_by_any_verb() -> None:
    for order in ("hide", "isolate", "impersonate"):
        assert may_change(get("/thing"), {"action": order}) is not None
    for order in ("preview", "convert", "similar"):
        assert may_change(get("/thing"), {"action": order}) is None


def test_a_value_that_the_document_wrote_ends_a_path() -> None:
    chosen = {"enum": ["show", "hide"]}
    places = [param("id", location="path"), param("x", chosen, location="path")]
    binding = HttpBinding(method="GET", path="/posts/{id}/{x}", servers=("https://a.com",))
    made = tool("A.x", binding=binding, params=places)
    assert may_change(made, {"id": "7", "x": "hide"}) is not None
    assert may_change(made, {"id": "7", "x": "show"}) is None
    free = made.model_copy(update={"parameters": (places[0], param("x", location="path"))})
    assert may_change(free, {"id": "7", "x": "hide"}, said=("x",)) is None


@pytest.mark.parametrize("value", ["invite", "open/invite", "json"])
def test_a_name_excuses_the_end_that_the_document_wrote_alone(value: str) -> None:
    places = [param("id", location="path"), param("x", {"enum": [value]}, location="path")]
    binding = HttpBinding(method="GET", path="/g/{id}/invite/{x}", servers=("https://a.com",))
    made = tool("A.x", binding=binding, params=places)
    made = made.model_copy(update={"operation": "getGroupInvite", "external_id": "getGroupInvite"})
    assert (may_change(made, {"id": "7", "x": value}, said=("id",)) is None) == (value == "json")


def test_what_the_list_of_words_says() -> None:
    assert is_only_verb("impersonate") and is_verb("hide") and may_be_verb("star")
    assert is_verb("unhide"), "a prefix makes a verb of a verb"
    assert not is_verb("star") and not may_be_verb("unlike") and not may_be_verb("weather report")
    assert only_reads("summarise") and only_reads("recalculate") and not only_reads("hide")


@pytest.mark.parametrize(
    "unit", ["the a ", "and its ", "this is ", "once a, ", "ab ", "is x by this "]
)
def test_long_hostile_sentences_are_read_quickly(unit: str) -> None:
    may_change(get("/thing", "", unit * 3000))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/ユーザー/削除", ""),
        ("/x", "ユーザー削除"),
        ("/用户/删除/{id}", ""),
        ("/x", "取消订单"),
        ("/사용자/삭제", ""),
        ("/%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C", ""),
        ("/x", "отправитьПисьмо"),
        ("/x", "حذف_المستخدم"),
        ("/x", "sletBruger"),
    ],
)
def test_verbs_of_other_languages_in_names_and_paths(path: str, name: str) -> None:
    assert may_change(get(path, name))


@pytest.mark.parametrize(
    "name",
    ["获取删除记录", "删除日志", "最近更新", "удаленныеЗаказы", "изменения", "作成者", "天气查询"],
)
def test_names_of_other_scripts_that_only_sound_like_it(name: str) -> None:
    assert may_change(get("/x", name)) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/users/{id}/role", "setUserRole"),
        ("/orders/{id}", "changeStatus"),
        ("/accounts/{id}", "switchUser"),
        ("/pools/{id}", "drainPool"),
        ("/ovens/{id}", "heat_oven"),
        ("/x", "orderPizza"),
    ],
)
def test_names_begin_with_verbs_that_are_nouns_as_well(path: str, name: str) -> None:
    assert may_change(get(path, name))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/weather", "weatherForecast"),
        ("/forecast", "weatherAlerts"),
        ("/quote", "stockPrice"),
        ("/lego/sets/{id}", "setPart"),
        ("/inventory", "listOrderItem"),
        ("/users/{id}/role", ""),
    ],
)
def test_names_begin_with_nouns_that_are_verbs_as_well(path: str, name: str) -> None:
    assert may_change(get(path, name)) is None


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("By calling this, you delete the user.", True),
        ("Here you can remove a member.", True),
        ("Helper that deletes users.", True),
        ("Handy way to cancel an order.", True),
        ("Responsible for purging caches.", True),
        ("Performs a delete.", True),
        ("A user. See the endpoint to delete users.", False),
        ("Returns users. You can delete them in the dashboard.", False),
        ("Service for deleted items.", False),
        ("Supports removed fields.", False),
    ],
)
def test_drastic_verbs_of_what_a_call_is_for(text: str, changes: bool) -> None:
    assert bool(may_change(get("/x", text=text))) is changes
