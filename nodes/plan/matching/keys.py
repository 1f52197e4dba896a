"""Which thing a slot's value names, and whether it says which one is meant."""

import re

from gretel.contracts.tool import HttpBinding, Tool
from gretel.nodes.plan.slots.slot import Slot
from gretel.text.identifiers import split_identifier
from gretel.text.words import content_words, stem, word_set

KEYS = word_set(
    "id ids name names key code number num uuid guid slug identifier hash no handle title pk"
)
"""What a thing is known by: `flow_id` names a flow."""
_JOINTS = word_set("or and of as the at on to in by")
_OF = re.compile(
    r"\b(?:name|id|identifier|key|uuid|title|code|number|address)s?(?:\sor\s\w+)?\s(?:of|for)\s"
    r"(?:an?\s|the\s|this\s|your\s)?([\w -]+)|\bidentifying\s(?:an?|the|this)\s(\w+)",
    re.IGNORECASE,
)
_TITLED = re.compile(r"(?:(?:the|an?)\s)?(\w+)\s(?:name|id|identifier|title)\b", re.IGNORECASE)
"""How a description begins: "Note title", and "Unique id", which says nothing of the thing."""


def slot_nouns(tool: Tool, slot: Slot) -> frozenset[str]:
    """Stems of the words for what a slot's value names.

    They are read off its name, else off the path around it and its description.
    """
    own = split_identifier(slot.name)
    # "id_or_slug" says nothing of the thing, "as_of" nothing that others stand beside
    kept = [word for word in own if word not in KEYS | _JOINTS]
    found = kept[-1:]
    for word in own:
        found += [word.removesuffix(key) for key in ("name", "id") if word[3:].endswith(key)]
    if not kept:
        found += [*_around(tool, slot.name), *own]
        if said := _OF.search(slot.description):
            found += content_words(said[1] or said[2])[:2]
        elif titled := _TITLED.match(slot.description):
            about = content_words(tool.description.replace("'s", ""))
            found += [word for word in content_words(titled[1]) if word in about]
        if sum(each.required for each in tool.fillable) > 1:
            found = [word for word in found if word not in ("id", "name")]
    if slot.kind == "path" or "dir" in own:
        found += ["folder", "directory"]
    return frozenset(stem(word) for word in found)


def identifies(tool: Tool, slot: Slot) -> bool:
    """Whether a slot's value says which thing is meant: an id, a name, a step of the path."""
    keyed = not KEYS.isdisjoint(split_identifier(slot.name)[-1:])
    return keyed or slot.kind == "id" or in_path(tool, slot)


def is_sole(tool: Tool, slot: Slot) -> bool:
    """Whether nothing but a slot is required, and it says which thing is meant.

    Many a document calls nothing required. Then the first parameter is it, where it alone is named
    as the key of something: `padID`, and not a bare `id`, by which lists are filtered.
    """
    needed = [parameter.name for parameter in tool.fillable if parameter.required]
    if needed:
        return needed == [slot.name] and identifies(tool, slot)
    names = [parameter.name for parameter in tool.fillable]
    keys = [name for name in names if _names_a_key(name)]
    return keys == [slot.name] == names[:1]


def _names_a_key(name: str) -> bool:
    """Whether a name says that its value is the key of something, and of what."""
    words = split_identifier(name)
    return len(words) > 1 and words[-1] in _IDS


_IDS = word_set("id key code uuid guid slug identifier")


def in_path(tool: Tool, slot: Slot) -> bool:
    """Whether a slot is a step of the path."""
    return any(p.name == slot.name and p.location == "path" for p in tool.fillable)


def step_of(tool: Tool, slot: Slot) -> int:
    """Where a slot stands in the path; -1 where it does not."""
    if not in_path(tool, slot):
        return -1
    path = tool.binding.path if isinstance(tool.binding, HttpBinding) else ""
    return max(path.find("{" + slot.name + "}"), 0)


def _around(tool: Tool, name: str) -> list[str]:
    """The last word of the path before a path parameter: `deployment` of `/deployments/{id}`."""
    if not isinstance(tool.binding, HttpBinding):
        return []
    before, found, _ = tool.binding.path.partition("{" + name + "}")
    words = [word for part in before.split("/") for word in split_identifier(part)]
    return [word for word in words if word not in KEYS][-1:] if found else []
