"""The evaluator of GRETEL's Table 1: evidence of all candidates to an order, by a model."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from gretel import prompts
from gretel.catalog import Catalog
from gretel.catalog.document import as_list, as_object
from gretel.contracts.protocols import Reranker
from gretel.contracts.ranking import RankedTool, Ranking, Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Trial
from gretel.llm.model import StructuredModel
from gretel.nodes.rerank.shown import Pair, candidate_line, pairs_of
from gretel.text.foreign import foreign

T = TypeVar("T")

MAX_REASON_CHARS = 200
MAX_NAMED = 5
"""Unknown tools that a note names."""

LEAST = 1e-6
"""Scores are read as no more certain than this."""

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
    return {
        "type": "object",
        "properties": {"ranking": ranking, "reasons": reasons},
        "required": ["ranking", "reasons"],
        "additionalProperties": False,
    }


Name: TypeAlias = "int | Pair"
"""How a reply names a candidate."""


class Verdict(NamedTuple):
    """What a model's reply says about the tools that were shown."""

    order: list[ToolId]
    """Known tools, each once, best first."""
    unknown: list[str]
    """What the model named that was not shown."""
    reasons: dict[ToolId, str]


class LlmReranker:
    """Asks a model to order all candidates at once; code keeps the order honest.

    The model may lower what a mechanical check found and never raise it: a tool whose executed
    call failed or came back empty cannot pass one whose executed call succeeded, nor one that did
    the same in clearly more time the faster one, whatever the model says. All else (simulated,
    refused, not tried) it may move within `margin`.
    """

    def __init__(
        self,
        model: StructuredModel,
        catalog: Catalog,
        base: Reranker,
        *,
        margin: float = math.inf,
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

    async def asked(self, request: Request, trials: Sequence[Trial], base: Ranking) -> "Verdict":
        """What the model says of the tools in the order of `base`; raises as `rerank` does."""
        by_id = {trial.tool_id: trial for trial in trials}
        shown = [by_id[place.tool_id] for place in base.tools]
        pairs = pairs_of(self._catalog[trial.tool_id] for trial in shown)
        messages = prompts.load("rerank").render(
            request=request.text,
            conversation=prompts.conversation(request),
            candidates="\n".join(
                candidate_line(number, self._catalog[trial.tool_id], pairs[trial.tool_id], trial)
                for number, trial in enumerate(shown, 1)
            ),
        )
        return await self._model.reply(
            messages,
            schema_of(len(shown)),
            partial(_read, _named(pairs)),
            step="rerank",
            accepted=ACCEPTED,
        )


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


def ranked(
    base: Ranking, verdict: Verdict, trials: Sequence[Trial], margin: float = math.inf
) -> Ranking:
    """The order of `verdict`, as far as `margin` lets it leave that of `base`."""
    places = {place.tool_id: place for place in base.tools}
    known = {trial.tool_id: trial for trial in trials}
    left_out = [tool_id for tool_id in places if tool_id not in set(verdict.order)]
    wanted = [places[tool_id] for tool_id in (*verdict.order, *left_out)]
    moved = [known[place.tool_id] for place in behind_faster(within(wanted, margin))]
    order = never_raised(moved, {tool_id: place.rank for tool_id, place in places.items()})
    return Ranking(
        tools=tuple(
            _at_rank(places[trial.tool_id], rank, verdict.reasons.get(trial.tool_id))
            for rank, trial in enumerate(order, 1)
        ),
        notes=(*base.notes, *_notes(verdict, left_out)),
    )


def within(wanted: Sequence[RankedTool], margin: float) -> list[RankedTool]:
    """The wanted order, in which none passes a tool whose log-odds are higher by over `margin`."""

    def near(left: Sequence[RankedTool]) -> Callable[[RankedTool], bool]:
        best = max(_odds(place.score) for place in left)
        return lambda place: best - _odds(place.score) <= margin

    return _held(wanted, near)


def behind_faster(wanted: Sequence[RankedTool]) -> list[RankedTool]:
    """The wanted order, in which none passes a tool that did the same in less time."""

    def free(left: Sequence[RankedTool]) -> Callable[[RankedTool], bool]:
        waiting = {place.tool_id for place in left}
        return lambda place: place.slower_than not in waiting

    return _held(wanted, free)


def _held(wanted: Sequence[T], free: Callable[[Sequence[T]], Callable[[T], bool]]) -> list[T]:
    """The wanted order, in which each place goes to the first of those left that is `free`."""
    left, order = list(wanted), list[T]()
    while left:
        order.append(next(filter(free(left), left), left[0]))
        left.remove(order[-1])
    return order


def _odds(score: float) -> float:
    chance = min(max(score, LEAST), 1 - LEAST)
    return math.log(chance / (1 - chance))


def never_raised(order: Sequence[Trial], ranks: Mapping[ToolId, int]) -> list[Trial]:
    """The order, in which no tool that failed has passed one that succeeded.

    Only executed calls count on either side; `ranks` are the places by evidence, where a failure
    that a doubtful value can have caused may well stand above a success.
    """

    def free(left: Sequence[Trial]) -> Callable[[Trial], bool]:
        working = (ranks[each.tool_id] for each in left if _status(each) == "succeeded")
        best = min(working, default=math.inf)
        return lambda each: _status(each) != "failed" or ranks[each.tool_id] < best

    return _held(order, free)


def _status(trial: Trial) -> str:
    executed = trial.executed
    if executed.failure is not None and executed.failure.fault == "ours":
        return "unknown"
    if executed.status in ("failed", "empty"):
        return "failed"
    real = executed.source == "executed"
    return "succeeded" if real and executed.status == "succeeded" else "unknown"


def _at_rank(place: RankedTool, rank: int, said: str | None) -> RankedTool:
    """The mechanical reason comes first: what a model says may be what a tool told it."""
    reason = f"{place.reason}; the model: {said}" if said else place.reason
    return place.model_copy(update={"rank": rank, "reason": reason})


def _notes(verdict: Verdict, left_out: Sequence[ToolId]) -> list[str]:
    notes = []
    if verdict.unknown:
        named = ", ".join(foreign(name, 80) for name in verdict.unknown[:MAX_NAMED])
        notes.append(f"rerank: {len(verdict.unknown)} unknown tools of the model dropped: {named}")
    if left_out:
        notes.append(
            f"rerank: the model left out {len(left_out)}; they keep their order behind the others"
        )
    return notes
