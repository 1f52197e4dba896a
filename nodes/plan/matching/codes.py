"""What mentions stand for: the numbers, names and codes by which an allowed value may be said."""

import re

from gretel.nodes.plan.mentions.mention import Amount, Moment, Place
from gretel.nodes.plan.mentions.spans import MentionSpan


def codes_of(spans: list[MentionSpan]) -> dict[object, MentionSpan]:
    """Each of them with the first mention that stands for it."""
    codes: dict[object, MentionSpan] = {}
    for span in spans:
        value = span.mention.value
        names: tuple[object, ...] = (value,)
        if isinstance(value, Place):
            names = (value.metro, value.airport, value.country, value.name)
        elif isinstance(value, Amount):
            names = (value.number, value.currency, value.currency.casefold())
        elif isinstance(value, Moment):
            names = _moment_names(value, span.mention.text)
        elif span.mention.kind == "currency":
            names = (value, str(value).casefold())
        for name in names:
            if name != "":
                codes.setdefault(name, span)
    return codes


def _moment_names(moment: Moment, text: str) -> tuple[object, ...]:
    """A day as ISO writes it, without its year where none was said; a time of day as `HH:MM`."""
    names = []
    if moment.date:
        said = re.search(r"\d{4}", text)
        names = [moment.date.isoformat(), "" if said else f"{moment.date:%m-%d}"]
    return (*names, f"{moment.time:%H:%M}" if moment.time else "")
