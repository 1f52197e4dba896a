"""ToolBench tool JSON → tools that are called through a StableToolBench server."""

import json
import math
from pathlib import PurePosixPath

from gretel.catalog.bounds import (
    DESCRIPTION_LIMIT,
    EXAMPLE_SIZE,
    ROW_WEIGHT,
    TOOLKIT_DESCRIPTION_LIMIT,
    Pool,
    weight,
)
from gretel.catalog.document import as_json, as_list, as_object, as_text
from gretel.catalog.formats.functions import response_schema
from gretel.catalog.identity import clean_name, mint
from gretel.catalog.openapi.operation import described_parameter
from gretel.catalog.openapi.parameters import refuse_many
from gretel.catalog.references import UnusableError
from gretel.catalog.report import Loaded
from gretel.catalog.schema_keywords import typed
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Response, Tool, VirtualBinding

SAMPLES = 20
"""Samples of a parameter that are kept."""
REMEDY = "Write it as ToolBench does: name, description, required_ and optional_parameters"


def read_toolbench(content: JsonValue, *, name: str, category: str) -> Loaded:
    """The tools of one parsed file, which `name` stands for in messages.

    Raises:
        CatalogError: it has no `api_list`.
    """
    tool = as_object(content)
    apis = tool.get("api_list")
    if not isinstance(apis, list):
        raise CatalogError("has no `api_list`", field=name, remedy=REMEDY)
    toolkit = next(filter(None, (as_text(tool.get(k)) for k in ("tool_name", "title", "name"))), "")
    loaded, pool = Loaded(), Pool()
    described = as_text(tool.get("tool_description"))[:TOOLKIT_DESCRIPTION_LIMIT]
    for number, entry in enumerate(apis):
        place = f"{name}#/api_list/{number}"
        shared: JsonObject = {
            "tool_name": toolkit or PurePosixPath(name).stem,
            "tool_description": described,
            "category_name": category or tool.get("category_name") or tool.get("category"),
        }
        with loaded.row(place):
            loaded.take(toolbench_tool(shared | as_object(entry), source=place, pool=pool))
    return loaded


def toolbench_tool(
    api: JsonObject, *, source: str, external_id: str | None = None, pool: Pool
) -> Tool:
    """One entry of an `api_list`, or of `metadata.api`, with its tool's name and category.

    Raises:
        UnusableError: it has no name, or parameters that are no parameters.
    """
    name = as_text(api.get("api_name")) or as_text(api.get("name"))
    toolkit = as_text(api.get("tool_name"))
    if not name or not toolkit:
        raise UnusableError("an API without a name of its own or its tool's", REMEDY)
    category = as_text(api.get("category_name"))
    description = as_text(api.get("api_description")) or as_text(api.get("description"))
    return Tool(
        tool_id=mint(toolkit, name),
        toolkit=clean_name(toolkit),
        operation=clean_name(name),
        description=description[:DESCRIPTION_LIMIT],
        toolkit_description=as_text(api.get("tool_description"))[:TOOLKIT_DESCRIPTION_LIMIT],
        category=category,
        parameters=_parameters(api),
        response=_response(api, pool),
        binding=VirtualBinding(
            category=category,
            tool_name=toolkit,
            api_name=name,
            method=(as_text(api.get("method")) or "GET").upper(),
        ),
        external_id=external_id,
        source=source,
    )


def _parameters(api: JsonObject) -> tuple[Parameter, ...]:
    """Required before optional ones. A name that comes again only adds its sample."""
    found: dict[str, Parameter] = {}
    for key, required in (("required_parameters", True), ("optional_parameters", False)):
        declared = as_list(api.get(key))
        refuse_many(declared)
        for entry in declared:
            name = as_text(as_object(entry).get("name"))
            if not name:
                raise UnusableError("a parameter without a name", REMEDY)
            parameter = _parameter(name, as_object(entry), required=required)
            known = found.get(name)
            if known is not None:
                samples = tuple(s for s in parameter.examples if s not in known.examples)
                examples = (known.examples + samples)[:SAMPLES]
                parameter = known.model_copy(update={"examples": examples})
            found[name] = parameter
    return tuple(found.values())


def _parameter(name: str, entry: JsonObject, *, required: bool) -> Parameter:
    """`DATE (YYYY-MM-DD)` is a type and a hint; `default` is only a sample value."""
    kind, _, hint = as_text(entry.get("type")).partition("(")
    schema = typed(kind)
    description = as_text(entry.get("description"))
    return described_parameter(
        name,
        schema,
        required=required,
        description=f"{description} ({hint}".strip() if hint else description,
        samples=_samples(entry.get("default"), as_text(schema.get("type"))),
    )


def _samples(value: JsonValue, kind: str) -> tuple[JsonValue, ...]:
    """The sample in the parameter's own type; none where it is empty, large or does not fit."""
    if value is None or value == "" or weight(value, EXAMPLE_SIZE) > EXAMPLE_SIZE:
        return ()
    if kind in ("string", ""):
        return (value if isinstance(value, str) or not kind else json.dumps(value),)
    if isinstance(value, str):
        try:
            read = json.loads(value.lower() if kind == "boolean" else value, parse_constant=str)
            value = as_json(read, place="sample")
        except (ValueError, RecursionError):
            return ()
    if kind == "boolean":
        return (bool(value),) if value in (0, 1) else ()
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    numeric = numeric and math.isfinite(value)  # type: ignore[arg-type]
    fits = {"number": numeric, "integer": numeric and value == int(value)}  # type: ignore[arg-type]
    fits |= {"array": isinstance(value, list), "object": isinstance(value, dict)}
    return (value,) if fits.get(kind, False) else ()


def _response(api: JsonObject, pool: Pool) -> Response:
    """What is documented of the answer; an example that weighs more than a row may is left out."""
    template = api.get("template_response")
    example = template if template else api.get("body") or None
    is_kept = weight(example, ROW_WEIGHT) <= ROW_WEIGHT
    return Response(
        json_schema=response_schema(as_object(api.get("schema")), pool),
        example=example if is_kept else None,
        example_is_template=bool(template) and is_kept,
    )
