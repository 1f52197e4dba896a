"""Values found by their form alone: what meets a schema's pattern, JSON that somebody pasted."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from gretel.catalog.arguments import argument_problems
from gretel.catalog.document import as_json, as_object
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.nodes.plan.filling.filling import BEGINNING, Filling
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.slots.slot import json_type, leaf_problem
from gretel.nodes.plan.slots.slots import chosen_schema

_ORDINARY = ("word", "Word", "WORD", "ABC", "two words", "a", "7", "42", "2024")
"""A pattern that lets any of these pass does not tell a value from other text."""
_RUN = re.compile(r"[^\s\"'“”‘’()\[\]{}<>,;]+")
_QUARTER = re.compile(r"\b[Qq]([1-4])(?: of)?[\s-](\d{4})\b")
_MOST = 300
_OPENED = re.compile(r"\{\s*[\"}]|\[\s*[\[{]")
"""How an object begins, and a list of objects or lists."""
_STARTS = 20
"""Places at which JSON may begin that are tried."""
CONFIDENCE, PASTED = 0.6, 0.95


def fill_by_pattern(view: View, cues: SlotCues) -> Filling | None:
    """The last run of characters of the conversation that meets the slot's pattern.

    None where nothing does, and where the pattern also meets ordinary words and numbers.
    """
    if not cues.slot.pattern or any(not leaf_problem(cues.probe, t) for t in _ORDINARY):
        return None
    for segment, text, span in _runs(view):
        if not leaf_problem(cues.probe, text):
            value = [text] if cues.slot.many else text
            origin = view.document.segments[segment].origin
            return Filling(value, origin, span, segment, CONFIDENCE)  # type: ignore[arg-type]
    return None


def _runs(view: View) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Runs without blanks that are more than a word, and quarters as codes; the last ones first."""
    left = _MOST
    for number in range(len(view.document.segments) - 1, -1, -1):
        text = view.document.segments[number].text
        for match in reversed(list(_QUARTER.finditer(text))):
            yield number, f"{match[2]}-Q{match[1]}", match.span()
        for match in reversed(list(_RUN.finditer(text))):
            run = match.group().rstrip(".:!?")
            if run and not run.isalpha():
                yield number, run, (match.start(), match.start() + len(run))
                left -= 1
            if left == 0:
                return


class Pasted(NamedTuple):
    """The JSON of a parameter, as the latest turn holds it."""

    name: str
    filling: Filling


def pasted_json(view: View, profile: Profile) -> Pasted | None:
    """The only object (or list of objects) of the latest turn, for the only parameter for one.

    Of several, for the only required one. None where the parameter's schema does not take it.
    """
    found = list(_written(view.document.segments[-1].text))
    if len(found) != 1:
        return None
    value, start, end = found[0]
    open_ = [each for each in profile.tool.fillable if _takes(each.json_schema, value)]
    needed = [each for each in open_ if each.required]
    if len(open_) != 1 and len(needed) != 1:
        return None
    parameter = (needed or open_)[0]
    if any(
        each.field == parameter.name and each.kind == "invalid_value"
        for each in argument_problems(profile.tool, {parameter.name: value})
    ):
        return None
    segment = len(view.document.segments) - 1
    tokens = [
        place
        for place, token in enumerate(view.document.tokens)
        if token.segment == segment and start <= token.start < end
    ]
    covered = (tokens[0], tokens[-1] + 1) if tokens else None
    origin = view.document.segments[segment].origin
    filling = Filling(value, origin, (start, end), segment, PASTED, covered)
    return Pasted(parameter.name, filling)


def _takes(schema: JsonObject, value: JsonValue) -> bool:
    """Whether a parameter is for an object, or for a list of them, as `value` is one."""
    schema = chosen_schema(schema)
    if isinstance(value, dict):
        return json_type(schema) == "object"
    inner = json_type(chosen_schema(as_object(schema.get("items"))))
    return json_type(schema) == "array" and inner in ("object", "array", "")


def _written(text: str) -> Iterator[tuple[JsonValue, int, int]]:
    """The objects and lists of a text that are JSON, and their characters."""
    decoder, text, end = json.JSONDecoder(), text[:BEGINNING], 0
    for count, opened in enumerate(_OPENED.finditer(text)):
        if count == _STARTS:
            return
        if opened.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(text, opened.start())
            yield as_json(value, place="request"), opened.start(), end
        except (ValueError, RecursionError, CatalogError):
            continue  # a brace of prose, or nothing that a call can carry
