"""Where an operation is served, and which credentials it takes."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

from gretel.catalog.bounds import NAME_LIMIT, SCOPES_LIMIT, URL_LIMIT
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.openapi.operation import Asked, Document, Operation
from gretel.catalog.references import UnusableError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import SecurityScheme

SERVERS_READ = 50
ALTERNATIVES_READ = 50
SCHEMES_READ = 20
SCOPES_READ = 200

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_KINDS = ("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS")


def servers(operation: Operation) -> tuple[str, ...]:
    """Base URLs, the operation's own before its path's before the document's.

    Variables get their default, else the first member of their enum, else stay as they are. A
    relative URL stays relative: the document does not say where it came from. One that is longer
    than `URL_LIMIT` is left out.
    """
    if operation.document.version == "2.0":
        return tuple(dict.fromkeys(_swagger_servers(operation)))
    for holder in (operation.spec, operation.item, operation.document.root):
        listed = as_list(holder.get("servers"))[:SERVERS_READ]
        urls = [_filled(as_object(server)) for server in listed]
        if any(urls):
            return tuple(dict.fromkeys(url for url in urls if url))
    return ()


def security(operation: Operation) -> tuple[tuple[SecurityScheme, ...], ...]:
    """Alternatives of schemes; none where the document says nothing that can be used.

    One that names an undefined scheme, one with a name of more than `NAME_LIMIT`, or too many, is
    dropped, with a note. An operation that is declared open has one empty alternative. Authors
    define schemes and forget to say where: one that says nothing may be sent what the others ask
    for, or each scheme where none ever asks.
    """
    required = operation.spec.get("security", operation.document.root.get("security"))
    if required == []:
        return ((),)
    if required is not None:
        return _alternatives(operation, required)
    usual = operation.document.usual_security
    if usual is None:
        return _never_asked_for(operation.document)
    found = _alternatives(operation, usual)
    return tuple(dict.fromkeys((*found, ()))) if found else ()


def _alternatives(
    operation: Operation, required: JsonValue
) -> tuple[tuple[SecurityScheme, ...], ...]:
    """The alternatives that `required`, a part of the document, lists, each once."""
    known = operation.document.asked
    if id(required) not in known:
        known[id(required)] = _asked(operation.document, required)
    operation.notes.extend(known[id(required)].notes)
    return known[id(required)].alternatives


def _asked(document: Document, required: JsonValue) -> Asked:
    schemes = _schemes(document)
    alternatives: list[tuple[SecurityScheme, ...]] = []
    notes: list[str] = []
    scopes_left = SCOPES_LIMIT
    for entry in as_list(required)[:ALTERNATIVES_READ]:
        alternative: list[SecurityScheme] = []
        for name, scopes in as_object(entry).items():
            if len(alternative) == SCHEMES_READ:
                notes.append(f"more than {SCHEMES_READ} security schemes at once")
                break
            scheme = _scheme(document, name, schemes.get(name), scopes)
            if scheme is None:
                notes.append(f"security scheme {name[:200]!r} is not defined")
                break
            alternative.append(scheme)
        else:
            scopes_left -= sum(len(scheme.scopes) for scheme in alternative)
            if scopes_left < 0:
                notes.append(f"more than {SCOPES_LIMIT:,} scopes in all")
                break
            alternatives.append(tuple(alternative))
    return Asked(tuple(dict.fromkeys(alternatives)), tuple(notes))


def _never_asked_for(document: Document) -> tuple[tuple[SecurityScheme, ...], ...]:
    schemes = _schemes(document)
    if not schemes:
        return ()
    if id(schemes) not in document.asked:
        listed = islice(schemes.items(), ALTERNATIVES_READ)
        found = [_scheme(document, name, raw, []) for name, raw in listed]
        usable = [(scheme,) for scheme in found if scheme is not None]
        document.asked[id(schemes)] = Asked((*usable, ()) if usable else (), ())
    return document.asked[id(schemes)].alternatives


def _filled(server: JsonObject) -> str:
    variables = as_object(server.get("variables"))
    template = as_text(server.get("url"))
    if len(template) > URL_LIMIT:
        return ""

    def value(match: re.Match[str]) -> str:
        variable = as_object(variables.get(match[1]))
        members = as_list(variable.get("enum"))
        chosen = as_text(variable.get("default", members[0] if members else None)) or match[0]
        return chosen[: URL_LIMIT + 1]

    url = _VARIABLE.sub(value, template)
    return url if len(url) <= URL_LIMIT else ""


def _swagger_servers(operation: Operation) -> Iterator[str]:
    root = operation.document.root
    host, base = as_text(root.get("host")), as_text(root.get("basePath"))
    if len(host) + len(base) > URL_LIMIT:
        return
    base = f"/{base.strip('/')}" if base.strip("/") else ""
    if not host:
        if base:
            yield base
        return
    declared = operation.spec.get("schemes", root.get("schemes"))
    schemes = [as_text(scheme) for scheme in as_list(declared)[:SCHEMES_READ]]
    web = [scheme for scheme in ("https", "http") if scheme in schemes]
    for scheme in web or ["https"]:
        yield f"{scheme}://{host.rstrip('/')}{base}"


def _schemes(document: Document) -> JsonObject:
    if document.version == "2.0":
        return as_object(document.root.get("securityDefinitions"))
    components = as_object(document.root.get("components"))
    return as_object(components.get("securitySchemes"))


def _scheme(
    document: Document, name: str, raw: JsonValue, scopes: JsonValue
) -> SecurityScheme | None:
    try:
        entry = document.resolver.object(raw)
    except UnusableError:
        return None
    basic = entry.get("type") == "basic"  # Swagger 2.0
    kind = "http" if basic else entry.get("type")
    if kind not in _KINDS:
        return None
    is_key = kind == "apiKey"
    place = entry.get("in") if is_key else None
    parameter = as_text(entry.get("name")) if is_key else ""
    word = "basic" if basic else as_text(entry.get("scheme")).lower()
    wanted = tuple(as_text(scope) for scope in as_list(scopes)[:SCOPES_READ])
    if max(map(len, (name, parameter, word, *wanted))) > NAME_LIMIT:
        return None
    return SecurityScheme(
        name=name,
        kind=cast(Any, kind),
        location=cast(Any, place) if place in ("header", "query", "cookie") else None,
        parameter=parameter or None,
        scheme=word or None,
        token_url=_token_url(entry),
        scopes=wanted,
    )


def _token_url(entry: JsonObject) -> str | None:
    """Where tokens are issued; None where nothing says so, or it is longer than `URL_LIMIT`."""
    flow = as_object(as_object(entry.get("flows")).get("clientCredentials"))
    if entry.get("flow") == "application":  # Swagger 2.0
        flow = entry
    url = as_text(flow.get("tokenUrl"))
    return url if 0 < len(url) <= URL_LIMIT else None
