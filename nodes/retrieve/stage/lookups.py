"""Which candidates are tried where a request holds a code: few that look it up as the same kind.

"8d17009b-3e92 - which shots does it consist of?" says nothing of what the code is the id of. Only a
call tells: servers know an id of one kind, and answer the others with 404. Candidates that would
look it up as the same kind of thing (`/shots/{shot_id}`, `/shots/{shot_id}/versions`) stand or fall
together, so that trials of many of them say little. Behind the first places, those go ahead
that look it up as something else, before those that take no code at all.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import PlanResult
from gretel.nodes.plan_evidence import codes_in

KEPT = 5
"""First places, which stay as they are."""
MOVED = 5
"""Candidates that go ahead of others, at most."""
ALIKE = 2
"""Candidates among all of these that look a code up as the same kind of thing."""

Kind: TypeAlias = tuple[Owner, str]
"""Whose things, and the path down to the id, or the parameter where no path holds it."""
_T = TypeVar("_T")


def lookup_of(plan: PlanResult, tool: Tool) -> Kind | None:
    """As what kind of thing a call looks up a code that was said; None where it takes none."""
    found = codes_in(plan)
    return (owner_of(tool), _place(tool, found[0])) if found else None


def spread(ordered: Sequence[_T], kind_of: Callable[[_T], Kind | None]) -> list[_T]:
    """`ordered`, with those ahead behind the first places that look a code up as something else."""
    first, rest = list(ordered[:KEPT]), ordered[KEPT:]
    seen = Counter(filter(None, map(kind_of, first)))
    ahead, behind = list[_T](), list[_T]()
    for each in rest:
        kind = kind_of(each)
        if kind is None or seen[kind] >= ALIKE or len(ahead) == MOVED:
            behind.append(each)
        else:
            seen[kind] += 1
            ahead.append(each)
    return [*first, *ahead, *behind]


def _place(tool: Tool, name: str) -> str:
    binding = tool.binding
    if isinstance(binding, HttpBinding):
        before, found, _ = binding.path.partition(f"{{{name}}}")
        if found:
            return before + found
    return name
