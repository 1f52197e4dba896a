"""How much of what is asked an answer speaks of.

Who asks what grows in the garden is served by the answer that speaks of a garden and of what grows
there. Of the request count the words that no call takes as a value, because a server repeats what
it was called with, whether it was meant or not; of an answer its first different words beyond those
of its tool's name and description, which retrieval has read. They count by how few of the answers
have them.

A server does not see the request, but it may guess. So it is a share, of few words, and weighs no
more than is fitted (`weight.py`).
"""

import math
from collections.abc import Sequence
from itertools import islice

from gretel.catalog import Catalog
from gretel.catalog.retrieval_text import plain_description
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Trial
from gretel.nodes.asked_words import Words, asked_words, stems, weighed_shares
from gretel.nodes.plan_evidence import said_in
from gretel.text.tokens import words

READ = 90
"""Different words of an answer that are read."""


def coverages(text: str, trials: Sequence[Trial], catalog: Catalog) -> dict[ToolId, float]:
    """By how much the share of an answer is above the mean of all answers, -1…1.

    The share is of all that the answers of one request speak of together. A tool without an answer
    to read could not show any: it is left out.

    Args:
        text: the request.
        trials: of one request; their order does not matter.
        catalog: says what the tools are.
    """
    consumed = stems(
        word for trial in trials for each in said_in(trial.plan) for word in words(str(each.value))
    )
    answers = {t.tool_id: _answered(t, catalog) for t in trials if _can_be_read(t)}
    if not answers:
        return {}
    shares = weighed_shares(asked_words(text) - consumed, list(answers.values()))
    mean = math.fsum(shares) / len(shares)
    return {name: share - mean for name, share in zip(answers, shares, strict=True)}


def _can_be_read(trial: Trial) -> bool:
    """Whether a server answered with content, in words."""
    return trial.executed.holds_something and bool(trial.executed.excerpt)


def _answered(trial: Trial, catalog: Catalog) -> Words:
    tool = catalog[trial.tool_id]
    first = islice(dict.fromkeys(words(trial.executed.excerpt)), READ)
    said = f"{tool.operation} {plain_description(tool.description)}"
    return stems(first) - stems(words(said))
