"""A trial: the planned call or the refusal, and its outcome."""

from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import AliasChoices, Field, field_validator

from gretel.contracts.record import Excerpt, JsonObject, JsonValue, Record, Sentence
from gretel.contracts.tool import Tool, ToolId

ArgumentSource: TypeAlias = Literal[
    "request", "message", "context", "enum", "default", "example", "invented", "answer"
]
"""Where a value came from: the request's text, an earlier message, the context (or today's date),
the only enum member, a true default, a sample of the document, nowhere (an LLM's value for which we
find nothing in the text), or what a tool answered earlier, in an agent's run or a conversation."""


class Argument(Record):
    """A planned value and its origin."""

    value: JsonValue
    source: ArgumentSource
    span: tuple[int, int] | None = None
    """Characters of the request (or message) that the value was read from."""
    confidence: float = Field(default=1.0, ge=0, le=1)
    quoted: bool = False
    """Whether a model alone says that it follows from what stands there: "delete" from "list them",
    where it was moved to. So it is nobody's word, and gives no leave."""

    @field_validator("source", mode="before")
    @classmethod
    def _renamed(cls, value: object) -> object:
        """Runs and states of version 0.2 call it `model`."""
        return "invented" if value == "model" else value


class MissingField(Record):
    """A required value that is not in the request, the conversation or the context."""

    tool_id: ToolId
    name: str
    description: Sentence = ""
    provided_by: tuple[ToolId, ...] = ()
    """Other candidates whose response provides it."""
    file: bool = False
    """A file, which no words are: the caller has to give it, in `context`."""


class CallPlan(Record):
    """An intended call; its arguments are valid against the tool's schema."""

    kind: Literal["plan"] = "plan"
    tool_id: ToolId
    arguments: dict[str, Argument]
    unmet: tuple[str, ...] = ()
    """Required parameters that were filled from a sample, or by a model from nowhere, so that the
    tool can be tried: they count as unmet, weakly."""
    confidence: float = Field(default=1.0, ge=0, le=1)
    """How certain the planner is that the request asks for this call."""
    digest: str | None = None
    """Content hash of the tool that is meant; one that is another by now is not called."""
    facts: tuple[str, ...] = ()
    """Arguments that hold what the caller's context says, or what a tool answered in an earlier
    turn, whole or in part: they are sent to servers that the user named, and to no others."""

    def values(self) -> JsonObject:
        """The arguments as a plain JSON object."""
        return {name: argument.value for name, argument in self.arguments.items()}

    @property
    def said(self) -> frozenset[str]:
        """The arguments whose values the person or the caller said."""
        sources = ("request", "message", "context")
        return frozenset(
            name
            for name, each in self.arguments.items()
            if each.source in sources and not each.quoted
        )

    def named(self, tool: Tool) -> frozenset[str]:
        """The arguments whose values somebody named; `tool` is the one that is called.

        What the context says of a path is where to look, and names nothing: a server that is always
        `localhost`.
        """
        path = {each.name for each in tool.parameters if each.location == "path"}
        sources = ("request", "message", "invented", "context", "answer")
        return frozenset(
            name
            for name, each in self.arguments.items()
            if each.source in sources and not (each.source == "context" and name in path)
        )


RefusalReason: TypeAlias = Literal[
    "missing_required", "invalid_value", "needs_other_tool", "off_topic", "planner_failed", "budget"
]


class Refusal(Record):
    """No valid call can be planned from what is known."""

    kind: Literal["refusal"] = "refusal"
    tool_id: ToolId
    reason: RefusalReason
    detail: Sentence
    missing: tuple[MissingField, ...] = ()
    found: dict[str, Argument] = Field(default_factory=dict)
    """The values that the call would have had, by name or dotted path; never sent."""
    confidence: float = Field(default=1.0, ge=0, le=1)
    """Calibrated probability that the refusal is right."""


PlanResult: TypeAlias = Annotated[CallPlan | Refusal, Field(discriminator="kind")]

ParameterMismatch: TypeAlias = Literal["missing_required", "invalid_value", "rejected_arguments"]
SemanticMismatch: TypeAlias = Literal["empty", "irrelevant", "error_in_body"]
ExecutionFailure: TypeAlias = Literal[
    "auth",
    "permission",
    "rate_limit",
    "server_error",
    "timeout",
    "connection",
    "protocol",
    "drift",
]
PolicyFailure: TypeAlias = Literal[
    "unsafe_method", "host_not_allowed", "missing_credential", "no_binding", "budget_spent"
]
MachineFailure: TypeAlias = Literal["sandbox_unavailable"]
FailureKind: TypeAlias = Literal[
    ParameterMismatch, SemanticMismatch, ExecutionFailure, PolicyFailure, MachineFailure
]
"""The failure taxonomy: GRETEL's Table 4, refined, plus what our policy forbids or we broke."""

