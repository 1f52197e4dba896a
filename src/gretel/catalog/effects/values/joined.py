"""The one text that a list or an object is sent as: `GRANT ALL ON t` of a list of words."""

from collections.abc import Iterator

from gretel.catalog.effects.chosen import plain_texts
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Parameter

_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}


def joined(parameter: Parameter, value: JsonValue) -> Iterator[str]:
    """The text of a value of several parts; none where each of them is sent by itself.

    In a path, which is judged whole, and in a body of JSON nothing is joined.
    """
    if not isinstance(value, list | dict):
        return
    if parameter.location in ("header", "cookie"):
        yield ",".join(plain_texts(value))
        return
    named = isinstance(value, dict) and parameter.style == "deepObject"
    if parameter.location in ("query", "body") and not _is_exploded(parameter) and not named:
        yield _DELIMITERS.get(parameter.style or "", ",").join(plain_texts(value))


def is_taken_apart(parameter: Parameter) -> bool:
    """Whether the fields of an object are sent under their own names alone."""
    return _is_exploded(parameter) and parameter.style != "deepObject"


def _is_exploded(parameter: Parameter) -> bool:
    form = parameter.style in (None, "", "form")
    return form if parameter.explode is None else parameter.explode
