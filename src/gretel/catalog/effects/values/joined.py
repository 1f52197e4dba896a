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
    style = parameter.style or "form"
    explode = parameter.explode if parameter.explode is not None else style == "form"
    if parameter.location in ("query", "body") and not explode and style != "deepObject":
        yield _DELIMITERS.get(style, ",").join(plain_texts(value))