FailureClass: TypeAlias = Literal[
    "parameter_mismatch", "semantic_mismatch", "execution_failure", "policy", "machine"
]
FAILURE_CLASS: dict[FailureKind, FailureClass] = {
    **dict.fromkeys(get_args(ParameterMismatch), "parameter_mismatch"),
    **dict.fromkeys(get_args(SemanticMismatch), "semantic_mismatch"),
    **dict.fromkeys(get_args(ExecutionFailure), "execution_failure"),
    **dict.fromkeys(get_args(PolicyFailure), "policy"),
    **dict.fromkeys(get_args(MachineFailure), "machine"),
}

SIMULATED_FAILURES: frozenset[FailureKind] = frozenset(
    {
        "rate_limit",
        "timeout",
        "server_error",
        "missing_credential",
        "unsafe_method",
        "host_not_allowed",
        "no_binding",
    }
)
"""Non-critical failures of an otherwise valid plan: the simulator may step in (GRETEL 3.2.1)."""

Fault: TypeAlias = Literal["tool", "request", "ours"]
"""Whose fault a failure is; ours (a dead network) must not count against a tool."""


class Failure(Record):
    """Why a call did not succeed."""

    kind: FailureKind
    detail: Sentence
    """One redacted sentence."""
    fault: Fault
    fields: tuple[str, ...] = ()
    """Arguments that the failure names; of an empty answer those that narrowed the call."""
    transient: bool = Field(default=False, validation_alias=AliasChoices("transient", "passing"))
    """Whether the server itself says that a server error is a matter of time: 503, or in words.
    Runs and states of version 0.1 call it `passing`."""
    host: str | None = None
    """Policy: the host that would have to be allowed."""


Status: TypeAlias = Literal["succeeded", "empty", "failed", "refused", "unavailable"]
Source: TypeAlias = Literal["executed", "simulated", "none"]


class Outcome(Record):
    """The result of a plan, on two separate axes: how it ended, and how we know.

    `succeeded`: a usable answer. `empty`: an answer without content. `failed`: the tool or the
    request is at fault. `refused`: no plan. `unavailable`: not tried for our own reasons (policy,
    budget, no binding, no network).
    """

    status: Status
    source: Source
    failure: Failure | None = None
    says_none: bool = False
    """The answer is that there are none: of a success an empty list to a call that asked nothing
    certain, which is true, and weak evidence at most; of an empty answer one to a call that did."""
    oddness: float = Field(default=0.0, ge=0)
    """Of a success of a tool that does not document its answers: how much oftener answers to
    something else use the words of its fields' names, as a natural logarithm."""
    host: str | None = None
    """Server that the call went to, or would have gone to; None if unknown."""
    http_status: int | None = None
    latency_ms: float | None = None
    """Wall time of the call, from first byte sent to last byte read; None when nothing was sent."""
    bytes_wire: int = 0
    bytes_decoded: int = 0
    body_sha256: str | None = None
    """Of the answer; if a short one repeats a credential, without that."""
    excerpt: Excerpt = ""
    """Redacted beginning of the answer, at most 2,048 bytes in UTF-8."""

    @property
    def holds_something(self) -> bool:
        """Whether it is an answer with content: a success that does not say that there are none."""
        return self.status == "succeeded" and not self.says_none


class CallResult(Record):
    """A call made for the caller, not in a trial: its outcome and the whole answer."""

    outcome: Outcome
    body: JsonValue = None
    """The answer, parsed if it is JSON, else as text; `{"mimeType": …, "data": …}` with its bytes
    in base64 if it is not text, as a picture; None if there was none. Secrets are not redacted: it
    is what the caller asked for, and is stored in no state."""
    shown: Excerpt = ""
    """Beginning and end of the answer, redacted, as an agent's model sees them."""


class Trial(Record):
    """One tried candidate: its plan and the outcome."""

    tool_id: ToolId
    round: int = Field(ge=1)
    rank_before: int = Field(ge=1)
    retrieval_score: float
    plan: PlanResult
    executed: Outcome
    """Outcome of execution; `status` is `refused` or `unavailable` if nothing was sent."""
    simulated: Outcome | None = None
    """Outcome of simulation, if execution was not possible."""
    digest: str | None = None
    """Content hash of the tool that was selected; later calls are held to it."""
    later: bool = False
    """Whether the tool came, or changed, after the catalogue was pinned."""

    @property
    def outcome(self) -> Outcome:
        """The outcome that counts: the simulated one if there is one, else the executed one."""
        return self.simulated or self.executed
