"""From what a model said to what it may do."""

from gretel.contracts.calibration import STEPS, Calibration
from gretel.evaluation.calibration.plans import planning, trust_in
from gretel.evaluation.calibration.rankings import ranking, reranking
from gretel.evaluation.calibration.verdicts import Evidence, StepVerdict, shown


async def judged(model: str, evidence: Evidence) -> tuple[Calibration, list[StepVerdict]]:
    """The setting, and the figures behind it.

    What is fitted (trust, margin) is judged on the half of the requests that it was not fitted
    on, and shipped as fitted on all.
    """
    trust = trust_in(evidence, lambda request: True)
    found = [planning(evidence), *(ranking(evidence, s) for s in ("rewrite", "simulate"))]
    ordered, margin = await reranking(evidence)
    found = sorted([*found, ordered], key=lambda verdict: STEPS.index(verdict.step))
    calibration = Calibration(
        model=model,
        steps=frozenset(verdict.step for verdict in found if verdict.use),
        trust=trust,
        margin=margin,
        measured={verdict.step: shown(verdict) for verdict in found},
    )
    return calibration, found
