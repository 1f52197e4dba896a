"""Faults: drawn from seed and id alone, in the shares that were asked for."""

import json
from collections import Counter
from pathlib import Path

import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import ToolId
from gretel.evaluation.mock.faults import (
    DEFAULT_FAULTS,
    PERSISTENT,
    TRANSIENT,
    draw_faults,
    functioning,
    read_mix,
    scaled,
)

TOOLS = [tool(f"Kit{number % 200}.op{number}") for number in range(4_000)]
CATALOG = Catalog.from_tools(TOOLS)
IDS = [each.tool_id for each in TOOLS]


def test_the_default_shares_are_those_of_table_4() -> None:
    faults = draw_faults(CATALOG, unit="tool", seed=7)
    kinds = Counter(faults.values())
    for kind in PERSISTENT:
        assert kinds[kind] / 40 == pytest.approx(DEFAULT_FAULTS[kind], abs=2)
    assert sum(DEFAULT_FAULTS[kind] for kind in ("empty", "irrelevant")) == 25
    assert sum(share for kind, share in DEFAULT_FAULTS.items() if kind in TRANSIENT) == 9
    assert sum(DEFAULT_FAULTS.values()) == 25 + 18


def test_transient_faults_take_their_share_of_all_calls() -> None:
    faults = draw_faults(CATALOG, seed=7)
    drawn = [faults.at(tool_id, request) for tool_id in IDS for request in ("q1", "q2", "q3")]
    transient = [fault for fault in drawn if fault in TRANSIENT]
    assert 100 * len(transient) / len(drawn) == pytest.approx(9, abs=1)
    assert set(transient) == set(TRANSIENT)


def test_a_transient_fault_belongs_to_one_request_and_stays_there() -> None:
    faults = draw_faults(CATALOG, mix={"rate_limit": 50}, seed=7)
    assert len(faults) == 0
    first = [faults.at(tool_id, "q1") for tool_id in IDS]
    assert first == [faults.at(tool_id, "q1") for tool_id in IDS]
    assert first != [faults.at(tool_id, "q2") for tool_id in IDS]


def test_a_draw_does_not_depend_on_the_rest_of_the_catalogue() -> None:
    whole = draw_faults(CATALOG, seed=7)
    part = draw_faults(Catalog.from_tools(TOOLS[1000:1500]), seed=7)
    assert dict(part) == {each: whole[each] for each in part}
    assert {each for each in whole if each in IDS[1000:1500]} == set(part)


def test_another_seed_breaks_other_tools() -> None:
    assert set(draw_faults(CATALOG, seed=7)) != set(draw_faults(CATALOG, seed=8))
    assert dict(draw_faults(CATALOG, seed=7)) == dict(draw_faults(CATALOG, seed=7))


def test_faults_break_all_tools_of_a_toolkit_alike_unless_told_otherwise() -> None:
    faults = draw_faults(CATALOG, seed=7)
    assert faults.digest == draw_faults(CATALOG, unit="toolkit", seed=7).digest
    states: dict[str, set[str]] = {}
    for each in TOOLS:
        states.setdefault(each.toolkit, set()).add(faults.get(each.tool_id, "ok"))
    assert all(len(kinds) == 1 for kinds in states.values())
    assert 20 < sum(kinds != {"ok"} for kinds in states.values()) < 120


def test_gold_with_transient_failures_alone_functions() -> None:
    faults = draw_faults(CATALOG, mix={"dead": 30, "timeout": 70}, seed=7)
    assert functioning(IDS, faults) == set(IDS) - set(faults)
    assert functioning([], faults) == frozenset()
    assert functioning([ToolId("not.here")], faults) == {"not.here"}
    alive = next(each for each in IDS if each not in faults)
    assert faults.at(alive, "q1") == "timeout"


def test_a_mix_scaled_down_breaks_a_subset() -> None:
    broken = [
        set(draw_faults(CATALOG, mix=scaled(DEFAULT_FAULTS, percent), seed=7))
        for percent in (0, 10, 30, 50)
    ]
    assert broken[0] == set()
    assert broken[0] < broken[1] < broken[2] < broken[3]
    assert sum(scaled(DEFAULT_FAULTS, 30).values()) == pytest.approx(30)


def test_nothing_fails_without_faults() -> None:
    faults = draw_faults(CATALOG, mix="none", seed=7)
    assert dict(faults) == {}
    assert all(faults.at(tool_id, "q1") is None for tool_id in IDS[:200])


def test_a_mix_can_break_everything() -> None:
    faults = draw_faults(CATALOG, mix={"empty": 60, "auth": 40}, seed=7)
    assert set(faults) == set(IDS)


def test_an_empty_catalogue_has_no_faults() -> None:
    assert dict(draw_faults(Catalog(), seed=7)) == {}


def test_the_digest_covers_what_decides_the_draws() -> None:
    digests = {
        draw_faults(CATALOG, seed=7).digest,
        draw_faults(CATALOG, seed=8).digest,
        draw_faults(CATALOG, seed=7, mix="none").digest,
        draw_faults(CATALOG, seed=7, unit="tool").digest,
    }
    assert len(digests) == 4
    assert draw_faults(CATALOG, seed=7).digest in digests


def test_a_mix_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mix.json"
    path.write_text(json.dumps({"auth": 10, "empty": 12.5}))
    assert read_mix(str(path)) == {"auth": 10, "empty": 12.5}
    assert read_mix("default") == DEFAULT_FAULTS


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"explode": 3}', "'explode' is unknown"),
        ('{"auth": -1}', "not a share"),
        ('{"auth": "many"}', "not a share"),
        ('{"auth": true}', "not a share"),
        ('{"auth": 60, "empty": 50}', "sum to 110"),
        ("[1]", "no JSON object"),
        ("{", "cannot be read"),
    ],
)
def test_what_is_no_mix_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "mix.json"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match=words) as caught:
        read_mix(str(path))
    assert caught.value.field == "faults"
    assert "rate_limit" in caught.value.remedy


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_mix("nowhere.json")


def test_no_faults_cannot_be_scaled() -> None:
    with pytest.raises(ConfigurationError, match="scaled"):
        scaled({}, 10)


def test_a_named_mix_can_be_scaled() -> None:
    assert sum(read_mix("default", percent=30).values()) == pytest.approx(30)
    assert read_mix("default", percent=30)["empty"] == pytest.approx(12.5 * 30 / 43)
    assert read_mix("default", percent=0) == {}
    with pytest.raises(ConfigurationError, match="without faults cannot be scaled"):
        read_mix("none", percent=10)
