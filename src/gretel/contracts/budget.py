"""What a run may spend, and what it spent."""

from pydantic import Field

from gretel.contracts.record import Record


class Budget(Record):
    """Limits of one selection; None is unlimited."""

    wall_s: float | None = Field(default=60.0, gt=0)
    """Seconds of wall time for the whole selection."""
    trial_s: float = Field(default=20.0, gt=0)
    """Seconds for one trial: planning, call and simulation together."""
    call_s: float = Field(default=10.0, gt=0)
    """Seconds for one call, slow bodies included."""
    trials: int | None = Field(default=None, ge=0)
    """Candidates tried over all rounds."""
    calls: int | None = Field(default=None, ge=0)
    """Calls that leave the process, over all rounds."""
    bytes_wire: int = Field(default=1_000_000, ge=0)
    """Bytes read from the wire per call."""
    bytes_decoded: int = Field(default=4_000_000, ge=0)
    """Bytes after decompression per call."""
    tokens: int | None = Field(default=None, ge=0)
    """LLM tokens, prompt and completion together."""
    money_usd: float | None = Field(default=None, ge=0)


class Usage(Record):
    """What was spent, by one step or by a whole run."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money_usd: float | None = None
    """None where the price of a model is not known: unknown is not zero."""
    tool_calls: int = 0
    ms: float = 0.0
    """Wall time."""
