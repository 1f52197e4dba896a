"""What the evidence of a trial weighs: natural logarithms of likelihood ratios; 0 says nothing.

Failures are weighed by the constants of `failures.py`. The soft weights, of what right and wrong
tools show in different degrees without failing, are fitted on trials of development requests:
`training/evidence.py` makes `evidence.json`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias, get_args

from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.fitted import fitted_weights
from gretel.nodes.plan_evidence import refusing, said_in
from gretel.nodes.rerank.failures import doubt_in, lacks
from gretel.nodes.rerank.grounding import Grounding

Soft: TypeAlias = Literal[
    "refused", "grounding", "share", "taken", "succeeded", "answered", "words"
]
"""Evidence whose weight is fitted:

- `refused`: the confidence of a refusal, or that an answer speaks of what the call left out;
- `grounding`, `share`: how much of the request the call consumes, beside others, and which part of
  all that is consumed, see `grounding.py`;
- `taken`: how many values are read from what was said, each counting by its confidence; those of
  a refusal too, which lacks another;
- `succeeded`: that the call was made and answered with content, or how far the tool is credited
  with that, because it could not show it (`unshown.py`);
- `answered`: how sure the values were that the tool knew an answer to; a wrong one often has none.
  A sample shows nothing: it is the tool's own value. Credited as `succeeded` is;
- `words`: how much the answer speaks of what else is asked for, see `answer_words.py`.
"""

SOFT: tuple[Soft, ...] = get_args(Soft)


@cache
def soft_weights() -> Mapping[Soft, float]:
    """The fitted weights that the package carries, one for each kind of soft evidence."""
    return fitted_weights("rerank/evidence.json", SOFT)


def soft_weight(evidence: Mapping[Soft, float]) -> float:
    """What `soft_evidence` adds to the log-odds beside the weight of a failure."""
    return sum(soft_weights()[name] * found for name, found in evidence.items())


def soft_evidence(
    trial: Trial, tool: Tool, grounding: Grounding, *, credit: float = 0.0, words: float = 0.0
) -> dict[Soft, float]:
    """How much of each kind of soft evidence a trial shows; kinds that it does not are left out.

    `credit`: how far a tool that did not answer counts as one that did, and `words`: how much its
    answer speaks of the request, both 0…1.
    """
    found: dict[Soft, float] = {
        "refused": 1.0 if lacks(trial) else refusing(trial.plan, tool),
        "grounding": grounding.own,
        "share": grounding.share,
        "taken": sum(each.confidence for each in said_in(trial.plan)),
        "words": words,
        **_answered(trial, credit),
    }
    return {name: each for name, each in found.items() if each}


def _answered(trial: Trial, credit: float) -> dict[Soft, float]:
    share = 1.0 if trial.executed.holds_something else credit
    sampled = isinstance(trial.plan, CallPlan) and trial.plan.unmet
    doubt = None if sampled else doubt_in(trial)
    return {"succeeded": share, "answered": 0.0 if doubt is None else share * (1 - doubt)}
