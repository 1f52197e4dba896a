"""What the user is told of the variables that hold credentials: names only, never a value."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, SecurityScheme, Tool
from gretel.sandbox.network.origin import Origin, origin_of
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.attached import Attached
from gretel.sandbox.secrets.credentials import (
    UNDECLARED,
    Alternatives,
    CredentialResolver,
    undeclared_header,
)
from gretel.sandbox.secrets.environment import (
    EnvironmentCredentials,
    choices,
    host_variable,
    settings,
)
from gretel.sandbox.secrets.lacking import in_clear


class Use(NamedTuple):
    """The credentials of one server, as the environment has them."""

    origin: Origin
    detail: str


def refusal_hint(origin: Origin, tool: Tool, resolver: CredentialResolver, sent: Attached) -> str:
    """What to do about a 401 or 403 of `origin` to what was `sent`; '' where nothing can be said.

    A resolver that is a function of the caller has no variables to name.
    """
    if not isinstance(resolver, EnvironmentCredentials):
        return ""
    if in_clear(origin):
        return f"{origin} has no TLS: credentials are not sent there."
    alternatives = _alternatives(tool)
    if not any(alternatives):
        return "The document says that no credential is needed."
    held = _held(origin, alternatives, resolver)
    if sent.secrets and held:
        own = f", as {sent.form}; a value with a word before it is sent as it is"
        alike = _alike(origin, alternatives, resolver)
        return f"It was called with the credential in {held}{own if sent.form else ''}{alike}."
    names = _wanted(origin, alternatives, resolver)
    return f"Set {names}." if names else ""


def uses(tools: Iterable[Tool], policy: Policy, resolver: EnvironmentCredentials) -> Iterator[Use]:
    """Each server of `tools` that asks for a credential or has one in the environment."""
    asked: dict[Origin, set[Alternatives]] = {}
    for tool in tools:
        if isinstance(tool.binding, HttpBinding):
            try:
                origin = origin_of(policy.server(tool))
            except ConfigurationError:
                continue
            asked.setdefault(origin, set()).add(_alternatives(tool))
    for origin, kinds in sorted(asked.items()):
        lines = {_line(origin, alternatives, resolver) for alternatives in kinds} - {""}
        if lines:
            yield Use(origin, "; ".join(sorted(lines)))


def _line(origin: Origin, alternatives: Alternatives, resolver: EnvironmentCredentials) -> str:
    """What is said of tools with `alternatives`; '' where they need nothing and get nothing."""
    held = _held(origin, alternatives, resolver)
    if held and in_clear(origin):
        return f"{held} is set and not sent: {origin} has no TLS"
    if held and alternatives == UNDECLARED:
        return f"{held} is sent {_form(origin, resolver)}: no security scheme is declared"
    if held:
        verb = "are" if " and " in held else "is"
        alike = _alike(origin, alternatives, resolver)
        return f"{held} {verb} sent as the document declares{alike}"
    if () in alternatives:
        return ""
    wanted = _wanted(origin, alternatives, resolver)
    return f"not set: {wanted or 'no variable can be named'}"


def _form(origin: Origin, resolver: EnvironmentCredentials) -> str:
    """How the secret is sent that no scheme asks for."""
    name, value = undeclared_header(resolver(origin, UNDECLARED[0][0]) or "")
    bearer = name == "Authorization" and value.startswith("Bearer ")
    return "as a bearer token" if bearer else f"in the header {name}, unchanged"


def _alternatives(tool: Tool) -> Alternatives:
    """What the tool's document asks for, or what is sent where it says nothing."""
    return tool.security or UNDECLARED


def _used(
    origin: Origin, alternatives: Alternatives, resolver: EnvironmentCredentials
) -> tuple[SecurityScheme, ...]:
    """The schemes that are used: those of the longest alternative that is whole."""
    for schemes in sorted(filter(None, alternatives), key=len, reverse=True):
        if all(resolver.name_of(origin, scheme) for scheme in schemes):
            return tuple(schemes)
    return ()


def _held(origin: Origin, alternatives: Alternatives, resolver: EnvironmentCredentials) -> str:
    """The variables that are used."""
    used = _used(origin, alternatives, resolver)
    names = (resolver.name_of(origin, scheme) for scheme in used)
    return " and ".join(dict.fromkeys(map(str, names)))


def _alike(origin: Origin, alternatives: Alternatives, resolver: EnvironmentCredentials) -> str:
    """What to know where one variable stands for several schemes that are sent together."""
    used = _used(origin, alternatives, resolver)
    if len(used) < 2 or len({resolver.name_of(origin, scheme) for scheme in used}) > 1:
        return ""
    names = " and ".join(scheme.name for scheme in used)
    return f", the same value for {names}; each may have its own: {settings(origin, used)}"


def _wanted(origin: Origin, alternatives: Alternatives, resolver: EnvironmentCredentials) -> str:
    """The variables to set for one of the alternatives, and what they hold."""
    if alternatives == UNDECLARED:
        name = host_variable(origin)
        return f"{name} (the token alone, or with a word before it: `Token …`)" if name else ""
    return choices(origin, filter(None, alternatives), resolver)
