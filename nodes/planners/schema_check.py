"""Whether a single value meets its parameter's constraints, before the whole call is checked."""

from gretel.catalog.arguments import argument_problems
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.nodes.planners.slot import Slot

_CONSTRAINTS = frozenset(
    {"pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength"}
)


def leaf_problem(tool: Tool, slot: Slot, value: JsonValue) -> str:
    """How `value` breaks a top-level slot's constraints; empty where it does not."""
    if len(slot.path) > 1 or not _CONSTRAINTS & slot.schema.keys():
        return ""
    given = [value] if slot.many else value
    for problem in argument_problems(tool, {slot.path[0]: given}):
        if problem.field == slot.path[0] and problem.kind == "invalid_value":
            return problem.detail
    return ""
