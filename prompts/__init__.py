"""One template a step, as a file with a version; load it, override it for a run, render it."""

from gretel.prompts.loading import STEPS, load, using
from gretel.prompts.showing import conversation, json_text, tool_text
from gretel.text.blocks import broken
from gretel.text.foreign import one_line

__all__ = [
    "STEPS",
    "broken",
    "conversation",
    "json_text",
    "load",
    "one_line",
    "tool_text",
    "using",
]
