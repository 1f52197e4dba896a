"""What is said of a credential that is not there, or that cannot be sent."""

from collections.abc import Sequence

from gretel.contracts.tool import SecurityScheme
from gretel.contracts.trial import Failure
from gretel.sandbox.network.addresses import is_loopback_host
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.secrets.attached import has_place
from gretel.sandbox.secrets.environment import EnvironmentCredentials, choices


def in_clear(origin: Origin) -> bool:
    """Whether what is sent to `origin` can be read on its way; no credential goes there."""
    return origin.scheme != "https" and not is_loopback_host(origin.host)


def unreadable(origin: Origin) -> Failure:
    """The failure of a credential that names an issuer and is not written as one."""
    detail = (
        f"The credential of {origin.authority} names an issuer of tokens, and is not written as "
        "id:secret@https://host/token."
    )
    return Failure(kind="missing_credential", detail=detail, fault="ours")


def missing(
    origin: Origin,
    alternatives: Sequence[tuple[SecurityScheme, ...]],
    held: EnvironmentCredentials | None = None,
) -> Failure:
    """The failure that names what to set for one of `alternatives`, the likeliest first.

    `held` are the variables there are, where credentials come from variables.
    """
    usable = [schemes for schemes in alternatives if all(map(_supported, schemes))]
    schemes = alternatives[0]
    if not usable and not all(map(has_place, schemes)):
        detail = f"{origin.authority} asks for a key in a place where none can be sent."
    elif not usable:
        kind = next(each.kind for each in schemes if not _supported(each))
        detail = f"{origin.authority} asks for {kind}, which is not supported."
    elif in_clear(origin):
        detail = f"{origin} has no TLS: credentials are not sent there."
    else:
        remedy = choices(origin, usable, held)
        remedy = f"set {remedy}" if remedy else "this host has no variable"
        detail = f"{origin.authority} needs a credential: {remedy}."
    return Failure(kind="missing_credential", detail=detail, fault="ours")


def _supported(scheme: SecurityScheme) -> bool:
    """Whether a secret for `scheme` can be sent."""
    digest = (scheme.scheme or "").lower() == "digest"
    return has_place(scheme) and scheme.kind != "mutualTLS" and not digest
