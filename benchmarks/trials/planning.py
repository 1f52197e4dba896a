"""How well the deterministic planner fills in calls, on labelled calls of public data sets.

    python benchmarks/trials/planning.py --data DIR [--part dev|report] [--written DIR]
        [--errors FILE]

`--written` (`benchmarks/written`) adds its requests of vendors that nothing was trained on.

Over pairs of a request and a tool that it is about. `false refusals`: complete calls that were
refused, all of them and those whose every required value stands in the conversation letter for
letter. `incomplete refused`: calls that the data set says cannot be made. `exact`: required gold
values given exactly (case and number format aside), over all and over those that stand in the
conversation; every value of a refused call counts as wrong. `whole calls exact`: optional values
too, and nothing given that the gold call lacks.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from gretel.contracts.trial import PlanResult
from gretel.datasets.judged import GoldCall
from gretel.datasets.masking import is_said
from gretel.evaluation.measures.calls import PlannedCall, measure_calls, score_call
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.training.planning.cases import ANY, Case, fold_of, masked
from gretel.training.planning.data import all_cases, written


class Tally(NamedTuple):
    """What one case adds to the table."""

    score: PlannedCall
    standing: frozenset[str] = frozenset()
    """Required gold values that stand in the conversation."""
    sayable: bool = False
    """Every required gold value stands in the conversation."""

    @property
    def wrong(self) -> frozenset[str]:
        """Values that stand in the conversation and were not given."""
        return self.standing.difference(self.score.right)


def one_masked(case: Case) -> Case | None:
    """A sayable case with its last required value deleted; None for other cases."""
    needed = [p.name for p in case.tool.parameters if p.required]
    sayable = needed and all(_stands(case, name) for name in needed)
    return masked(case, needed[-1]) if sayable else None


def _stands(case: Case, name: str) -> bool:
    """Whether some gold value of a parameter stands in what was said, letter for letter."""
    return is_said(case.request, case.fixed(), name)


def judge(case: Case, result: PlanResult) -> Tally:
    """Compare a plan with the gold call that it meets best."""
    required = {p.name for p in case.tool.parameters if p.required}
    score = score_call(result, [_gold_call(case, gold) for gold in case.gold], required)
    standing = frozenset(name for name in score.wanted if _stands(case, name))
    return Tally(score, standing, sayable=case.complete and required <= standing)


def _gold_call(case: Case, gold: dict[str, Any]) -> GoldCall:
    left_open = frozenset(name for name, value in gold.items() if value is ANY)
    fixed = {name: value for name, value in gold.items() if name not in left_open}
    return GoldCall(case.tool.tool_id, fixed, left_open)


async def _run(cases: list[Case]) -> tuple[list[tuple[Case, PlanResult, Tally]], float]:
    planner = DeterministicPlanner()
    await planner.plan(cases[0].request, cases[0].tool)
    begin = time.perf_counter()
    rows = []
    for case in cases:
        result = await planner.plan(case.request, case.tool)
        rows.append((case, result, judge(case, result)))
    return rows, (time.perf_counter() - begin) * 1000 / len(cases)


def _share(share: float | None, whole: int) -> str:
    return "" if share is None else f"{100 * share:5.1f} % of {whole}"


def table(tallies: list[Tally]) -> dict[str, str]:
    """The measures of one data set."""
    all_of = measure_calls(tally.score for tally in tallies)
    sayable = [tally for tally in tallies if tally.sayable]
    standing = sum(len(tally.standing) for tally in tallies)
    missed = sum(len(tally.wrong) for tally in tallies)
    of_sayable = measure_calls(tally.score for tally in sayable).false_refusals
    return {
        "false refusals": _share(all_of.false_refusals, all_of.complete),
        "… of sayable calls": _share(of_sayable, len(sayable)),
        "incomplete or masked refused": _share(all_of.refusal_recall, all_of.incomplete),
        "exact": _share(all_of.arguments, all_of.values),
        "… of standing values": _share(1 - missed / standing if standing else None, standing),
        "whole calls exact": _share(all_of.exact, all_of.complete),
    }


def _errors(rows: list[tuple[Case, PlanResult, Tally]]) -> list[dict[str, Any]]:
    return [
        {
            "case": f"{case.data} {case.case_id}",
            "said": "\n".join([*(m.content for m in case.request.messages), case.request.text]),
            "slots": [f"{p.name}: {p.description}" for p in case.tool.parameters],
            "gold": [{k: "*" if v is ANY else v for k, v in g.items()} for g in case.gold],
            "plan": result.model_dump(mode="json", exclude={"tool_id"}),
            "wrong": sorted(tally.wrong),
        }
        for case, result, tally in rows
        if tally.wrong or bool(tally.score.refused) == tally.score.complete
    ]


def main() -> None:
    """Print the table, the digest of the cases and the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("dev", "report"), default="dev")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="only this half of the part")
    parser.add_argument("--written", type=Path, help="folder of the written requests")
    parser.add_argument("--errors", type=Path)
    options = parser.parse_args()
    cases = all_cases(options.data, options.part)
    if options.written:
        cases += written(options.data, options.written, "dev")
    cases = [case for case in cases if options.fold in (None, fold_of(case))]
    cases += [hidden for hidden in map(one_masked, cases) if hidden]
    rows, each_ms = asyncio.run(_run(cases))
    by_data: dict[str, list[Tally]] = defaultdict(list)
    for case, _, tally in rows:
        by_data[case.data].append(tally)
    for data, tallies in by_data.items():
        print(data)
        for measure, value in table(tallies).items():
            if value:
                print(f"  {measure:28} {value}")
    ids = "\n".join(f"{case.data} {case.case_id}" for case in cases)
    print(f"cases {len(cases)}, digest {hashlib.sha256(ids.encode()).hexdigest()[:16]}")
    print(f"{each_ms:.1f} ms a plan\ncommand: python {' '.join(sys.argv)}")
    if options.errors:
        lines = (json.dumps(error, ensure_ascii=False) for error in _errors(rows))
        options.errors.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
