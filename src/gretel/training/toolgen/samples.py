"""What is learnt in an epoch: texts with the tokens that are to follow."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gretel.catalog.retrieval_text import plain_description
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.slots import NONE, RESERVED, STOP
from gretel.text.identifiers import identifier_text
from gretel.text.sentences import sentences
from gretel.training.masstool.data import Examples
from gretel.training.toolgen.settings import Settings

MOST_SENTENCES = 3
"""Of a description, each of them a view."""
MOST_READINGS = 3
"""Of a document among the requests of one epoch."""


class Sample(NamedTuple):
    """A text, and what follows."""

    text: int
    """Its place among `Samples.texts`."""
    before: tuple[int, ...]
    """Slots that stand behind it already."""
    target: tuple[int, ...]
    """Slots that may follow, equally likely."""
    is_document: bool


class Samples:
    """All texts of a training, and what each epoch takes of them.

    Attributes:
        texts: requests, then requests without need, then views of documents.
        used: slots of the tools that requests name.
        slots: how many slots there are.
    """

    def __init__(self, examples: Examples, settings: Settings) -> None:
        self._settings = settings
        self._gold = [tuple(RESERVED + place for place in gold) for gold in examples.train.gold] + [
            (NONE,)
        ] * len(examples.no_tool)
        shown = [(n, view) for n, tool in enumerate(examples.tools) for view in views(tool)]
        requests = (*examples.train.texts, *examples.no_tool)
        self.texts = (*requests, *(view for _, view in shown))
        self._views = [
            Sample(len(requests) + n, (), (RESERVED + place,), is_document=True)
            for n, (place, _) in enumerate(shown)
        ]
        self.used = tuple(sorted({slot for gold in self._gold for slot in gold} - {NONE}))
        self.slots = RESERVED + len(examples.tools)

    def documents(self) -> list[Sample]:
        """Of an epoch of memorisation."""
        return list(self._views)

    def requests(self, epoch: int) -> list[Sample]:
        """Of an epoch of retrieval, with documents among them."""
        drawn = random.Random(f"{self._settings.seed} {epoch} samples")
        found = [each for n in range(len(self._gold)) for each in self._request(n, drawn)]
        if "memorize" in self._settings.stages:
            share = self._settings.mixed
            wanted = round(len(found) * share / max(1 - share, 1e-6))
            many = self._views * MOST_READINGS
            found += drawn.sample(many, min(wanted, len(many)))
        return found

    def _request(self, number: int, drawn: random.Random) -> Iterator[Sample]:
        gold = self._gold[number]
        if self._settings.target == "all" or gold == (NONE,):
            yield Sample(number, (), gold, is_document=False)
        else:
            yield from (Sample(number, (), (slot,), is_document=False) for slot in gold)
        if gold == (NONE,):
            return
        for _ in gold:
            if drawn.random() < self._settings.chained:
                order = drawn.sample(gold, len(gold))
                known = drawn.randint(1, len(gold))
                rest = tuple(order[known:]) or (STOP,)
                yield Sample(number, tuple(order[:known]), rest, is_document=False)

    def permitted(self, sample: Sample) -> Sequence[int]:
        """Slots that may follow: no tool that requests do not name is taken for a wrong one."""
        if sample.is_document:
            return range(RESERVED, self.slots)
        ends = STOP if sample.before else NONE
        return [ends, *(slot for slot in self.used if slot not in sample.before)]


def views(tool: Tool) -> list[str]:
    """What can be said of a tool: all; its name and arguments; its description; its sentences."""
    described = plain_description(tool.description)
    names = ", ".join(identifier_text(each.wire_name) for each in tool.parameters[:20])
    named = f"{identifier_text(tool.toolkit)} {identifier_text(tool.operation)}"
    said = sentences(described)
    parts = said[:MOST_SENTENCES] if len(said) > 1 else []
    found = [dense_text(tool), f"{named} ({names})" if names else named, described, *parts]
    return [each for each in dict.fromkeys(found) if each.strip()]
