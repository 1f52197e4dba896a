"""Many patterns, each just cheap enough to compile, take neither memory nor minutes together."""

import subprocess
import sys
from pathlib import Path

import pytest

from fakes import param, tool
from gretel.catalog import arguments
from gretel.catalog.arguments import argument_problems
from gretel.contracts.record import JsonObject
from gretel.nodes.plan.slots.slot import leaf_problem, probe_of
from gretel.nodes.plan.slots.slots import tool_slots
from gretel.text.patterns import DEAR, PATTERN_COST, pattern_cost

NESTED = "((a{1,60}){1,60}){1,30}"
"""Some 108,000 states, each of which takes half a kilobyte once it is run."""
SCRIPT = """
import sys
from fakes import param, tool
from gretel import Catalog, Selector
from gretel.contracts.tool import HttpBinding

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

def selector(tools, patterns):
    def made(number):
        schemas = [
            {"type": "string", "default": "a", "pattern": sys.argv[1] + "b" * each}
            for each in range(number * patterns, (number + 1) * patterns)
        ]
        params = [param(f"p{i}", schema, required=True) for i, schema in enumerate(schemas)]
        binding = HttpBinding(method="GET", path=f"/f{number}", servers=("https://a.invalid",))
        return tool(f"K.find{number}", "Find things by city.", params=params, binding=binding)
    return Selector(Catalog(map(made, range(tools))))

with selector(1, 0) as warm:
    warm.select("find things in Oslo")
before = resident()
with selector(10, 20) as hostile:
    hostile.select("find things x1-abc 7 in Oslo with code AB-12 and id a1b2c3 by city 2024-05-01")
    print(resident() - before)
"""


def test_a_pattern_that_is_dear_to_run_is_not_looked_for_in_texts() -> None:
    schema: JsonObject = {"type": "string", "pattern": NESTED, "maxLength": 3}
    [slot] = tool_slots(tool("A.x", params=[param("p", schema)]))

    assert DEAR < pattern_cost(NESTED) < PATTERN_COST
    assert leaf_problem(probe_of(slot), "zz") == ""
    assert leaf_problem(probe_of(slot), "zzzz")


def test_a_call_is_checked_against_it_all_the_same() -> None:
    one = tool("A.x", params=[param("p", {"type": "string", "pattern": f"^{NESTED}$"})])

    assert argument_problems(one, {"p": "a"}) == []
    assert [each.field for each in argument_problems(one, {"p": "z"})] == ["p"]


def test_what_is_kept_of_them_is_bounded() -> None:
    several = [
        tool(f"A.x{i}", params=[param("p", {"type": "string", "pattern": NESTED + "b" * i})])
        for i in range(6)
    ]
    for each in several:
        argument_problems(each, {"p": "z"})

    kept = arguments._validators._kept.values()
    assert sum(cost for _, _, cost in kept) <= arguments.KEPT_COST


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_two_hundred_of_them_do_not_fill_the_memory(root: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, NESTED],
        capture_output=True, text=True, check=True, cwd=root / "tests",
    )  # fmt: skip

    assert float(ran.stdout.split()[-1]) < 250
