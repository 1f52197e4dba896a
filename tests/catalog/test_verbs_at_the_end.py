"""A name that begins with a noun tells by its last word that a GET changes something."""

from collections.abc import Callable, Sequence

import pytest

from fakes import tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.tool import HttpBinding, Tool
from gretel.text.words import word_list
from lanes import every

SPELLED: dict[str, Callable[[Sequence[str]], str]] = {
    "snake": "_".join,
    "kebab": "-".join,
    "camel": lambda words: words[0] + "".join(map(str.capitalize, words[1:])),
    "title": lambda words: "".join(map(str.capitalize, words)),
    "dots": ".".join,
}


def get(name: str) -> Tool:
    """A GET whose path and description say nothing."""
    binding = HttpBinding(method="GET", path="/x", servers=("https://a.com",))
    return tool("A.x", "", binding=binding).model_copy(
        update={"operation": name, "external_id": name}
    )


@pytest.mark.parametrize("spelled", every(2, SPELLED))
@pytest.mark.parametrize(
    "verb",
    word_list(
        """
        create add delete restart cancel execute save update activate approve publish insert
        calibrate deploy sync refresh connect restore recover promote
        """
    ),
)
@pytest.mark.parametrize("things", [("widget",), ("account", "roles"), ("orders",)], ids="_".join)
def test_a_verb_behind_what_it_is_done_to(things: tuple[str, ...], verb: str, spelled: str) -> None:
    assert may_change(get(SPELLED[spelled]((*things, verb)))) is not None


@pytest.mark.parametrize(
    "name",
    [
        *("job-start", "subscription_stop", "user_mute", "group_close", "item_move", "tasks_clear"),
        *("pipeline_run_v2_create", "user_update_by_id", "nodes_drain"),
        *("Registry_UpdateApi", "Customers_CreateBatch", "Fleet_DeleteDrone"),
    ],
)
def test_a_verb_that_is_a_noun_as_well_behind_its_thing(name: str) -> None:
    assert may_change(get(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        *("weather_update", "last_update", "news-update", "statusUpdate", "google_pay", "best_buy"),
        *("get_orders_create", "listUserUpdate", "can_user_delete", "orders_count", "users_list"),
        *("orders_search", "city_guide", "news_feed", "true_crime_podcast", "trip_start"),
        *("market_close", "bus_stop", "user_email", "blog_post", "market_share", "data_set"),
        *("job_run", "token_transfer", "text_translate", "image_generate"),
        *("Place_GetOverlay", "Reports_ListDaily", "radio_listen", "user_report", "price_alert"),
    ],
)
def test_a_name_of_a_thing_is_tried(name: str) -> None:
    assert may_change(get(name)) is None


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("/Users(7)/Default.Hide()", True),
        ("/Users({id})/Hide()", True),
        ("/Orders(1)/NS.Orders.Hide(reason='x')", True),
        ("/Users(7)", False),
        ("/me/messages/microsoft.graph.delta()", False),
        ("/Orders(1)/NS.Search(q=1)", False),
    ],
)
def test_a_function_of_a_namespace_at_the_end_of_a_path(path: str, changes: bool) -> None:
    """As OData writes them."""
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    assert (may_change(tool("A.x", "", binding=binding)) is not None) is changes
