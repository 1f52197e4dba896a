"""How well the deterministic planner fills in calls, on labelled calls of public data sets.

    python benchmarks/planning.py --data DIR [--part dev|report] [--errors FILE]

Over pairs of a request and a tool that it is about. `false refusals`: complete calls that were
refused, all of them and those whose every required value stands in the conversation letter for
letter. `incomplete refused`: calls that the data set says cannot be made. `exact`: required gold
values given exactly (case and number format aside), over all and over those that stand in the
conversation; every value of a refused call counts as wrong.
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

from gretel.contracts.trial import CallPlan, PlanResult
from gretel.nodes.planners.deterministic import DeterministicPlanner
from gretel.training.planner import plain
from gretel.training.planning_cases import ANY, Case, fold_of, masked
from gretel.training.planning_data import all_cases


class Tally(NamedTuple):
    """What one case adds to the table."""

    complete: bool
    sayable: bool
    """Every required gold value stands in the conversation."""
    refused: bool
    values: int
    exact: int
    standing: int
    standing_exact: int
    wrong: tuple[str, ...]


def _same(given: Any, gold: Any) -> bool:
    if isinstance(gold, dict):
        return isinstance(given, dict) and all(_same(given.get(k), v) for k, v in gold.items())
    if isinstance(gold, list):
        return (
            isinstance(given, list)
            and len(given) == len(gold)
            and all(
                _same(a, b)
                for a, b in zip(sorted(given, key=str), sorted(gold, key=str), strict=True)
            )
        )
    return given is not None and plain(given) == plain(gold)


def one_masked(case: Case) -> Case | None:
    """A sayable case with its last required value deleted; None for other cases."""
    needed = [p.name for p in case.tool.parameters if p.required]
    sayable = needed and all(case.standing(name) for name in needed)
    return masked(case, needed[-1]) if sayable else None


def judge(case: Case, result: PlanResult) -> Tally:
    """Compare a plan with the gold call that it meets best."""
    values = result.values() if isinstance(result, CallPlan) else {}
    required = {p.name for p in case.tool.parameters if p.required}
    best = Tally(case.complete, False, result.kind == "refusal", 0, -1, 0, 0, ())
    for gold in case.gold:
        wanted = {k: v for k, v in gold.items() if k in required and v is not ANY}
        right = {name for name, value in wanted.items() if _same(values.get(name), value)}
        standing = {name for name in wanted if case.standing(name)}
        if len(right) > best.exact:
            best = best._replace(
                sayable=required <= standing,
                values=len(wanted),
                exact=len(right),
                standing=len(standing),
                standing_exact=len(right & standing),
                wrong=tuple(sorted(standing - right)),
            )
    return best._replace(exact=max(best.exact, 0))


async def _run(cases: list[Case]) -> tuple[list[tuple[Case, PlanResult, Tally]], float]:
    planner = DeterministicPlanner()
    await planner.plan(cases[0].request, cases[0].tool)
    begin = time.perf_counter()
    rows = []
    for case in cases:
        result = await planner.plan(case.request, case.tool)
        rows.append((case, result, judge(case, result)))
    return rows, (time.perf_counter() - begin) * 1000 / len(cases)


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:5.1f} % of {whole:.0f}" if whole else ""


def table(tallies: list[Tally]) -> dict[str, str]:
    """The measures of one data set."""
    complete = [t for t in tallies if t.complete]
    sayable = [t for t in complete if t.sayable]
    incomplete = [t for t in tallies if not t.complete]
    return {
        "false refusals": _share(sum(t.refused for t in complete), len(complete)),
        "… of sayable calls": _share(sum(t.refused for t in sayable), len(sayable)),
        "incomplete or masked refused": _share(sum(t.refused for t in incomplete), len(incomplete)),
        "exact": _share(sum(t.exact for t in complete), sum(t.values for t in complete)),
        "… of standing values": _share(
            sum(t.standing_exact for t in complete), sum(t.standing for t in complete)
        ),
    }


def _errors(rows: list[tuple[Case, PlanResult, Tally]]) -> list[dict[str, Any]]:
    return [
        {
            "case": f"{case.data} {case.case_id}",
            "said": case.text(),
            "slots": [f"{p.name}: {p.description}" for p in case.tool.parameters],
            "gold": [{k: "*" if v is ANY else v for k, v in g.items()} for g in case.gold],
            "plan": result.model_dump(mode="json", exclude={"tool_id"}),
            "wrong": tally.wrong,
        }
        for case, result, tally in rows
        if tally.wrong or tally.refused == tally.complete
    ]


def main() -> None:
    """Print the table, the digest of the cases and the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("dev", "report"), default="dev")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="only this half of the part")
    parser.add_argument("--errors", type=Path)
    options = parser.parse_args()
    cases = all_cases(options.data, options.part)
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
