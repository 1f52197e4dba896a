"""Two finished runs over the same requests: what differs, and whether chance would explain it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.document import as_list, as_object, as_text, decode
from gretel.contracts.errors import InputError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.datasets.reading import read_row
from gretel.evaluation.measures.measures import DEPTHS, MeasureTable, functioning_gold, measure
from gretel.evaluation.measures.significance import Paired, paired
from gretel.evaluation.runs.folder import ROWS, read_metrics, whole
from gretel.evaluation.runs.rows import run_lines

SHARED_DIGESTS = ("data", "catalog")
"""Digests of `metrics.json` that must agree: they say what was asked, and of which tools."""
_MOST_PIPELINES = 50


@dataclass(frozen=True, slots=True)
class Run:
    """What `gretel evaluate` wrote into a folder."""

    path: Path
    digests: JsonObject
    gold: dict[str, frozenset[ToolId]]
    functioning: dict[str, frozenset[ToolId]]
    rankings: dict[str, dict[str, tuple[ToolId, ...]]]
    """Pipeline → request → tools, best first; a request that failed has none."""

    @property
    def working(self) -> dict[str, frozenset[ToolId]]:
        """The right tools that function; only of requests that have one."""
        return functioning_gold(self.gold, self.functioning)

    def measured(self, pipeline: str, *, all_gold: bool = False) -> MeasureTable:
        """The measures of one pipeline, judged on what functions, or on all right tools."""
        gold = self.gold if all_gold else self.working
        return measure(self.rankings[pipeline], gold, self.functioning)


class Compared(NamedTuple):
    """One measure of two pipelines."""

    first_pipeline: str
    second_pipeline: str
    measure: str
    first: float
    second: float
    result: Paired


def read_run(path: Path) -> Run:
    """Read a run's `metrics.json` and `rows.jsonl`.

    Raises:
        InputError: the run is not finished, has a request twice, or a file cannot be read.
    """
    run = Run(path, as_object(read_metrics(path).get("digests")), {}, {}, {})
    for number, line in run_lines(path / ROWS):
        place = f"{ROWS}:{number}"
        with whole(path):
            row = read_row(decode(line, place=place), place=place)
        request = as_text(row.get("request_id"))
        if not as_list(row.get("gold")):
            continue  # it needs no tool, so that no ranking of it is judged
        if request in run.gold:
            remedy = "Evaluate into a new folder"
            raise InputError(f"{request} occurs twice", field=f"{path}, {place}", remedy=remedy)
        run.gold[request] = frozenset(_ids(row, "gold"))
        run.functioning[request] = frozenset(_ids(row, "functioning"))
        rankings = as_object(row.get("rankings"))
        for pipeline in rankings:
            run.rankings.setdefault(pipeline, {})[request] = _ids(rankings, pipeline)
        if len(run.rankings) > _MOST_PIPELINES:  # each is tested, which takes a second
            problem = f"its rows are of more than {_MOST_PIPELINES} pipelines"
            raise InputError(problem, field=f"{path}, {place}", remedy="Evaluate into a new folder")
    return run


def compare_runs(
    first: Run,
    second: Run,
    pipelines: tuple[str, str] | None = None,
    *,
    depths: Collection[int] = DEPTHS,
    all_gold: bool = False,
) -> list[Compared]:
    """The measures of every pipeline that both runs have, second less first.

    Or of `pipelines`: one of the first run and one of the second, which may be the same. Measures
    without k are there at any `depths`. With `all_gold`, all right tools are judged on, and not
    those that function.

    Raises:
        InputError: the runs are not of the same data, or lack the pipelines.
    """
    _check_same(first, second, all_gold=all_gold)
    wanted = {"", *map(str, depths)}
    found: list[Compared] = []
    for one, other in _pairs(first, second, pipelines):
        left = first.measured(one, all_gold=all_gold)
        right = second.measured(other, all_gold=all_gold)
        for name in left.means:
            if name.partition("@")[2] in wanted:
                result = paired(left.values[name], right.values[name])
                means = left.means[name], right.means[name]
                found.append(Compared(one, other, name, *means, result))
    return found


def _pairs(first: Run, second: Run, pipelines: tuple[str, str] | None) -> Iterable[tuple[str, str]]:
    both = [name for name in first.rankings if name in second.rankings]
    if pipelines is None and both:
        return [(name, name) for name in both]
    one, other = pipelines or ("", "")
    if one in first.rankings and other in second.rankings:
        return [(one, other)]
    has = " and ".join(f"{run.path}: {', '.join(run.rankings)}" for run in (first, second))
    remedy = f"Name one pipeline of each run ({has})"
    raise InputError("the runs have no such pipelines", field="--pipeline", remedy=remedy)


def _check_same(first: Run, second: Run, *, all_gold: bool) -> None:
    for name in SHARED_DIGESTS:
        if first.digests.get(name) != second.digests.get(name):
            raise _different(first, second, f"the {name} digests differ")
    if first.gold != second.gold:
        odd = sorted(
            request
            for request in first.gold.keys() | second.gold.keys()
            if first.gold.get(request) != second.gold.get(request)
        )
        raise _different(first, second, f"{len(odd)} requests are not judged alike ({odd[0]}, …)")
    if not all_gold and first.working != second.working:
        raise _different(first, second, "other tools function, so that the judgements differ")


def _different(first: Run, second: Run, reason: str) -> InputError:
    remedy = "Evaluate both with the same --data, --qrels, --limit, --faults and --seed"
    return InputError(reason, field=f"{first.path} and {second.path}", remedy=remedy)


def _ids(row: JsonObject, key: str) -> tuple[ToolId, ...]:
    return tuple(ToolId(str(name)) for name in as_list(row.get(key)))
