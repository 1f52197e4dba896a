"""The strict check: what openapi-spec-validator says of a document."""

from collections.abc import Iterator, Mapping
from typing import Any

from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue


def refuse_invalid(document: JsonObject, *, place: str) -> None:
    """Pass a document that openapi-spec-validator passes; references never leave it.

    Raises:
        CatalogError: the document is invalid, or too involved to be checked.
    """
    from openapi_spec_validator.shortcuts import get_validator_cls

    external = next(_external_references(document), None)
    if external is not None:
        raise CatalogError(
            f"has an external reference {external[:200]!r}, which is not followed",
            field=place,
            remedy="Bundle the documents into one",
        )
    try:
        handlers = {"resolver_handlers": _NoHandlers()}
        validator = type("OfflineValidator", (get_validator_cls(document),), handlers)
        problem = next(iter(validator(document).iter_errors()), None)
    except RecursionError:
        reason = "its references nest too deep to be checked"
    except Exception as error:  # the validator trips over what it is to judge: that is a verdict
        reason = _first_line(error)
    else:
        if problem is None:
            return
        where = "/".join(str(part) for part in problem.absolute_path)
        reason = f"{where}: {_first_line(problem)}" if where else _first_line(problem)
    raise CatalogError(
        f"is not valid OpenAPI ({reason})",
        field=place,
        remedy="Correct it, or load it without strict",
    )


def _external_references(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            yield reference
        for child in value.values():
            yield from _external_references(child)
    elif isinstance(value, list):
        for child in value:
            yield from _external_references(child)


def _first_line(error: Exception) -> str:
    text = getattr(error, "message", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0][:300]


class _NoHandlers(Mapping[str, Any]):
    """Handlers for every URI scheme, each of which refuses to open anything.

    A plain empty mapping would not do: jsonschema-path opens unknown schemes with urllib.
    """

    def __contains__(self, scheme: object) -> bool:
        return True

    def __getitem__(self, scheme: str) -> Any:
        return self._refuse

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    @staticmethod
    def _refuse(uri: str) -> Any:
        raise ValueError(f"external reference {uri!r} is not followed")
