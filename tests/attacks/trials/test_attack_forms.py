"""A verb changes something in whatever form and place a GET says it, unless it is known to read."""

import pytest

from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Location, Parameter, Tool

TEXT: JsonObject = {"type": "string"}


def get(path: str, *parameters: Parameter, name: str = "getThing", text: str = "") -> Tool:
    binding = HttpBinding(method="GET", path=path, servers=("https://a.com",))
    made = tool("K.x", text or "Returns the thing.", binding=binding, params=[*parameters])
    return made.model_copy(update={"operation": name, "external_id": name})


def refused(one: Tool, values: JsonObject) -> bool:
    """Whether a call is kept back of which the person said the id alone."""
    return may_change(one, {"id": "7"} | values, ("id",)) is not None


def with_value(name: str, value: JsonValue, place: Location = "query") -> bool:
    parameter = param(name, {"enum": [value]}, location=place, required=True)
    return refused(get("/things", parameter), {name: value})


SWITCHES = """
    annihilate merge dropTables wipeDisk moveFunds transferFunds muteAll buyNow followUser closeAll
    lights_off deletion account_termination takedown selfDestruct fire_hook deleteuser confirm
    X-Failover resetStats
"""
ORDERS = """
    evicts evicting eviction user_evicts arm fire lights-off takedown self-destruct zeroize unstake
    doRelocate auto_annihilate lockdown silence reformat
"""
CHOICES = "annihilate expel evictUser banishMember deletingUser demolish erasure"
TARGETED = "revoke expel annihilate terminate evict_user revoke_user userDelete uninstall_id"
ENDS = "annihilate evict confiscate deletion removal user_evict expelMember banishUser"
NAMES = "accountTermination userDeletion deletingUser deletionOfUser removalOfItems"
TEXTS = (
    "Termination of the account",
    "Uninstallation of an app.",
    "Account deactivation",
    "Destruction of all keys",
)

HOW = """
    enableHints collapseSets flatten fix-typos include_deletion showDeletions removeDuplicates
    use_transfer supportsSync open_now sell_orders restart_count cast-token rollbackCandidate
    serialize smooth sort_merged require_approval opt_pretty expandAll
"""
READS = """
    balance statistics status lists txlist weather top trending prices getUser forecast details
    removal_reasons recount products
"""
THINGS = """
    /mount/{id} /invite/{id} /users/{id}/deletion-requests /accounts/{id}/purchase-orders
    /revocation/registry/{id} /digest-auth/{id} /orders/{id}/payments
"""


@pytest.mark.parametrize("name", SWITCHES.split())
@pytest.mark.parametrize("on", [True, "yes"])
def test_a_switch_that_is_on(name: str, on: JsonValue) -> None:
    assert with_value(name, on)


@pytest.mark.parametrize("value", ORDERS.split())
@pytest.mark.parametrize("name", ["action", "cmd"])
def test_the_value_of_an_order(name: str, value: str) -> None:
    assert with_value(name, value)


@pytest.mark.parametrize("value", CHOICES.split())
@pytest.mark.parametrize(("name", "place"), [("x", "query"), ("x-thing", "header")])
def test_a_value_that_the_document_chose(name: str, place: Location, value: str) -> None:
    assert with_value(name, value, place)


@pytest.mark.parametrize("name", TARGETED.split())
def test_a_name_that_says_what_is_done_to_its_value(name: str) -> None:
    assert with_value(name, "7")


@pytest.mark.parametrize("end", ENDS.split())
def test_the_end_of_a_path_under_a_name_that_reads(end: str) -> None:
    assert refused(get(f"/users/{{id}}/{end}", param("id", TEXT, location="path")), {})


@pytest.mark.parametrize("verb", ["annihilate", "seize", "evict", "expelMember"])
def test_a_path_before_a_value(verb: str) -> None:
    assert refused(get(f"/{verb}/{{id}}", param("id", TEXT, location="path")), {})


@pytest.mark.parametrize("name", NAMES.split())
def test_a_name_of_a_deed(name: str) -> None:
    assert refused(get("/users/{id}", param("id", TEXT, location="path"), name=name), {})


@pytest.mark.parametrize("text", TEXTS)
def test_a_title_of_a_deed(text: str) -> None:
    assert refused(get("/users/{id}", param("id", TEXT, location="path"), text=text), {})


@pytest.mark.parametrize("name", HOW.split())
def test_a_switch_of_how_an_answer_looks(name: str) -> None:
    assert not with_value(name, True)


@pytest.mark.parametrize("value", READS.split())
def test_an_order_that_reads(value: str) -> None:
    assert not with_value("action", value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("metric", "spend"), ("algorithm", "mean"), ("unit", "feet"), ("include", "all")),
        *(("status", "creating"), ("event_type", "eviction"), ("living", "ExcludeAll")),
        *(("iban", "BE71096123456769"), ("rescale", "0,2000"), ("begin", "7"), ("uploadId", "7")),
        *(("submit", "Search"), ("mount_status", "7"), ("podcast_id_type", "7"), ("mode", "drive")),
    ],
)
def test_a_value_that_is_no_verb_there(name: str, value: str) -> None:
    assert not with_value(name, value)


@pytest.mark.parametrize("path", THINGS.split())
def test_a_path_of_things(path: str) -> None:
    assert not refused(get(path, param("id", TEXT, location="path")), {})
