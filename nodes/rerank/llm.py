"""The evaluator of GRETEL's Table 1: evidence of all candidates to an order, by a model."""

import math
import re
from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from gretel import prompts
from gretel.catalog import Catalog
from gretel.catalog.document import as_list, as_object
from gretel.contracts.protocols import Reranker
from gretel.contracts.ranking import Message, Ranking, Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Trial
from gretel.llm.model import StructuredModel
from gretel.llm.strict import closed
from gretel.nodes.rerank.bounded import Verdict, ranked
from gretel.nodes.rerank.shown import Pair, candidate_line, pairs_of
from gretel.text.foreign import foreign
from gretel.workers import off_loop

MAX_REASON_CHARS = 200
MAX_REASONS = 10
"""Candidates, best first by evidence, of which the model may say why they stand where they do."""

ACCEPTED: JsonObject = {
    "type": "object",
    "properties": {
        "ranking": {
            "type": "array",
            "items": {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                ]
            },
        },
        "reasons": {"type": "object"},
    },
    "required": ["ranking"],
}
"""A candidate by its number, or by the names that the prompt shows; unknown ones are dropped."""


def schema_of(count: int) -> JsonObject:
    """The reply that orders `count` candidates: each of their numbers, and short reasons."""
    numbers: list[JsonValue] = [*range(1, count + 1)]
    number: JsonObject = {"type": "integer", "enum": numbers}
    reason: JsonObject = {"type": "string", "maxLength": MAX_REASON_CHARS}
    ranking: JsonObject = {"type": "array", "items": number, "minItems": count, "maxItems": count}
    explained = dict.fromkeys(map(str, numbers[:MAX_REASONS]), reason)
    reasons: JsonObject = {
        "type": "object",
        "properties": {**explained},
        "additionalProperties": False,
    }
    return closed({"ranking": ranking, "reasons": reasons})


Name: TypeAlias = "int | Pair"
"""How a reply names a candidate."""


class LlmReranker:
    """Asks a model to order all candidates at once; code keeps the order honest.

    The model may lower what a mechanical check found and never raise it: a tool whose executed
    call failed or came back empty cannot pass one whose executed call succeeded, nor one that did
    the same in clearly more time the faster one, whatever the model says. All else (simulated,
    refused, not tried) it may move within `margin`.
    """

    def __init__(
        self, model: StructuredModel, catalog: Catalog, base: Reranker, *, margin: float = math.inf
    ) -> None:
        """Rank with `model`; `base` orders what it shows, and what the model leaves out.

        Where the scores of `base` are probabilities, the model orders tools alone whose log-odds
        differ by at most `margin`.
        """
        self._model = model
        self._catalog = catalog
        self._base = base
        self._margin = margin

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        """A permutation of the trials' tools.

        Scores are `base`'s: they belong to the tool and need not descend. Whatever was repaired
        (unknown, left-out or unusable) is a note of the ranking.

        Raises:
            ModelReplyError: the reply stayed unusable after its repair.
            GretelError: as `StructuredModel.reply` says.
        """
        base = await self._base.rerank(request, trials)
        if len(trials) < 2:
            return base
        verdict = await self.asked(request, trials, base)
        return ranked(base, verdict, trials, self._margin)

    async def asked(self, request: Request, trials: Sequence[Trial], base: Ranking) -> Verdict:
        """What the model says of the tools in the order of `base`; raises as `rerank` does."""
        messages, named = await off_loop(self._shown, request, trials, base)
        return await self._model.reply(
            messages,
            schema_of(len(base.tools)),
            partial(_read, named),
            step="rerank",
            accepted=ACCEPTED,
        )

    def _shown(
        self, request: Request, trials: Sequence[Trial], base: Ranking
    ) -> tuple[list[Message], dict[Name, ToolId]]:
        """What asks for the order, and what a reply may call each candidate."""
        by_id = {trial.tool_id: trial for trial in trials}
        shown = [by_id[place.tool_id] for place in base.tools]
        pairs = pairs_of(self._catalog[trial.tool_id] for trial in shown)
        prompt = prompts.load("rerank")
        room = prompt.blocks["candidates"] // max(1, len(shown)) - 1  # no tool pushes others out
        lines = (
            candidate_line(
                number, self._catalog[trial.tool_id], pairs[trial.tool_id], trial, room=room
            )
            for number, trial in enumerate(shown, 1)
        )
        messages = prompt.render(
            request=request.text,
            conversation=prompts.conversation(request),
            candidates="\n".join(lines),
        )
        return messages, _named(pairs)


def _named(pairs: dict[ToolId, Pair]) -> dict[Name, ToolId]:
    """What a reply may call each candidate: its number, or the pair of its names."""
    numbers: dict[Name, ToolId] = dict(enumerate(pairs, 1))
    return numbers | {pair: tool_id for tool_id, pair in pairs.items()}


def _read(named: dict[Name, ToolId], reply: JsonObject) -> Verdict:
    given = dict.fromkeys(map(_name, as_list(reply["ranking"])))
    order = list(dict.fromkeys(named[name] for name in given if name in named))
    if not order:
        raise ValueError("ranking: give the numbers of the candidates, as shown")
    unknown = [_shown(name) for name in given if name not in named]
    return Verdict(order, unknown, _reasons(reply.get("reasons"), named))


def _name(entry: JsonValue) -> Name:
    if isinstance(entry, list):
        return Pair(*(str(name).strip() for name in entry))
    return int(str(entry))


def _shown(name: Name) -> str:
    return str(name) if isinstance(name, int) else ".".join(name)


def _reasons(given: JsonValue, named: dict[Name, ToolId]) -> dict[ToolId, str]:
    lines = {
        named[int(number)]: foreign(text, MAX_REASON_CHARS)
        for number, text in as_object(given).items()
        if re.fullmatch(r"[0-9]{1,3}", number) and int(number) in named and isinstance(text, str)
    }
    return {tool_id: line for tool_id, line in lines.items() if line}
