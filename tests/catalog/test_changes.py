"""What counts as a call that may change something, and what does not."""

import pytest

from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import HttpBinding, McpBinding, NoBinding, Tool, ToolId, VirtualBinding
from gretel.sandbox.permission.policy import Policy
from gretel.text.words import word_list
from lanes import every


def get(
    name: str = "thing", path: str = "/thing", text: str = "", server: str = "https://a.com"
) -> Tool:
    binding = HttpBinding(method="GET", path=path, servers=(server,))
    made = tool("A.x", text, binding=binding, params=[param(n) for n in ("action", "_method", "q")])
    return made.model_copy(update={"operation": name})


CHANGING_NAMES = word_list(
    """
    deleteUser delete_user remove-item removeItem cancelOrder sendMail payInvoice createAccount
    updateProfile user_delete users.delete messages.send items:cancel DELETE Delete getAndDelete
    get_or_create logout resetPassword bookATable postAMessage getThenDelete listAndShowAndDelete
    getAndHidePost listAndArchive get_posts_then_hide getAndShowThenHide
    """
)
READING_NAMES = word_list(
    """
    getDeletedItems listUpdates list_updates getUpdateHistory searchByCreatedDate users getUser
    canDelete get_order_cancel lastUpdate updates addOns add-ons payRates posts getPost books
    bookings orders sets setlist runs recentCreated checkCancel sends address isRemoved createdAt
    editDistance update-frequency uploads listDeployKeys sendAs getOrder listBookings
    exchangeRates priceChange openingHours dataset carMakes makes places placeDetails stopTimes
    startDate openOrders bookPrices grants lastUpdateUser apiListUsers addons userDeletedEvents
    checkDeleteUser getTermsAndConditions searchAndFilter listOpenAndClose getSalesAndReturns
    getPickupAndDropOff findAndCount
    """
)


@pytest.mark.parametrize("name", CHANGING_NAMES)
def test_names_that_say_so(name: str) -> None:
    assert may_change(get(name)) is not None


@pytest.mark.parametrize("name", READING_NAMES)
def test_names_that_only_sound_like_it(name: str) -> None:
    assert may_change(get(name)) is None


@pytest.mark.parametrize(
    "path",
    ["/users/{id}/delete", "/delete/users/{id}", "/delete.php", "/api.delete", "/items:cancel",
     "/users/%64elete", "/users/DELETE/", "/send-sms", "/x?action=delete", "/x?cmd=removeUser&id=1",
     "/x?_method=DELETE", "/x?y%5B_method%5D=MERGE", "/x?delete=true",
     "/order/{id}/cancel", "/updateProfile", "/create"],
)  # fmt: skip
def test_paths_that_say_so(path: str) -> None:
    assert may_change(get(path=path)) is not None


def test_a_servers_path_counts_too() -> None:
    assert may_change(get(path="/{id}", server="https://a.com/users/delete")) is not None


@pytest.mark.parametrize(
    "path",
    ["/deleted-items", "/updates", "/users/{id}/updates", "/create-dates/{id}/list", "/posts/{id}",
     "/books", "/x?action=list", "/x?method=POSTCODE", "/x?sort=updated", "/orders/{id}",
     "/news/latest", "/x?delete=false", "/{delete}/info", "/software-update", "/",
     "/delete-requests/{id}/status", "/cancel-reasons/{id}/texts", "/places/{id}/open",
     "/update-center/plugins", "/api/create.info/{id}/list", "/change-log/latest",
     "/book/flights", "/wallets/{id}/transfers", "/servers/{id}/status", "/orders/book",
     "/airports/transfer", "/repos/{id}/archive/latest", "/switch/{id}/on-time"],
)  # fmt: skip
def test_paths_that_only_sound_like_it(path: str) -> None:
    assert may_change(get(path=path)) is None


