"""The operations of an API document as a server sees them: parameters checked, answers made up."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
from documents import Document, base_path

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response, Tool, ToolId
from gretel.nodes.simulate.schema import simulated_answer


class Rejected(Exception):
    """A request that breaks the operation's contract.

    Attributes:
        code: a word for programs, as real APIs give one.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Operation:
    """One operation, its references resolved."""

    operation_id: str
    method: str
    path: str
    """With the path of the server in front; placeholders as in the document."""
    parameters: tuple[Mapping[str, Any], ...] = ()
    """Parameter objects of the document."""
    body: JsonObject | None = None
    """Schema of the JSON body; None without a body."""
    status: int = 200
    answer: JsonObject = field(default_factory=dict)
    """Schema of the successful answer."""

    def arguments(
        self, path: Mapping[str, str], query: Mapping[str, str], body: bytes
    ) -> JsonObject:
        """The values of a request, defaults filled in.

        Raises:
            Rejected: a value is missing or not valid.
        """
        values: JsonObject = {}
        for parameter in self.parameters:
            name, schema = parameter["name"], parameter["schema"]
            raw = (path if parameter["in"] == "path" else query).get(name)
            if raw is not None:
                values[name] = _parsed(name, raw, schema)
            elif parameter.get("required"):
                raise Rejected("missing_parameter", f"parameter '{name}' is required")
            elif "default" in schema:
                values[name] = schema["default"]
        return values if self.body is None else {**values, **_parsed_body(body, self.body)}

    def made_up(self, arguments: JsonObject, *, seed: int) -> JsonValue:
        """A seeded answer that fits the document and repeats the arguments."""
        tool = Tool(
            tool_id=ToolId(f"{self.method} {self.path}"),
            toolkit=self.path.split("/")[1],
            operation=self.operation_id,
            response=Response(json_schema=self.answer),
        )
        return simulated_answer(tool, arguments, seed=seed)


def operations_of(document: Document) -> list[Operation]:
    """All operations of a document whose references are local and without cycles."""
    found = []
    for path, item in document["paths"].items():
        for method, node in item.items():
            spec = _resolved(document, node)
            status, response = next((s, r) for s, r in spec["responses"].items() if s[0] == "2")
            found.append(
                Operation(
                    operation_id=spec["operationId"],
                    method=method.upper(),
                    path=base_path(document) + path,
                    parameters=tuple(spec.get("parameters", ())),
                    body=_schema(spec["requestBody"]) if "requestBody" in spec else None,
                    status=int(status),
                    answer=_schema(response),
                )
            )
    return found


def _schema(holder: Mapping[str, Any]) -> JsonObject:
    schema: JsonObject = holder["content"]["application/json"]["schema"]
    return schema


def _resolved(document: Document, node: Any) -> Any:
    if isinstance(node, list):
        return [_resolved(document, item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target: Any = document
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return _resolved(document, target)
    return {key: _resolved(document, value) for key, value in node.items()}


def _parsed(name: str, raw: str, schema: JsonObject) -> JsonValue:
    value: JsonValue = raw
    if schema.get("type") in ("integer", "number", "boolean"):
        try:
            value = json.loads(raw)
        except ValueError:
            raise Rejected("invalid_parameter", f"'{name}': {raw!r} is not valid") from None
    _check(name, value, schema)
    return value


def _parsed_body(raw: bytes, schema: JsonObject) -> JsonObject:
    try:
        body = json.loads(raw)
    except ValueError:
        raise Rejected("invalid_body", "the body is not JSON") from None
    _check("body", body, schema)
    if not isinstance(body, dict):
        raise Rejected("invalid_body", "the body is not a JSON object")
    return body


def _check(name: str, value: JsonValue, schema: JsonObject) -> None:
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    for error in validator.iter_errors(value):
        raise Rejected("invalid_parameter", f"'{name}': {error.message}")
