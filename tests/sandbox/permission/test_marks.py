"""Marks on tools: what they mean, and that strangers cannot take them."""

import pytest

from fakes import tool
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import McpBinding, NoBinding, Tool
from gretel.sandbox.permission.marks import document_origin
from gretel.sandbox.permission.policy import Policy

SKY, SEA = "https://sky.example", "https://sea.example:8443"


def search(name: str = "Sky.search", server: str = SKY, text: str = "") -> Tool:
    return tool(name, text, method="POST", server=server)


def tried(policy: Policy, *tools: Tool) -> list[str]:
    return [each.tool_id for each in tools if policy.unsafe_call(each) is None]


def marked(mark: str) -> Policy:
    return Policy(safe_tools=frozenset({mark}))


def test_a_mark_is_held_to_what_the_tool_said() -> None:
    policy = marked("Sky.search").bound([search()])
    assert tried(policy, search()) == ["Sky.search"]
    assert tried(policy, search(text="It says something else now.")) == []
    assert tried(policy, search(server=SEA)) == []


def test_an_id_that_two_tools_had_is_refused() -> None:
    two = [search("Sky.search@POST:/search"), search("Sky.search@DELETE:/everything")]
    with pytest.raises(ConfigurationError, match=r"^safe_tools: .*not a whole id.*DELETE"):
        marked("Sky.search").bound(two)
    with pytest.raises(ConfigurationError, match="not a whole id"):
        marked("Sky.search").bound(two[1:])
    whole = marked("Sky.search@POST:/search").bound(two)
    assert tried(whole, *two) == ["Sky.search@POST:/search"]


def test_a_pattern_is_bound_to_one_origin() -> None:
    mine, theirs = search("Sky.searchAll"), search("Sea.searchAll", SEA)
    assert tried(marked("*.search*").bound([mine]), mine, theirs) == ["Sky.searchAll"]
    with pytest.raises(ConfigurationError, match=r"2 origins.*Say which: .*@https://sea") as said:
        marked("*.search*").bound([mine, theirs])
    assert said.value.field == "safe_tools"
    one = marked(f"*.search*@{SKY}").bound([mine, theirs])
    assert tried(one, mine, theirs) == ["Sky.searchAll"]


def test_a_pattern_means_no_tool_that_comes_later() -> None:
    policy = marked("*.search*").bound([search()])
    assert tried(policy, search("Sky.searchAndDestroy")) == []


@pytest.mark.parametrize("mark", ["*.search", "Sky.*", "*", "Sk*.s*h", f"Sky.search@{SKY}"])
def test_what_a_mark_means(mark: str) -> None:
    policy = marked(mark).bound([search()])
    assert tried(policy, search()) == ["Sky.search"]


@pytest.mark.parametrize("mark", ["sky.search", "Sky.sear", "Sky.s?arch", "*.Search", "Sky[.]*"])
def test_what_a_mark_does_not_mean(mark: str) -> None:
    with pytest.raises(ConfigurationError, match="matches no tool"):
        marked(mark).bound([search()])


def test_a_pattern_means_nothing_before_it_meets_a_catalogue() -> None:
    assert tried(marked("*.search"), search()) == []
    assert tried(marked("Sky.search"), search()) == ["Sky.search"]


def test_unsafe_is_not_shaken_off() -> None:
    policy = Policy(safe_tools=frozenset({"*"}), unsafe_tools=frozenset({"Sky.search"}))
    assert tried(policy.bound([search()]), search()) == []
    renamed = [search("Sky.search@POST:/a"), search("Sky.search@POST:/b", text="Another.")]
    assert tried(policy.bound(renamed), *renamed) == []
    assert tried(policy.bound([search()]), search(text="Changed.", server=SEA)) == []


def test_marks_of_other_catalogues_are_passed_over_where_told() -> None:
    policy = Policy(safe_tools=frozenset({"Sky.search", "Sea.search"}))
    assert tried(policy.bound([search()], others=True), search()) == ["Sky.search"]
    with pytest.raises(ConfigurationError, match=r"Sea\.search"):
        policy.bound([search()])


@pytest.mark.parametrize(
    ("made", "origin"),
    [
        (search(), SKY),
        (search(server="/api"), "doc.yaml"),
        (search().model_copy(update={"binding": McpBinding(server="s", tool="t")}), "mcp:s"),
        (search().model_copy(update={"binding": NoBinding(), "source": ""}), "Sky"),
    ],
    ids=["server", "no server", "mcp", "nothing"],
)
def test_whose_word_a_tool_is(made: Tool, origin: str) -> None:
    source = made.source if origin == "Sky" else "doc.yaml#/paths/~1search/post"
    assert document_origin(made.model_copy(update={"source": source})) == origin
