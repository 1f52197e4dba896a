"""Run-time context: per-run scalars and prompt texts, editable in Studio."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator

from gretel.contracts.budget import Budget

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

_FITTED = files("gretel.nodes.retrieve.need").joinpath("answerable.json").read_text("utf-8")

ABSTAIN_BELOW: float = json.loads(_FITTED)["threshold"]
"""The highest that loses at most 5 % of the served requests of any collection it was fitted on."""

MAX_PLAN_BATCH = 16
"""Candidates whose calls one reply of a model plans; more would be cut at its cap."""


def prompt_of(step: str) -> Any:
    """The field of a context that holds a run's own instructions of one step."""
    return Field(
        default=None,
        description=f"Instructions of the {step} step for this run; empty: the shipped prompt.",
        json_schema_extra={"langgraph_nodes": [step], "langgraph_type": "prompt"},
    )


class Context(BaseModel):
    """Settings of one run; unknown keys are an error."""

    model_config = ConfigDict(extra="forbid", validate_default=False, hide_input_in_errors=True)

    k: int = Field(default=5, ge=1, le=100, description="Maximum number of tools offered.")
    depth: int = Field(default=10, ge=1, le=200, description="Candidates tried per round.")
    rounds: int = Field(
        default=1, ge=1, le=5, description="Rounds of trials while none finds a usable tool."
    )
    today: date | None = Field(
        default=None, description="Relative dates count from this date; empty: today."
    )
    timezone: str = Field(default="UTC", description="IANA time zone of the user.")
    locale: str = Field(default="en-US", description="BCP 47 locale; decides how 3/4 is read.")
    budget: Budget = Field(default_factory=Budget, description="Limits of the run.")
    simulate: bool = Field(
        default=True,
        description="Simulate calls that could not be executed for non-critical reasons.",
    )
    approve: Literal["never", "ask"] = Field(
        default="never",
        description="`ask`: ask a person before a call that may change something (interrupts the "
        "run, needs a checkpointer); `never`: simulate such calls.",
    )
    abstain_below: float = Field(
        default=ABSTAIN_BELOW,
        ge=0,
        le=1,
        description="Abstain if the probability that a tool is needed, or that one of the "
        "catalogue fits, is below this; 0 turns it off.",
    )
    seed: int = Field(default=7, description="Seed of the simulator.")
    prompt_rewrite: str | None = prompt_of("rewrite")
    prompt_plan: str | None = prompt_of("plan")
    prompt_simulate: str | None = prompt_of("simulate")
    prompt_rerank: str | None = prompt_of("rerank")

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, OSError, ValueError) as error:  # a folder of zones, too
            raise ValueError(
                f"timezone {value!r} is not an IANA name such as Europe/Oslo"
            ) from error
        return value

    def day(self) -> date:
        """The day that relative dates count from, in the user's time zone."""
        return self.today or datetime.now(ZoneInfo(self.timezone)).date()

    def prompt_overrides(self) -> dict[str, str]:
        """Prompt texts of this run by step."""
        texts = {name: text for name, text in self if name.startswith("prompt_") and text}
        return {name.removeprefix("prompt_"): text for name, text in texts.items()}


def settings_of(context: Context) -> dict[str, Any]:
    """What conditional edges need of a run's context, as JSON for the state."""
    prompt_texts = {name for name in type(context).model_fields if name.startswith("prompt_")}
    return context.model_dump(mode="json", exclude=prompt_texts, exclude_defaults=True)


def settings_in(state: Mapping[str, Any]) -> Context:
    """The context that the state's last node ran under; the defaults before any node ran."""
    return Context.model_validate(state.get("settings") or {})


def context_of(runtime: "Runtime[Context]") -> Context:
    """The run's context; in-process runs that give none have None there."""
    return runtime.context or Context()