@pytest.mark.parametrize(
    "text",
    ["Delete a user.", "Deletes a user", "Sets cookie(s) as provided", "Updates user(s) in bulk",
     "Permanently remove the file", "Sends an email to a user",
     "This endpoint deletes a user.", "This endpoint allows you to cancel an order",
     "API to create accounts", "Book a table", "Get and delete the next message.", "Bulk update",
     "Updates an existing view.", "Used to unsubscribe", "Logout the user", "&#68;elete a user.",
     "Read a note, then delete it.", "Returns a token and revokes the old one."],
)  # fmt: skip
def test_descriptions_that_say_so(text: str) -> None:
    assert may_change(get(text=text)) is not None


@pytest.mark.parametrize(
    "text",
    ["List updates", "Search by created date", "Get deleted items.", "Updates on the market",
     "Returns users that were deleted", "Update frequency of the feed", "Book by ISBN",
     "Orders of a customer", "Sets by theme", "Sets of cookie(s)",
     "Order item(s) of a customer", "Send a name to receive its meaning.", "",
     "Get user. Use DELETE to delete one.", "Posts of a user", "Run time of a film",
     "Post codes near a place", "Execute a search query", "Makes a prediction.", "Makes of cars",
     "Places to book a table", "Changes in the status of orders", "Open orders of an account",
     "Opening hours of the garage", "Transfers between airports", "Unlike the others, this lists.",
     "List notes which you can then delete.", "Returns users and posts of a user",
     "List users. Create a user first.", "List users. Accepts a list of ids.",
     "Lists users. This endpoint enables you to page through them.", "Note: users only",
     "Use this to get deleted users", "List users. Enables admins to find one.",
     "Grants for research", "Endpoint for listing deletions", "To list users, call this.",
     "Returns the user. Updates every hour", "Erstellt am, Name und Preis", "Gel\u00f6schte Konten",
     "Liste der Bestellungen", "Lista de pedidos cancelados", "Comptes supprim\u00e9s",
     "Modifier of an item", "Consulta de compra", "Retorna a lista de usuarios",
     "Calculates the price", "Resizes an image", "Given a city, its weather", "Within the bounds",
     "Once the job has ended, its log", "Takes a name, returns its origin",
     "Complete list of the stops", "Retry policy of a queue", "Launch dates", "Record highs",
     "Busca a los usuarios"],
)  # fmt: skip
def test_descriptions_that_only_sound_like_it(text: str) -> None:
    assert may_change(get(text=text)) is None


@pytest.mark.parametrize(
    "tag", ["Buy & sell", "Edit history", "Execute", "Storage", "Deleted items", "Write", "Orders"]
)
def test_tags_that_only_sound_like_it(tag: str) -> None:
    assert may_change(get().model_copy(update={"category": tag})) is None


def test_arguments_that_turn_a_call_into_a_change() -> None:
    plain = get()
    assert may_change(plain, {"q": "delete", "action": "list"}) is None
    for values in ({"action": "delete"}, {"action": ["list", "removeAll"]}, {"_method": "delete"}):
        assert may_change(plain, values) is not None


def test_arguments_that_only_sound_like_it() -> None:
    plain = get()
    for values in (
        {"_method": "GET"}, {"x": {"_method": "get"}}, {"_method": None}, {"method": "POSTCODE"},
        {"delete": False}, {"delete": 0}, {"delete": "no"}, {"include_deleted": True},
        {"no_delete": "true"}, {"removeDuplicates": True}, {"enableUserData": True},
        {"rollbackCandidate": True}, {"buy": "USD", "sell": "EUR"}, {"action": {"name": "list"}},
        {"q": "How to delete from a table"}, {"q": "a mutation of genes"},
        {"query": "query { user(id: 1) { mutation } }"}, {"deleteAll": None}, {"deleteAll": 0.0},
        {"update_status": True}, {"open_now": True}, {"sell_orders": True}, {"sort_order": True},
        {"do": "deletion_policy"}, {"q": "list.remove(x) in Python"},
        {"sendAsDatasource": True}, {"X-API-Describe-Create": True},
        {"factoryReset": False}, {"include_place_order": True}, {"restart_count": True},
    ):  # fmt: skip
        assert may_change(plain, values) is None, values


