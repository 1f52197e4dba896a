"""The strict check: what openapi-spec-validator says of a document.

The validator follows references and runs patterns as often as a document asks for, so it runs in a
process of its own that ends: `python -m gretel.catalog.openapi.strict`, document in, verdict out.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue

CHECK_S = 60
"""Seconds that the check of one document may take."""
CHECK_BYTES = 4 << 30
"""Memory that it may take, where the system can limit it."""


def refuse_invalid(document: JsonObject, *, place: str) -> None:
    """Pass a document that openapi-spec-validator passes; references never leave it.

    Raises:
        CatalogError: the document is invalid, or too involved to be checked.
    """
    external = next(_external_references(document), None)
    if external is not None:
        raise CatalogError(
            f"has an external reference {external[:200]!r}, which is not followed",
            field=place,
            remedy="Bundle the documents into one",
        )
    reason = _checked_apart(document)
    if reason:
        raise CatalogError(
            f"is not valid OpenAPI ({reason})",
            field=place,
            remedy="Correct it, or load it without strict",
        )


def _checked_apart(document: JsonObject) -> str:
    """What is wrong with a document, found in another process; empty where nothing is."""
    paths = [os.path.abspath(path) for path in sys.path if path]
    command = [sys.executable, "-P", "-m", "gretel.catalog.openapi.strict"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(document).encode(),
            capture_output=True,
            timeout=CHECK_S,
            env={"PYTHONPATH": os.pathsep.join(paths), "SYSTEMROOT": os.getenv("SYSTEMROOT", "")},
        )
    except subprocess.TimeoutExpired:
        return f"its references or patterns are too involved to be checked within {CHECK_S} s"
    if done.returncode != 0:
        return "it is too involved to be checked"
    return done.stdout.decode(errors="replace")


def _first_problem(document: JsonObject) -> str:
    """What openapi-spec-validator finds wrong first; empty where it finds nothing."""
    from openapi_spec_validator.shortcuts import get_validator_cls

    try:
        handlers = {"resolver_handlers": _NoHandlers()}
        validator = type("OfflineValidator", (get_validator_cls(document),), handlers)
        problem = next(iter(validator(document).iter_errors()), None)
    except RecursionError:
        return "its references nest too deep to be checked"
    except Exception as error:  # the validator trips over what it is to judge: that is a verdict
        return _first_line(error)
    if problem is None:
        return ""
    where = "/".join(str(part) for part in problem.absolute_path)
    return f"{where}: {_first_line(problem)}" if where else _first_line(problem)


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


def _main() -> None:
    """Read a document, write the verdict."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (CHECK_BYTES, CHECK_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (CHECK_S, CHECK_S))
    verdict = _first_problem(json.load(sys.stdin.buffer))
    sys.stdout.buffer.write(verdict.encode(errors="replace"))


if __name__ == "__main__":
    _main()
