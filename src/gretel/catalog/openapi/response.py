"""What an operation answers when it succeeds."""

from gretel.catalog.bounds import NOTE_LIMIT
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.openapi.operation import Operation, example_values, media_rank, media_types
from gretel.catalog.references import UnusableError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response


def read_response(operation: Operation) -> Response:
    """The first success response that the document describes; an empty one without any.

    A reference that leads nowhere leaves the schema out and a note on the operation: what a tool
    answers does not decide whether it can be called.
    """
    try:
        response = operation.resolver.object(_success(operation))
        text = as_text(response.get("description"))[:NOTE_LIMIT]
        media = _json_media(operation, response)
        if media is None:
            return Response(description=text)
        schema = _schema(operation, media)
        samples = example_values(operation.resolver, media)
    except UnusableError as error:
        operation.notes.append(f"response left out: {error.reason}")
        return Response()
    samples += as_list((schema or {}).pop("examples", None))
    return Response(json_schema=schema, example=samples[0] if samples else None, description=text)


def _success(operation: Operation) -> JsonValue:
    """200, else the lowest 2xx, else `default` where nothing but errors is named beside it."""
    responses = as_object(operation.spec.get("responses"))
    good = sorted(code for code in responses if code.startswith("2") and len(code) == 3)
    chosen = "200" if "200" in responses else (good or ["default"])[0]
    return responses.get(chosen)


def _json_media(operation: Operation, response: JsonObject) -> JsonObject | None:
    """The media type object of a JSON answer; Swagger 2.0 is put in its form."""
    if operation.document.version != "2.0":
        name, media = next(media_types(response.get("content")), ("", {}))
        return media if name and media_rank(name) == 0 else None
    media = {"schema": response["schema"]} if "schema" in response else {}
    examples = as_object(response.get("examples"))
    best = min(examples, key=media_rank, default=None)
    if best is not None and media_rank(best) == 0:
        media["example"] = examples[best]
    return media or None


def _schema(operation: Operation, media: JsonObject) -> JsonObject | None:
    if "schema" not in media:
        return None
    try:
        return operation.response.read(media["schema"])
    except UnusableError as error:
        operation.notes.append(f"response schema left out: {error.reason}")
        return None
