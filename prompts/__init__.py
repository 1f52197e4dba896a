"""One template a step, as a file with a version; load it, override it for a run, render it."""

from gretel.prompts.blocks import clean, one_line
from gretel.prompts.loading import STEPS, load, using
from gretel.prompts.showing import conversation, json_text, short_schema, tool_text
from gretel.prompts.template import Prompt

__all__ = [
    "STEPS",
    "Prompt",
    "clean",
    "conversation",
    "json_text",
    "load",
    "one_line",
    "short_schema",
    "tool_text",
    "using",
]
