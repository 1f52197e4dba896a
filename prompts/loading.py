"""The shipped prompts, and the instructions that one run has in their place."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from importlib.resources import files

from gretel.contracts.errors import ConfigurationError
from gretel.prompts.template import Prompt, parse

STEPS = ("rewrite", "plan", "simulate", "rerank", "think", "act", "finish")

_NO_OVERRIDES: Mapping[str, str] = {}
_OVERRIDES: ContextVar[Mapping[str, str]] = ContextVar("gretel_prompts", default=_NO_OVERRIDES)


def load(step: str) -> Prompt:
    """The prompt of a step, with this run's instructions where it has its own.

    Raises:
        ConfigurationError: there is no such step.
    """
    prompt = _shipped(step)
    own = _OVERRIDES.get().get(step)
    return prompt if own is None else replace(prompt, system=own)


@contextmanager
def using(instructions: Mapping[str, str]) -> Iterator[None]:
    """Replace the instructions of some steps inside the block, and in tasks created inside.

    The user's part stays: it holds the data, the warning that goes with it, and the reply format.
    A blank text leaves the shipped instructions.

    Raises:
        ConfigurationError: there is no such step.
    """
    for step in instructions:
        _shipped(step)
    own = {step: text.strip() for step, text in instructions.items() if text.strip()}
    token = _OVERRIDES.set({**_OVERRIDES.get(), **own})
    try:
        yield
    finally:
        _OVERRIDES.reset(token)


@cache
def _shipped(step: str) -> Prompt:
    if step not in STEPS:
        raise ConfigurationError(
            f"{step!r} is not a step", field="prompts", remedy=f"Use one of {', '.join(STEPS)}"
        )
    text = files("gretel.prompts").joinpath(f"{step}.md").read_text(encoding="utf-8")
    return parse(step, text)
