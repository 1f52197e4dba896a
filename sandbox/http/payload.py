"""Request bodies: JSON, form, multipart fields, plain text."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from gretel.catalog.document import as_list
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import FORM, MULTIPART, Parameter, Tool
from gretel.sandbox.http.serialise import query_pairs, unsendable, value_text
from gretel.text.foreign import foreign

_SHOWN = 80
"""Characters of a media type that an error repeats."""
_ESSENCE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_JSON = frozenset({"application/json", "text/json", "*/*", "application/*"})
_CHARSET = re.compile(r";\s*charset\s*=", re.I)


class Payload(NamedTuple):
    """A body and the headers that say what it is."""

    headers: tuple[tuple[str, str], ...] = ()
    content: bytes | None = None


def encode_payload(
    tool: Tool, arguments: Iterable[tuple[Parameter, JsonValue]], media_type: str | None
) -> Payload:
    """The body of a call; without body arguments there is none.

    Raises:
        ArgumentsError: the values cannot be written in `media_type`.
    """
    fields = [(each, value) for each, value in arguments if each.location in {"body", "content"}]
    if not fields:
        return Payload()
    sent = _sent(tool, media_type or "application/json")
    kind = sent.partition(";")[0].lower()
    whole = next((each for each in fields if each[0].location == "content"), None)
    if kind in _JSON or kind.endswith("+json"):
        value = whole[1] if whole else {each.wire_name: value for each, value in fields}
        return json_payload(value, sent)
    if whole is not None:
        return _text_payload(*whole, sent)
    if kind == FORM:
        return _form_payload(fields)
    if kind == MULTIPART:
        return _multipart_payload(fields)
    remedy = "Only JSON, form, multipart and text bodies are written."
    problem = f"a {foreign(kind, _SHOWN)} body cannot be made"
    raise ArgumentsError(problem, field=tool.tool_id, remedy=remedy)


def json_payload(value: JsonValue, media_type: str = "application/json") -> Payload:
    """`value` as a JSON body.

    Raises:
        ArgumentsError: the value is no JSON (not finite, nested too deeply).
    """
    try:
        content = json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError):
        remedy = "Plan plain JSON values."
        raise ArgumentsError("it cannot be written as JSON", field="body", remedy=remedy) from None
    return Payload((("Content-Type", media_type),), content)


def _sent(tool: Tool, media_type: str) -> str:
    """A document's media type as it is sent: its name, and how we write where it asks for that.

    Another parameter may be an order (SOAP's `action`), which nobody has judged.

    Raises:
        ArgumentsError: it is no media type.
    """
    essence, _, rest = media_type.partition(";")
    if not _ESSENCE.fullmatch(essence.strip()):
        problem = f"its body is {foreign(media_type, _SHOWN)!r}, which is not a media type"
        remedy = "Correct the document, or leave the body out."
        raise ArgumentsError(problem, field=tool.tool_id, remedy=remedy)
    return essence.strip() + ("; charset=utf-8" if _CHARSET.search(f";{rest}") else "")


def _text_payload(parameter: Parameter, value: JsonValue, media_type: str) -> Payload:
    """A whole body that is text of some other media type."""
    if not isinstance(value, str):
        raise unsendable(parameter, f"is not text, and the body is {foreign(media_type, _SHOWN)}")
    return Payload((("Content-Type", media_type),), value_text(parameter, value).encode())


def _form_payload(fields: list[tuple[Parameter, JsonValue]]) -> Payload:
    """Fields as a form; they are encoded as in a query."""
    pairs = [pair for field in fields for pair in query_pairs(*field)]
    return Payload((("Content-Type", FORM),), "&".join(pairs).encode())


def _multipart_payload(fields: list[tuple[Parameter, JsonValue]]) -> Payload:
    """Fields as multipart, files by their text.

    The boundary comes from the content, so that calls repeat.
    """
    parts: list[bytes] = []
    for parameter, value in fields:
        for item in value if isinstance(value, list) else [value]:
            parts.append(_part(parameter, item))
    boundary = f"gretel-{hashlib.sha256(b''.join(parts)).hexdigest()[:32]}"
    mark = f"--{boundary}\r\n".encode()
    content = b"".join(mark + part for part in parts) + f"--{boundary}--\r\n".encode()
    return Payload((("Content-Type", f"{MULTIPART}; boundary={boundary}"),), content)


def _part(parameter: Parameter, value: JsonValue) -> bytes:
    """One field of a multipart body."""
    if (
        any(sign in parameter.wire_name for sign in '"\r\n\\')
        or not parameter.wire_name.isprintable()
    ):
        raise unsendable(parameter, "goes to a field whose name cannot be written")
    head = f'Content-Disposition: form-data; name="{parameter.wire_name}"'
    if _is_file(parameter.json_schema):
        # By its file name alone do servers tell a file from a field of text.
        head += f'; filename="{parameter.wire_name}"\r\nContent-Type: application/octet-stream'
    return f"{head}\r\n\r\n{value_text(parameter, value)}\r\n".encode()


def _is_file(schema: JsonValue) -> bool:
    """Whether a field is a file by its schema, a list of files, or one that may be null."""
    if not isinstance(schema, dict):
        return False
    if schema.get("format") == "binary":
        return True
    if "contentMediaType" in schema and "contentEncoding" not in schema:
        return True
    alternatives = [
        each for key in ("anyOf", "oneOf", "allOf") for each in as_list(schema.get(key))
    ]
    return any(map(_is_file, [schema.get("items"), *alternatives]))
