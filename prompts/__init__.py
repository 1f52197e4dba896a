"""One template a step, as a file with a version; load it, override it for a run, render it."""

from gretel.prompts.blocks import clean, one_line
from gretel.prompts.loading import STEPS, load, using
from gretel.prompts.template import Prompt

__all__ = ["STEPS", "Prompt", "clean", "load", "one_line", "using"]
