"""The graph's state: plain JSON under typed keys, and how parallel writes to one key merge.

Records of `contracts` are dumped to JSON where they enter the state and validated where they leave
it, so that a state edited in Studio is checked like any other input.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, NotRequired, TypeAlias, TypeVar

from typing_extensions import TypedDict

from gretel.contracts.errors import InputError
from gretel.contracts.record import JsonObject

T = TypeVar("T")
R = TypeVar("R")
Merge: TypeAlias = Callable[[T, T], R]
Json: TypeAlias = dict[str, Any]
"""A dumped record."""


def merging(name: str) -> Callable[[Merge[T, R]], Merge[T, R]]:
    """A way to merge writes to the key `name`; what is none of them is an `InputError`."""

    def of(merge: Merge[T, R]) -> Merge[T, R]:
        @wraps(merge)
        def merged(old: T, new: T) -> R:
            try:
                return merge(old, new)
            except (AttributeError, KeyError, TypeError, ValueError):
                remedy = "Write the form that a run writes there."
                raise InputError("is not a part of a run", field=name, remedy=remedy) from None

        return merged

    return of


@merging("trials")
def merge_trials(old: list[Json] | None, new: list[Json] | None) -> list[Json]:
    """Union keyed by tool_id, the newer trial of a tool winning; sorted by tool_id.

    Order-free and idempotent, so that forks and replays in Studio duplicate nothing.
    """
    merged = {trial["tool_id"]: trial for trial in [*(old or []), *(new or [])]}
    return [merged[tool_id] for tool_id in sorted(merged)]


@merging("usage")
def merge_usage(old: dict[str, Json] | None, new: dict[str, Json] | None) -> dict[str, Json]:
    """Union keyed by step (`plan:<tool_id>`, …): a replayed step replaces its own entry."""
    return {**(old or {}), **(new or {})}


@merging("notes")
def merge_notes(old: list[str] | None, new: list[str] | None) -> list[str]:
    """Union in order of first appearance."""
    return list(dict.fromkeys([*(old or []), *(new or [])]))


@merging("deadline")
def later(old: float | None, new: float | None) -> float | None:
    """The later of two ends: trials that waited for a person put the end of the run off."""
    return new if old is None or new is None else max(old, new)


class Input(TypedDict):
    """What a run is given."""

    request: str
    messages: NotRequired[list[Json]]
    """Earlier turns, `{"role": …, "content": …}`, oldest first."""
    context: NotRequired[JsonObject]
    """What the caller knows already, by name."""


class State(Input):
    """Everything that a run knows; also the graph's output, so that Studio shows it whole."""

    settings: NotRequired[Json]
    """The run's `Context`, prompts aside: conditional edges read it here, since LangGraph gives
    them no runtime when a state is edited (`update_state`)."""
    round: NotRequired[int]
    """Round of trials, from 1; written by `retrieve`."""
    today: NotRequired[str]
    """ISO date that relative dates count from; written by `begin`."""
    deadline: NotRequired[Annotated[float | None, later]]
    """Absolute end of the run in seconds since the epoch; None without a wall-time limit."""
    queries: NotRequired[list[Json]]
    """`RetrievalQuery` records that the rewriter gave for the coming round."""
    candidates: NotRequired[list[Json]]
    """`Candidate` records of this round, best first; none of them was tried before."""
    needs_tool: NotRequired[float | None]
    answerable: NotRequired[float | None]
    trials: Annotated[list[Json], merge_trials]
    """`Trial` records of all rounds."""
    ranking: NotRequired[Json | None]
    selection: NotRequired[Json | None]
    usage: Annotated[dict[str, Json], merge_usage]
    """`Usage` records by step."""
    notes: Annotated[list[str], merge_notes]
    """What went wrong on the way and was made up for, one sentence each."""


class TrialInput(TypedDict):
    """What one run of the trial subgraph is sent."""

    settings: Json
    """As in `State`."""
    request: Json
    """A `Request` record."""
    candidate: Json
    round: int
    budget: Json
    """This trial's slice of the budget."""
    deadline: NotRequired[Annotated[float | None, later]]


class TrialOutput(TypedDict):
    """What a trial gives back; the keys are channels of the whole graph."""

    trials: Annotated[list[Json], merge_trials]
    usage: Annotated[dict[str, Json], merge_usage]
    notes: Annotated[list[str], merge_notes]


class TrialSteps(TypedDict):
    """What the steps of a trial write for each other."""

    plan: NotRequired[Json]
    digest: NotRequired[str | None]
    """Content hash of the tool that is tried: as it was indexed, else as it was planned for."""
    approval: NotRequired[Json | None]
    """What a person is asked before the call (`request`), and what was left of the trial's time
    then (`left_s`); None where nothing is asked."""
    approved: NotRequired[bool]
    executed: NotRequired[Json | None]
    simulated: NotRequired[Json | None]


class TrialReport(TrialOutput, TrialSteps):
    """What a trial gives back, with its own end where that was put off.

    What the steps wrote is no channel of the whole graph, and is dropped there; it stands here
    because LangGraph shows of a step's update only what the subgraph gives back.
    """

    deadline: NotRequired[Annotated[float | None, later]]


class TrialState(TrialInput, TrialOutput, TrialSteps):
    """The trial subgraph's own state."""

    planned_for: NotRequired[str]
    """Hash of the request that the plan was made for: one that is edited later is planned anew."""


Update: TypeAlias = Mapping[str, Any]
"""A partial state: what a node returns."""
