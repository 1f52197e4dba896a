"""From request to candidates to a ranking: what retrieval and re-ranking exchange."""

from typing import Literal, NamedTuple, TypeAlias

from pydantic import Field

from gretel.contracts.record import JsonObject, Record, Sentence
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import MissingField, Trial


class Message(Record):
    """One earlier turn of the conversation."""

    role: Literal["user", "assistant", "system", "tool"]
    content: str


class Request(Record):
    """What the user asked, with everything that a planner may take a value from."""

    text: str
    messages: tuple[Message, ...] = ()
    """Earlier turns, oldest first, without the request itself."""
    context: JsonObject = Field(default_factory=dict)
    """What the caller knows already (`{"origin": "SFO"}`); beats values read from text."""
    today: str
    """ISO date that relative dates are counted from."""
    timezone: str = "UTC"
    """IANA name."""
    locale: str = "en-US"
    """BCP 47; decides whether 3/4 is a day in March or in April."""


class RetrievalQuery(Record):
    """Text that is sent to a retriever."""

    text: str
    origin: Literal["request", "part", "rewrite", "feedback"] = "request"
    """The request as it came, one of its parts, or a rewriter's text."""
    parts: tuple[str, ...] = ()
    """Sentences and clauses of the text, where the candidate stage split it."""
    weight: float | None = Field(default=None, ge=0, le=1, exclude_if=lambda own: own is None)
    """Share of what a rewriter wrote beside the request, where its use was measured; else None."""


class Candidate(Record):
    """A tool with its place and score from retrieval."""

    tool_id: ToolId
    score: float
    """Higher is better; comparable within one retrieval, in [0, 1]."""
    rank: int = Field(ge=1)
    parts: dict[str, float] = Field(default_factory=dict)
    """What the score was made of (`dense`, `sparse`, `exact`, …), for whoever asks why."""
    digest: str | None = None
    """Content hash of the tool when it was indexed; None where the retriever pins none."""


class MatchSignals(Record):
    """How well the tools searched match one query, in absolute terms.

    Scores only compare tools with each other; whether one serves the query at all is judged by
    these.
    """

    tools: int = Field(ge=0)
    """How many were searched: the best of many chance scores is higher than the best of few."""
    dense: float
    """Highest cosine of a tool with the query, or with the query without its quoted values."""
    sparse: float
    """Highest BM25 of a tool, as a share of what the query's words could reach."""
    named: bool
    """Whether the query names a tool outright."""
    words: int = Field(ge=0)
    """How many different content words the query has: a long one matches by chance more often."""
    legible: float
    """Share of the query's letters that the encoder can read."""
    language: str | None = None
    """ISO 639 code of the query's language, where the encoder was not taught it."""
    middle: tuple[float, ...] = ()
    """The query's mid-layer embedding, which says how it is put; empty where the encoder is not the
    bundled one."""


class Chances(NamedTuple):
    """What one request looks like to one catalogue; None where unknown."""

    needs_tool: float | None = None
    answerable: float | None = None


class Retrieval(Record):
    """Candidates of each query, in the order of the queries."""

    candidates: tuple[tuple[Candidate, ...], ...]
    signals: tuple[MatchSignals, ...] = ()
    """For each query that is no part of another; empty where the retriever measures none."""
    needs_tool: float | None = None
    """Probability that the request needs a tool at all; None where the retriever cannot say."""
    answerable: float | None = None
    """Probability that some tool of the catalogue serves the request; None where unknown."""
    notes: tuple[Sentence, ...] = ()
    """What the caller should know of how these were found, one sentence each."""


class RankedTool(Record):
    """One place of a ranking."""

    tool_id: ToolId
    rank: int = Field(ge=1)
    """Place after the trials, from 1."""
    rank_before: int = Field(ge=1)
    """Place that retrieval gave."""
    score: float
    """Retrieval score adjusted by evidence."""
    reason: Sentence
    """One sentence for a person: why it stands here."""
    slower_than: ToolId | None = None
    """A tool that did the same in clearly less time."""


class Ranking(Record):
    """A permutation of the tools that were tried, best first."""

    tools: tuple[RankedTool, ...]
    notes: tuple[Sentence, ...] = ()
    """What went wrong on the way and was repaired (unknown tools named by a model, …)."""


AbstentionReason: TypeAlias = Literal[
    "no_candidates",
    "no_tool_needed",
    "no_tool_fits",
    "all_refused",
    "all_failed",
    "budget_spent",
]


class Abstention(Record):
    """Why no tool is offered."""

    reason: AbstentionReason
    detail: Sentence
    """One sentence for a person."""


class SelectedTool(RankedTool):
    """One tool that the caller gets, with the trial that speaks for it."""

    needs_leave: bool = False
    """Whether it was not tried since a call may change something: it is called with the leave of
    the person who asked alone (`call(…, allow_change=True)`), and not even so where policy marks it
    unsafe. False where policy marks it callable."""
    trial: Trial


Lack: TypeAlias = Literal["value", "credential", "leave", "server", "answer", "budget"]
"""What would make a tool usable: a value of the user's, a credential, the user's leave to call it,
a server that works, an answer that serves the request, or a larger budget."""


class LackingTool(RankedTool):
    """One tool that was tried and is not offered; it is not to be called as it is."""

    lack: Lack
    lacks: Sentence
    """What it lacks, for a person: `a value for carrier_code`."""
    missing: tuple[MissingField, ...] = ()
    """Where it lacks values: which."""
    trial: Trial


class Selection(Record):
    """What the caller gets: at most k tools, best first, or an abstention.

    Beside an abstention `tools` is empty, always. Where every tool that was tried was refused or
    failed, `lacking` says what each would need, so that an agent can ask for it: none of these is
    an offer, and none can be called from here.
    """

    tools: tuple[SelectedTool, ...] = ()
    abstention: Abstention | None = None
    lacking: tuple[LackingTool, ...] = ()
    """Beside an abstention after trials: the best k of the ranking; else empty."""
    missing: tuple[MissingField, ...] = ()
    """Fields that would make a demoted tool usable: what to ask the user. Of those among the best k
    of the ranking that the request seems to be about, in its order."""
    needs_tool: float | None = None
    answerable: float | None = None
    hosts: tuple[str, ...] = ()
    """Hosts that trials would have called and that policy did not allow."""
    rounds: int = 1
    notes: tuple[Sentence, ...] = ()

    @property
    def abstained(self) -> bool:
        """Whether no tool is offered."""
        return self.abstention is not None
