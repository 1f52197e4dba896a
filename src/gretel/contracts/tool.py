"""`Tool`: one callable operation, and how it is called."""

from itertools import islice
from typing import Annotated, Any, ClassVar, Literal, NewType, TypeAlias, cast

from pydantic import Field

from gretel.contracts.record import JsonObject, JsonValue, Record
from gretel.text.identifiers import split_identifier
from gretel.text.secrecy.names import is_service_key

ToolId = NewType("ToolId", str)
"""Stable id `toolkit.operation`, minted in `catalog/identity.py` alone."""

Location: TypeAlias = Literal["path", "query", "header", "cookie", "body", "content", "argument"]
"""Where an argument goes: `body` is one property of an object body, `content` the whole body,
`argument` a named argument of a tool that is not called over HTTP."""

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
"""Media types of a body whose properties are fields."""


class Parameter(Record):
    """One argument that a tool takes."""

    name: str
    """The argument's name; unique within the tool."""
    wire_name: str
    """The name on the wire; differs from `name` only where two locations share a name."""
    location: Location
    required: bool
    json_schema: JsonObject
    """JSON Schema 2020-12, references inlined, cycles cut with `{}`. A `default` here is a true
    default: what the server assumes when the argument is left out."""
    description: str = ""
    examples: tuple[JsonValue, ...] = ()
    """Sample values of the document, best first; a ToolBench `default` is one of these."""
    style: str | None = None
    """OpenAPI serialisation style (`form`, `simple`, `deepObject`, …); None: the location's own."""
    explode: bool | None = None


class SecurityScheme(Record):
    """One credential that a call needs (OpenAPI security scheme object)."""

    name: str
    """The scheme's name in its document."""
    kind: Literal["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"]
    location: Literal["header", "query", "cookie"] | None = None
    """apiKey: where the key goes."""
    parameter: str | None = None
    """apiKey: the header, query parameter or cookie that carries it."""
    scheme: str | None = None
    """http: `basic`, `bearer`, …"""
    token_url: str | None = None
    """oauth2 client credentials: where tokens are issued."""
    scopes: tuple[str, ...] = ()


class BindingRecord(Record):
    """How a tool is called; what is true of every tool of a kind stands at the kind."""

    relay: ClassVar[str | None] = None
    """The server that has to stand between: it is called in place of the tools' own, answers for
    them, and has to be named as base URL."""
    requires_loosely: ClassVar[bool] = False
    """Whether documents of this kind call parameters required that are not."""


class HttpBinding(BindingRecord):
    """Called over HTTP, as an OpenAPI operation is."""

    kind: Literal["http"] = "http"
    method: str
    """Upper case."""
    path: str
    """Path template, `/flights/{id}`, appended to the server."""
    servers: tuple[str, ...] = ()
    """Base URLs, server variables filled with their defaults; the first is used."""
    security: tuple[tuple[SecurityScheme, ...], ...] = ()
    """Alternatives: any one tuple suffices, all of its schemes together; an empty inner tuple
    says that the call also works without credentials. None: the document does not say."""
    media_type: str | None = None
    """Media type of the request body; None without a body."""


class VirtualBinding(BindingRecord):
    """Called through a server of the StableToolBench `/virtual` protocol."""

    relay: ClassVar[str | None] = "a StableToolBench server"
    requires_loosely: ClassVar[bool] = True
    kind: Literal["virtual"] = "virtual"
    category: str
    tool_name: str
    api_name: str
    method: str = "GET"
    """Method of the API behind the server; decides whether a trial may call it."""


class CallableBinding(BindingRecord):
    """A Python callable of the user's own program."""

    kind: Literal["callable"] = "callable"
    target: str | None
    """`module:qualname` of what another process can import; None: a closure over live objects,
    which the catalogue holds in memory and which no record names."""
    factory: bool = False
    """Whether `target` is called first, without arguments, and gives the callable."""


class McpBinding(BindingRecord):
    """A tool of an MCP server."""

    kind: Literal["mcp"] = "mcp"
    server: str
    """The name under which the user knows the server."""
    tool: str
    """The tool's own name there."""
    read_only: bool | None = None
    """Whether the server hints that a call changes nothing; None where it hints nothing. Its own
    word, which counts where the user trusts the server (`Policy.trusted_servers`) alone."""


class NoBinding(BindingRecord):
    """Cannot be called: ranked on retrieval and planning alone."""

    kind: Literal["none"] = "none"


