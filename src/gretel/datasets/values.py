"""How two values are compared, where a data set writes one as text and a planner types it."""

import re

_QUOTES = "\"'“”‘’"
_MARKS = rf"[\s{_QUOTES}.,;:!?]"
# behind no mark: else each of a row of them would be tried as the first
_EDGES = re.compile(rf"(?<!{_MARKS}){_MARKS}+$|^[\s{_QUOTES}]+")


def comparable(value: object) -> str:
    """A value as it is compared: case, quotes, closing marks and number formats aside."""
    text = _EDGES.sub("", str(value)).casefold()
    try:
        return f"{float(text.replace(',', '')):g}"
    except ValueError:
        return re.sub(r"\s+", " ", text)
