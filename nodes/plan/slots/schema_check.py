"""Whether a single value meets its slot's constraints, before the whole call is checked."""

from gretel.catalog.arguments import argument_problems
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Parameter, Tool, ToolId
from gretel.nodes.plan.slots.slot import Slot

_CONSTRAINTS = frozenset(
    {"pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "enum", "const"}
)


def probe_of(slot: Slot) -> Tool | None:
    """A tool whose only argument is the leaf, to check values with; None without constraints."""
    if not _CONSTRAINTS & slot.schema.keys():
        return None
    leaf = Parameter(
        name="value", wire_name="value", location="argument", required=True, json_schema=slot.schema
    )
    return Tool(tool_id=ToolId("probe.leaf"), toolkit="probe", operation="leaf", parameters=(leaf,))


def leaf_problem(probe: Tool | None, value: JsonValue) -> str:
    """How `value` breaks the leaf's constraints; empty where it does not."""
    if probe is None:
        return ""
    return next((problem.detail for problem in argument_problems(probe, {"value": value})), "")
