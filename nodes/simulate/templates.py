"""Made-up JSON values from ToolBench response templates, whose leaves name types."""

import re
from collections.abc import Callable

from gretel.contracts.record import JsonValue
from gretel.nodes.simulate.instances import MAX_DEPTH, MAX_FIELDS, MAX_ITEMS, Supply, text

_TEMPLATE_LIST = re.compile(r"list of (\w+) with length (\d{1,18})\d*")


def from_template(
    template: JsonValue, rng: Supply, *, name: str = "value", depth: int = 0
) -> JsonValue:
    """An instance of a ToolBench response template, whose leaves name types.

    It is as large as `from_schema` makes one at most. `"str"`, `"int"`, `"float"`, `"bool"` and
    `"NoneType"` become values, `"list of str with length 413"` and `_list_length` become lists of
    at most `MAX_ITEMS`; other leaves are taken literally.
    """
    if rng.spent:
        return None
    if isinstance(template, dict):
        fields = [(key, value) for key, value in template.items() if key != "_list_length"]
        if depth >= MAX_DEPTH:
            return {}
        return {
            key: from_template(value, rng, name=key, depth=depth + 1)
            for key, value in fields[:MAX_FIELDS]
        }
    if isinstance(template, list):
        return _template_items(template, rng, name, depth)
    if isinstance(template, str):
        return rng.written(_template_leaf(template, rng, name))
    return rng.written(template)


def _template_items(template: list[JsonValue], rng: Supply, name: str, depth: int) -> JsonValue:
    if depth >= MAX_DEPTH or not template or template == ["empty list"]:
        return []
    item = template[0]
    if isinstance(item, str) and _TEMPLATE_LIST.fullmatch(item):
        return rng.written(_template_leaf(item, rng, name))
    length = item.get("_list_length", 1) if isinstance(item, dict) else len(template)
    count = min(length, MAX_ITEMS) if isinstance(length, int) else 1
    return [from_template(item, rng, name=name, depth=depth + 1) for _ in range(count)]


def _template_leaf(leaf: str, rng: Supply, name: str) -> JsonValue:
    if listed := _TEMPLATE_LIST.fullmatch(leaf):
        count = min(int(listed[2]), MAX_ITEMS)
        return [_template_leaf(listed[1], rng, name) for _ in range(count)]
    values: dict[str, Callable[[], JsonValue]] = {
        "str": lambda: text({}, rng, name),
        "int": lambda: rng.randint(1, 100),
        "float": lambda: round(rng.uniform(1, 100), 2),
        "bool": lambda: rng.random() < 0.5,
        "NoneType": lambda: None,
        "list": lambda: [],
        "dict": lambda: {},
        "empty list": lambda: [],
    }
    return values[leaf]() if leaf in values else leaf