Binding: TypeAlias = Annotated[
    HttpBinding | VirtualBinding | CallableBinding | McpBinding | NoBinding,
    Field(discriminator="kind"),
]


class Response(Record):
    """What the document says that a successful call answers."""

    json_schema: JsonObject | None = None
    example: JsonValue = None
    """A documented example, or a ToolBench response template (leaf values are type names)."""
    example_is_template: bool = False
    description: str = ""
    statuses: tuple[int, ...] = ()
    """HTTP statuses that the document describes as an answer of this operation, which elsewhere
    are none: a redirect that is its purpose, 204, a 401 of what tells whether one is logged in."""
    media_types: tuple[str, ...] = ()
    """What a successful call answers with, best first, where that is not `application/json`."""


class Tool(Record):
    """One callable operation: what is retrieved, tried and ranked."""

    tool_id: ToolId
    toolkit: str
    """Provider grouping: a ToolBench tool, one OpenAPI document, one MCP server."""
    operation: str
    """The operation's own name within its toolkit."""
    description: str = ""
    toolkit_description: str = ""
    category: str = ""
    parameters: tuple[Parameter, ...] = ()
    response: Response = Response()
    binding: Binding = NoBinding()
    external_id: str | None = None
    """The document's own id, where it has one; qrels are mapped through it."""
    source: str = ""
    """Where it was read: `flights.yaml#/paths/~1search/get`."""
    deprecated: bool = False

    @property
    def declares_security(self) -> bool:
        """Whether the document says which credentials a call needs, or that it needs none."""
        return isinstance(self.binding, HttpBinding) and bool(self.binding.security)

    @property
    def implied_keys(self) -> tuple[Parameter, ...]:
        """The required parameters that carry a key of the service, where no security is declared.

        Many documents describe their key as a header that is required. Headers that are named as
        keys are meant, and keys of programs in the query: a token there may be what a call is for.
        None where there are many: each is looked up for every call.
        """
        if not isinstance(self.binding, HttpBinding) or self.binding.security:
            return ()
        found = (p for p in self.parameters if p.required and _is_carrier(p))
        keys = tuple(islice(found, _MOST_KEYS + 1))
        return keys if len(keys) <= _MOST_KEYS else ()

    @property
    def security(self) -> tuple[tuple[SecurityScheme, ...], ...]:
        """The alternatives of credentials that a call needs, as `HttpBinding.security` lists them.

        Where none is declared, the implied keys, all of them together.
        """
        declared = self.binding.security if isinstance(self.binding, HttpBinding) else ()
        implied = tuple(
            SecurityScheme(
                name=p.wire_name,
                kind="apiKey",
                location=cast(Any, p.location),
                parameter=p.wire_name,
            )
            for p in self.implied_keys
        )
        return (implied,) if implied else declared

    @property
    def fillable(self) -> tuple[Parameter, ...]:
        """The parameters that arguments of a call fill: all but those that carry a credential.

        Some documents declare their API key as a security scheme and as a parameter too; its value
        is attached when the call is sent, and stands in no plan, prompt or call. An implied key may
        be given, and need not: then it is attached, too.
        """
        implied = {parameter.name for parameter in self.implied_keys}
        if implied:
            return tuple(
                p.model_copy(update={"required": False}) if p.name in implied else p
                for p in self.parameters
            )
        carriers = _credential_carriers(self.binding)
        if not carriers:
            return self.parameters
        return tuple(
            p for p in self.parameters if (p.location, p.wire_name.lower()) not in carriers
        )


def _credential_carriers(binding: Binding) -> set[tuple[str | None, str]]:
    """Location and lower-case name of what the API keys of `binding` are sent in."""
    if not isinstance(binding, HttpBinding):
        return set()
    schemes = (scheme for alternative in binding.security for scheme in alternative)
    return {(s.location, s.parameter.lower()) for s in schemes if s.parameter is not None}


_MOST_KEYS = 20
_OF_PROGRAMS = frozenset(
    {"api", "apikey", "app", "access", "secret", "jwt", "service", "developer", "subscription"}
)
"""Words for a key that a program has, and nobody is sent for once."""


def _is_carrier(parameter: Parameter) -> bool:
    """Whether a required parameter carries what the service knows its caller by."""
    keyed = parameter.location in ("header", "query") and is_service_key(parameter.wire_name)
    in_header = parameter.location == "header"
    return keyed and (in_header or not _OF_PROGRAMS.isdisjoint(split_identifier(parameter.name)))
