"""Who learns from which request: parts by folds of tools, and what a right answer is."""

import random
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from gretel.catalog.retrieval_text import plain_description
from gretel.contracts.errors import InputError
from gretel.contracts.tool import Tool
from gretel.nodes.rewrite.queries import MAX_QUERIES
from gretel.text.identifiers import identifier_text
from gretel.text.sentences import sentences
from gretel.training.generative.settings import Settings, Stage
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked

LONGEST = 100
"""Characters of a description: four of them are written within the bound."""

_Fold: TypeAlias = Literal["sft", "align", "unseen"]


class Split(NamedTuple):
    """Requests by what they are for."""

    sft: Asked
    align: Asked
    """For tools that the first stage never sees, perhaps among others."""
    known: Asked
    """Held out, for tools that a stage may see."""
    unseen: Asked
    """Held out, for tools that none sees, perhaps among others."""
    new: float
    """Share of the catalogue's tools that no learnt request names."""


def described(tool: Tool) -> str:
    """The words of a tool's name and its first sentence, cut at a word."""
    said = sentences(plain_description(tool.description))[:1]
    text = ": ".join([identifier_text(tool.operation) or tool.operation, *filter(None, said)])
    return text if len(text) <= LONGEST else text[: LONGEST + 1].rpartition(" ")[0]


def answer_of(tools: Iterable[Tool]) -> list[str]:
    """What a model that knows the right tools writes: a line each, as many as are read."""
    return list(dict.fromkeys(map(described, tools)))[:MAX_QUERIES]


def split_of(examples: Examples, settings: Settings) -> Split:
    """The requests of a training; a tool is in one fold, by the data's digest and the seed.

    Raises:
        InputError: a stage has nothing to learn from.
    """
    folds = [_fold(examples, tool, settings) for tool in examples.tools]
    taken: dict[_Fold, list[tuple[str, tuple[int, ...]]]] = {"sft": [], "align": [], "unseen": []}
    for text, gold in zip(examples.train.texts, examples.train.gold, strict=True):
        taken[_of({folds[place] for place in gold})].append((text, gold))
    known: list[tuple[str, tuple[int, ...]]] = []
    for text, gold in zip(examples.dev.texts, examples.dev.gold, strict=True):
        is_new = "unseen" in {folds[place] for place in gold}
        (taken["unseen"] if is_new else known).append((text, gold))
    for stage in settings.stages:
        if not taken[stage]:
            problem = f"no request is left for the stage {stage}"
            remedy = "Give more judged requests, for more tools."
            raise InputError(problem, field="--stage", remedy=remedy)
    sft = _drawn(taken["sft"], settings.requests, settings.seed)
    align = _drawn(taken["align"], settings.requests, settings.seed)
    named = {place for part in (sft, align) for gold in part.gold for place in gold}
    return Split(
        sft,
        align,
        _drawn(known, settings.held, settings.seed),
        _drawn(taken["unseen"], settings.held, settings.seed),
        1 - len(named) / len(examples.tools),
    )


def _fold(examples: Examples, tool: Tool, settings: Settings) -> _Fold:
    drawn = random.Random(f"{examples.digest} {settings.seed} {tool.tool_id}").random()
    if drawn < settings.unseen:
        return "unseen"
    stages: tuple[Stage, ...] = settings.stages
    if len(stages) == 1:
        return stages[0]
    return "align" if drawn < settings.unseen + (1 - settings.unseen) * settings.fold else "sft"


def _of(folds: set[_Fold]) -> _Fold:
    """Where a request belongs: no stage may see a tool that is kept from it."""
    return "unseen" if "unseen" in folds else "align" if "align" in folds else "sft"


def _drawn(asked: Sequence[tuple[str, tuple[int, ...]]], most: int, seed: int) -> Asked:
    chosen = random.Random(f"{seed} drawn").sample(asked, min(most, len(asked)))
    return Asked(tuple(text for text, _ in chosen), tuple(gold for _, gold in chosen))
