"""OpenAPI 3.0, 3.1 and Swagger 2.0 documents → tools, one operation at a time."""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, cast

from gretel.catalog.base_url import checked_base_url, move, refuse_url
from gretel.catalog.bounds import NAME_LIMIT, TOOLKIT_DESCRIPTION_LIMIT, URL_LIMIT
from gretel.catalog.document import (
    as_json,
    as_list,
    as_object,
    as_text,
    parse_document,
    read_document,
)
from gretel.catalog.identity import clean_name, mint, operation_name
from gretel.catalog.openapi.access import security, servers
from gretel.catalog.openapi.body import read_body
from gretel.catalog.openapi.digest import digest_of
from gretel.catalog.openapi.operation import (
    METHODS,
    Document,
    Operation,
    Version,
    joined_text,
    path_place,
)
from gretel.catalog.openapi.parameters import (
    declared_parameters,
    distinct_names,
    path_template,
    wire_parameters,
)
from gretel.catalog.openapi.response import read_response
from gretel.catalog.openapi.strict import refuse_invalid
from gretel.catalog.references import Resolver, UnusableError
from gretel.catalog.report import Loaded, Note, Titled
from gretel.catalog.titles import mark_documents, title_of
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Tool

_VERSIONS: tuple[tuple[str, Version], ...] = (("3.0", "3.0"), ("3.1", "3.1"), ("3.2", "3.1"))


def load_openapi(
    source: str | Path | bytes | Mapping[str, Any],
    *,
    strict: bool = False,
    toolkit: str | None = None,
    base_url: str | None = None,
) -> Loaded:
    """Every operation of the document that can become a Tool, and a row for each other.

    Raises:
        CatalogError: not an OpenAPI document, or `strict` and not a valid one.
    """
    server = checked_base_url(base_url) if base_url is not None else None
    content, name = _content(source)
    loaded = read_openapi(content, name=name, strict=strict, toolkit=toolkit)
    if server is not None:
        move(loaded, server, place=name)
    mark_documents(loaded, _file(source))
    return loaded


def read_openapi(
    content: JsonValue, *, name: str, strict: bool = False, toolkit: str | None = None
) -> Loaded:
    """What `load_openapi` does, of a parsed document that `name` stands for in messages."""
    document = _document(content, name, toolkit)
    if strict:
        refuse_invalid(document.root, place=name)
    loaded = Loaded()
    for operation in _operations(document, loaded):
        with loaded.row(operation.place):
            loaded.take(_tool(operation))
            loaded.note(operation.place, operation.notes)
        loaded.read(operation.place, operation.declared)
    loaded.documents.append(_titled(document, named=bool(toolkit)))
    return loaded


def is_openapi(content: JsonValue) -> bool:
    """Whether the parsed document says that it is one."""
    return bool({"openapi", "swagger"} & as_object(content).keys())


def _content(source: str | Path | bytes | Mapping[str, Any]) -> tuple[JsonValue, str]:
    """The parsed document, and its name for messages."""
    name = "document"
    path = _file(source)
    if path is not None:
        refuse_url(str(source))
        return read_document(path, place=path.name), path.name
    if isinstance(source, Mapping):
        return as_json(source, place=name), name
    return parse_document(cast(bytes | str, source), place=name), name


def _file(source: str | Path | bytes | Mapping[str, Any]) -> Path | None:
    """The path that `source` is; None where it is the document itself."""
    if isinstance(source, str):
        return None if "\n" in source or source.lstrip().startswith("{") else Path(source)
    return source if isinstance(source, Path) else None


def _document(content: JsonValue, name: str, toolkit: str | None) -> Document:
    root = as_object(content)
    info = as_object(root.get("info"))
    title = as_text(info.get("title"))
    return Document(
        root=root,
        version=_version(root, name),
        name=name,
        toolkit=clean_name(toolkit) if toolkit else title_of(title or PurePosixPath(name).stem),
        resolver=Resolver(root),
        description=as_text(info.get("description"))[:TOOLKIT_DESCRIPTION_LIMIT],
    )


def _titled(document: Document, *, named: bool) -> Titled:
    name, toolkit = document.name, document.toolkit
    return Titled(name, toolkit, toolkit, digest_of(document.root), named=named)


def _version(root: JsonObject, name: str) -> Version:
    stated = as_text(root.get("openapi", root.get("swagger")))
    if not stated:
        raise CatalogError(
            "is not an OpenAPI document: it has no `openapi` or `swagger` version",
            field=name,
            remedy="Give an OpenAPI 3 or Swagger 2.0 document",
        )
    if "openapi" not in root and stated.startswith("2"):
        return "2.0"
    for prefix, version in _VERSIONS:
        if "openapi" in root and stated.startswith(prefix):
            return version
    raise CatalogError(
        f"has version {stated[:40]!r}",
        field=name,
        remedy="Versions 2.0, 3.0 and 3.1 are read; convert the document",
    )


def _operations(document: Document, loaded: Loaded) -> Iterator[Operation]:
    paths = document.root.get("paths")
    if paths is not None and not isinstance(paths, dict):
        raise CatalogError("`paths` is not an object", field=document.name, remedy="Correct it")
    if not paths:
        loaded.notes.append(Note(document.name, "the document has no paths"))
    for path, raw in as_object(paths).items():
        if path.startswith("x-"):
            continue
        item: JsonObject = {}
        with loaded.row(path_place(document, path[:URL_LIMIT])):
            item = _path_item(document, path, as_object(raw))
        for method in METHODS:
            if method in item:
                spec = as_object(item[method])
                yield Operation(document, path, method, item, spec)


def _path_item(document: Document, path: str, item: JsonObject) -> JsonObject:
    if len(path) > URL_LIMIT:
        raise UnusableError(f"a path of {len(path):,} characters", "Shorten it")
    return {**document.resolver.object(item), **item} if "$ref" in item else item


def _tool(operation: Operation) -> Tool:
    spec, document = operation.spec, operation.document
    declared_id = as_text(spec.get("operationId"))
    name = clean_name(declared_id or operation_name(operation.method, operation.path))
    declared = declared_parameters(operation)
    body = read_body(operation, declared)
    parameters = [*wire_parameters(operation, declared), *body.parameters]
    response = read_response(operation)
    if operation.request.cut or operation.response.cut:
        operation.notes.append("schemas were cut because of their size")
    return Tool(
        tool_id=mint(document.toolkit, name),
        toolkit=document.toolkit,
        operation=name,
        description=joined_text(
            spec.get("summary", operation.item.get("summary")),
            spec.get("description", operation.item.get("description")),
        ),
        toolkit_description=document.description,
        category=_category(spec),
        parameters=distinct_names(parameters),
        response=response,
        binding=HttpBinding(
            method=operation.method.upper(),
            path=path_template(operation.path),
            servers=servers(operation),
            security=security(operation),
            media_type=body.media_type,
        ),
        external_id=declared_id if 0 < len(declared_id) <= NAME_LIMIT else None,
        source=operation.place,
        deprecated=spec.get("deprecated") is True,
    )


def _category(spec: JsonObject) -> str:
    """The operation's first tag."""
    tags = as_list(spec.get("tags"))
    tag = as_text(tags[0]) if tags else ""
    return clean_name(tag) if tag else ""
