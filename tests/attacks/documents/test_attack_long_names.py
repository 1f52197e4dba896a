"""Names and values of any length: a name is read at both ends, a value's edges in one go."""

from pathlib import Path

import pytest
from hostile_specs import openapi

from alarms import at_most
from fakes import request, tool
from gretel.catalog import Catalog
from gretel.catalog.bounds import NAME_LIMIT
from gretel.catalog.openapi import response
from gretel.contracts.trial import Refusal
from gretel.datasets.values import comparable
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.text.secrecy.names import Secrecy, secrecy

in_time = at_most(20)


def test_a_name_of_numbers_costs_no_more_than_its_length() -> None:
    assert secrecy("1." * 50_000) is Secrecy.NONE


@pytest.mark.parametrize("name", ["x " * 50_000 + "api_key", "1." * 50_000 + "password"])
def test_a_long_name_still_says_that_it_is_a_secrets(name: str) -> None:
    assert secrecy(name) is Secrecy.SECRET


@pytest.mark.parametrize("marks", [".", " ", '" ', "?!"])
def test_marks_within_a_value_cost_no_more_than_their_length(marks: str) -> None:
    assert comparable(f"{marks * 100_000}a{marks * 100_000}b").endswith("b")


def test_marks_at_its_edges_are_no_part_of_a_value() -> None:
    said = ['"Oslo."', " Oslo ?! ", "'Oslo", "“Oslo”,", ".Oslo", '"." Oslo', "...", "3,000.0"]
    assert [comparable(each) for each in said] == [
        *("oslo", "oslo", "oslo", "oslo", ".oslo", '." oslo', "", "3000"),
    ]


def test_long_names_of_parameters_are_parted_once_each() -> None:
    """Each of a tool's parameters is looked at for each other one."""
    names = [(f"p{number}" + "e\u0301" * 500)[:990] for number in range(150)]
    planned = DeterministicPlanner().planned(request("find it"), tool("Kit.look", params=names))
    assert isinstance(planned, Refusal) and len(planned.missing) > 10


def test_an_operations_own_id_is_read_as_far_as_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """To part twenty million characters takes a gigabyte."""
    read: list[int] = []
    parted = response.split_identifier
    monkeypatch.setattr(
        response, "split_identifier", lambda name: read.append(len(name)) or parted(name)
    )
    operation = {"operationId": "e\u0301" * 10_000, "responses": {"401": {}, "200": {}}}
    assert len(Catalog.from_openapi(openapi({"/a": {"get": operation}}))) == 1
    assert read and max(read) <= NAME_LIMIT


@pytest.mark.parametrize("label", ["external_id", "source"])
def test_a_record_with_a_long_label_is_one_skipped_row(label: str, tmp_path: Path) -> None:
    long = tool("Kit.look").model_copy(update={label: "1:" * 10_000})
    lines = [long.model_dump_json(), tool("Kit.find").model_dump_json()]
    path = tmp_path / "tools.jsonl"
    path.write_text("\n".join(lines))
    catalog = Catalog.from_jsonl(path)
    assert [each.tool_id for each in catalog] == ["Kit.find"]
    assert "too long" in catalog.skipped[0].reason
