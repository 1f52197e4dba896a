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
    """What the user asked, with everything a planner may take values from."""

    text: str
    messages: tuple[Message, ...] = ()
    """Earlier turns, oldest first, without the request itself."""
    context: JsonObject = Field(default_factory=dict)
    """Values the caller already knows (`{"origin": "SFO"}`); they beat values read from text."""
    today: str
    """ISO date that relative dates count from."""
    timezone: str = "UTC"
    """IANA name."""
    locale: str = "en-US"
    """BCP 47; decides whether 3/4 is in March or in April."""


class RetrievalQuery(Record):
    """Text sent to a retriever."""

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
    """What the caller should know about how these were found, one sentence each."""


class RankedTool(Record):
    """One place of a ranking."""

    tool_id: ToolId
    rank: int = Field(ge=1)
    """Place after the trials, from 1."""
    rank_before: int = Field(ge=1)
    """Place that retrieval gave."""
    score: float
    """Retrieval score, adjusted by the evidence of the trial."""
    reason: Sentence
    """Why it is at this place; one sentence for people."""
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
    """One sentence for people."""


class SelectedTool(RankedTool):
    """An offered tool, with its trial."""

    needs_leave: bool = False
    """Whether it was not tried because a call may change something. It is then called only with
    the permission of the person who asked (`call(…, allow_change=True)`), and never if the policy
    marks it unsafe. False if the policy marks it callable."""
    trial: Trial


Lack: TypeAlias = Literal["value", "credential", "leave", "server", "answer", "budget"]
"""What would make a tool usable: a value from the user, a credential, permission to call it, a
server that works, an answer that fits the request, or a larger budget."""


class LackingTool(RankedTool):
    """A tool that was tried and is not offered; do not call it as it is."""

    lack: Lack
    lacks: Sentence
    """What it lacks, for people: `a value for carrier_code`."""
    missing: tuple[MissingField, ...] = ()
    """The values it lacks, if any."""
    trial: Trial


class Selection(Record):
    """The result: at most k tools, best first, or an abstention.

    With an abstention, `tools` is always empty. If every tool that was tried was refused or failed,
    `lacking` says what each would need, so that an agent can ask for it. These tools are not
    offers, and cannot be called from here.
    """

    tools: tuple[SelectedTool, ...] = ()
    abstention: Abstention | None = None
    lacking: tuple[LackingTool, ...] = ()
    """With an abstention after trials: the best k of the ranking; else empty."""
    missing: tuple[MissingField, ...] = ()
    """Fields to ask the user for, because they would make a demoted tool usable. Of the best k of
    the ranking, in its order, those tools that the request seems to be about."""
    needs_tool: float | None = None
    answerable: float | None = None
    hosts: tuple[str, ...] = ()
    """Hosts that trials would have called, but the policy did not allow."""
    rounds: int = 1
    notes: tuple[Sentence, ...] = ()

    @property
    def abstained(self) -> bool:
        """Whether no tool is offered."""
        return self.abstention is not None
