"""What a run may spend, and what it spent."""

from pydantic import Field

from gretel.contracts.record import Record


class Budget(Record):
    """Limits of one selection; None is unlimited.

    The properties are the shares of `wall_s`, `trial_s` and `call_s` that single steps get.
    """

    wall_s: float | None = Field(default=60.0, gt=0)
    """Seconds of wall time for the whole selection."""
    trial_s: float = Field(default=20.0, gt=0)
    """Seconds for one trial: planning, call and simulation together."""
    call_s: float = Field(default=10.0, gt=0)
    """Seconds for one call, including a slow body."""
    trials: int | None = Field(default=None, ge=0)
    """Maximum number of candidates tried, over all rounds."""
    calls: int | None = Field(default=None, ge=0)
    """Maximum number of calls sent, over all rounds."""
    bytes_wire: int = Field(default=1_000_000, ge=0)
    """Maximum bytes read from the wire per call."""
    bytes_decoded: int = Field(default=4_000_000, ge=0)
    """Maximum bytes after decompression per call."""
    tokens: int | None = Field(default=None, ge=0)
    """Maximum LLM tokens, prompt and completion together."""
    money_usd: float | None = Field(default=None, ge=0)
    reply_tokens: int = Field(default=1_024, ge=16, le=1_000_000)
    """Maximum LLM tokens of one reply, not counting reasoning before it. Each step asks for no
    more than the schema of its reply needs."""

    @property
    def rewrite_s(self) -> float | None:
        """Seconds that the rewriter may take of the run."""
        return None if self.wall_s is None else 0.2 * self.wall_s

    @property
    def offer_s(self) -> float | None:
        """Seconds that an agent's run may take to have its tools selected."""
        return None if self.wall_s is None else 0.5 * self.wall_s

    @property
    def plan_s(self) -> float:
        """Seconds that one trial's planning may take; the call needs the rest."""
        return 0.6 * self.trial_s

    @property
    def simulate_s(self) -> float:
        """Seconds that one trial's simulation may take."""
        return 0.4 * self.trial_s

    @property
    def queue_s(self) -> float:
        """Seconds that a call may wait until its server's limits let it start."""
        return 0.5 * self.call_s

    @property
    def credential_s(self) -> float:
        """Seconds that the credentials of a call may take."""
        return 0.5 * self.call_s

    @property
    def connect_s(self) -> float:
        """Seconds that the connection of a call may take."""
        return 0.5 * self.call_s

    @property
    def rerank_s(self) -> float | None:
        """Seconds at the end of the run that the trials leave to the re-ranker."""
        return None if self.wall_s is None else 0.15 * self.wall_s

    @property
    def rerank_most_s(self) -> float | None:
        """Seconds that the re-ranker may take where the trials left more."""
        return None if self.wall_s is None else 0.4 * self.wall_s


class Usage(Record):
    """What one step, or a whole run, has used."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the provider had cached, if it says so."""
    money_usd: float | None = None
    """None if the price of a model is unknown: unknown is not zero."""
    tool_calls: int = 0
    ms: float = 0.0
    """Wall time."""