def test_other_methods_and_bindings() -> None:
    assert may_change(tool("A.list", method="post")) is not None
    assert may_change(tool("A.list", method="options")) is None
    assert may_change(tool("A.b", binding=NoBinding())) is not None
    claims = McpBinding(server="s", tool="list", read_only=True)
    assert may_change(tool("A.b", binding=claims)) is not None, "a hint widens nothing"


@pytest.mark.parametrize(
    ("name", "description", "hint", "tried"),
    [
        ("git_log", "Shows the commit logs.", True, True),
        ("assess_book", "Mark what is overdue.", True, True),  # a hint is more than a word
        ("delete_note", "Delete a note.", True, False),
        ("list_notes", "List all notes.", False, False),
        ("list_notes", "List all notes.", None, True),
        ("notes_list", "List all notes.", None, False),
        ("get_note", "Read a note, then delete it.", None, False),
        ("ponder", "Ponder.", None, False),
        ("history", "What was done.", None, False),
    ],
)
def test_a_trusted_server_is_believed_where_nothing_speaks_against_it(
    name: str, description: str, hint: bool | None, tried: bool
) -> None:
    binding = McpBinding(server="s", tool=name, read_only=hint)
    found = tool(f"S.{name}", description, binding=binding)

    assert (may_change(found, trusted=True) is None) == tried
    assert may_change(found) is not None


def test_what_is_sent_to_a_trusted_server_is_judged() -> None:
    binding = McpBinding(server="s", tool="read_query", read_only=True)
    found = tool("S.read_query", "Run a query.", params=["query"], binding=binding)

    assert may_change(found, {"query": "SELECT title FROM books"}, trusted=True) is None
    assert may_change(found, {"query": "DROP TABLE books"}, trusted=True) is not None
    assert may_change(found, {"action": "hidePost"}, trusted=True) is not None


def test_the_virtual_protocol_goes_by_its_method_but_for_drastic_titles() -> None:
    names = {"category": "c", "tool_name": "t", "api_name": "create all"}
    named = tool("A.create", "Create all.", binding=VirtualBinding(**names))
    assert may_change(named) is None
    assert may_change(named.model_copy(update={"operation": "Delete all"})) is not None
    post = VirtualBinding(**names, method="POST")
    assert may_change(tool("A.create", binding=post)) is not None


def test_the_users_word_counts_before_the_names() -> None:
    marked = frozenset({ToolId("A.x")})
    assert Policy().unsafe_call(get("deleteUser")) is not None
    assert Policy(safe_tools=marked).unsafe_call(get("deleteUser")) is None
    assert Policy(safe_tools=marked, unsafe_tools=marked).unsafe_call(get("list")) is not None


@pytest.mark.parametrize(
    "unit",
    every(
        3,
        [
            "delete" * 3000,
            "and " * 5000,
            "a-" * 9000,
            "this api " * 3000,
            "mutation " * 3000,
            "[a" * 3000,
            "then " * 3000,
            "<" * 9000,
            ";  " * 3000,
            "will be " * 3000,
            "\ufdfa" * 9000,
        ],
    ),
)
def test_long_hostile_names_are_read_quickly(unit: str) -> None:
    may_change(get(unit, f"/{unit}", unit), {"action": unit, "q": unit})


@pytest.mark.slow
def test_no_argument_is_too_deep_or_too_long() -> None:
    deep: JsonValue = "delete"
    for _ in range(50_000):
        deep = {"x": [deep]}
    assert may_change(get(), {"q": deep}) is None
    assert may_change(get(), {"action": {"y": {"z": ["delete"]}}}) is not None
    assert may_change(get(), {"q": 10**5000, "r": -(10**5000), "s": float("nan")}) is None
