"""What an operation answers when it succeeds."""

import re
from collections.abc import Iterable

from gretel.catalog.bounds import NAME_LIMIT, NOTE_LIMIT
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.openapi.operation import (
    MEDIA_TYPES_READ,
    Operation,
    example_values,
    media_rank,
    media_types,
)
from gretel.catalog.references import UnusableError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_NO_CONTENT = (204, 205)
_REDIRECTS = (301, 302, 303, 307, 308)
_ACCESS = (401, 403)
_ANSWERING = frozenset((*_NO_CONTENT, *_REDIRECTS, *_ACCESS))
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]{1,60}/(?:\*|[\w!#$&^.+-]{1,100})", re.ASCII)
_MEDIA_TYPES = 10
"""Media types of an answer that are asked for."""
_ASKED_ANYWAY = ("application/json", "application/*", "*/*")
_LOGINS = word_set("auth authentication authenticated authorization bearer login session whoami")


def read_response(operation: Operation) -> Response:
    """The first success response that the document describes; an empty one without any.

    A reference that leads nowhere leaves the schema out and a note on the operation: what a tool
    answers does not decide whether it can be called.
    """
    try:
        response = operation.resolver.object(_success(operation))
        told = Response(
            description=as_text(response.get("description"))[:NOTE_LIMIT],
            statuses=_statuses(operation),
            media_types=_media_types(operation, response),
        )
        media = _json_media(operation, response)
        if media is None:
            return told
        schema = _schema(operation, media)
        samples = example_values(operation.resolver, media)
    except UnusableError as error:
        operation.notes.append(f"response left out: {error.reason}")
        return Response()
    samples += as_list((schema or {}).pop("examples", None))
    example = samples[0] if samples else None
    return told.model_copy(update={"json_schema": schema, "example": example})


def _media_types(operation: Operation, response: JsonObject) -> tuple[str, ...]:
    """What `Response.media_types` says, without parameters (`charset`)."""
    if operation.document.version == "2.0":
        given = operation.spec.get("produces", operation.document.root.get("produces"))
        names = [as_text(name) for name in as_list(given)[:MEDIA_TYPES_READ]]
        names.sort(key=media_rank)
    else:
        names = [name for name, _ in media_types(response.get("content"))]
    return _asked_for(names)


def as_documented(told: Response) -> Response:
    """What a record says of its answers, without what no document can say of them: that a failure
    is one, or that they have a media type which is none.
    """
    statuses = tuple(status for status in told.statuses if status in _ANSWERING)
    media_types = _asked_for(told.media_types[:MEDIA_TYPES_READ])
    return told.model_copy(update={"statuses": statuses, "media_types": media_types})


def _asked_for(names: Iterable[str]) -> tuple[str, ...]:
    """The media types among `names`; none where JSON, or anything, is one of them."""
    bare = dict.fromkeys(name.partition(";")[0].strip().lower() for name in names)
    if not bare.keys().isdisjoint(_ASKED_ANYWAY):
        return ()
    return tuple(name for name in bare if _MEDIA_TYPE.fullmatch(name))[:_MEDIA_TYPES]


def _statuses(operation: Operation) -> tuple[int, ...]:
    """The statuses beside 200 that are answers of the operation; see `Response.statuses`.

    No content, and a redirect, wherever they are documented: neither is an error. A status of
    failure where no other is documented, and "not logged in" where that is what is asked: of an
    operation about logins that declares no credentials.
    """
    responses = as_object(operation.spec.get("responses"))
    codes = [int(code) for code in responses if code.isdecimal() and len(code) == 3]
    told = [code for code in codes if code in _NO_CONTENT or code in _REDIRECTS]
    lone = all(code.isdecimal() and int(code) >= 400 for code in responses)
    if lone or _is_about_logins(operation):
        told += [code for code in codes if code in _ACCESS]
    return tuple(sorted(told))


def _is_about_logins(operation: Operation) -> bool:
    """Whether an operation that takes no credentials is about them, by its name and path."""
    if operation.spec.get("security", operation.document.root.get("security")):
        return False
    name = as_text(operation.spec.get("operationId"))[:NAME_LIMIT]
    words = {word for text in (name, operation.path) for word in split_identifier(text)}
    return bool(_LOGINS & words)


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
        schema = operation.response.read(media["schema"])
        if _has_subtypes(operation, media["schema"]):
            schema.setdefault("additionalProperties", True)
        return schema
    except UnusableError as error:
        operation.notes.append(f"response schema left out: {error.reason}")
        return None


def _has_subtypes(operation: Operation, schema: JsonValue) -> bool:
    """Whether an answer is one of several subtypes, which the schema does not list.

    By its `discriminator`: what an answer holds beside the names of the base is said elsewhere.
    """
    base = as_object(operation.resolver.follow(schema).value)
    return "discriminator" in base and base.keys().isdisjoint(("oneOf", "anyOf"))
