"""Several finished runs of one data set: seeds in groups, a group for each setting."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from gretel.contracts.errors import InputError
from gretel.evaluation.measures.measures import MeasureTable
from gretel.evaluation.measures.significance import Paired, paired
from gretel.evaluation.report.charts import LineChart
from gretel.evaluation.report.curves import cost_chart, depth_chart
from gretel.evaluation.report.results import BASE, ORACLE, read_results
from gretel.evaluation.runs.settings import Manifest


@dataclass(frozen=True, slots=True)
class Member:
    """What a run gives to its group."""

    path: Path
    manifest: Manifest
    tables: Mapping[str, MeasureTable]
    """By pipeline, judged on the right tools that function."""
    by_depth: LineChart | None
    by_cost: LineChart | None


class Spread(NamedTuple):
    """One measure over the seeds of a group."""

    mean: float
    sd: float
    """Of the sample; 0 for a single seed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that differ in the seed alone."""

    members: Sequence[Member]
    """By seed."""

    @property
    def first(self) -> Manifest:
        """What the members share, but for its seed."""
        return self.members[0].manifest

    @property
    def rate(self) -> float:
        """Faults per 100 tools or calls."""
        return sum(self.first.settings.faults.values())

    @property
    def seeds(self) -> list[int]:
        """Of the members."""
        return [member.manifest.settings.seed for member in self.members]

    @property
    def pipelines(self) -> tuple[str, ...]:
        """In the order of the runs."""
        return tuple(self.members[0].tables)

    def spread(self, pipeline: str, measure: str) -> Spread | None:
        """Mean and standard deviation of the runs' means; None where a run lacks the measure."""
        return spread([member.tables[pipeline].means.get(measure) for member in self.members])

    def gain(self, pipeline: str, measure: str) -> Spread | None:
        """Of the runs' gains over `retrieval`."""
        if BASE not in self.pipelines:
            return None
        pairs = [
            (member.tables[pipeline].means.get(measure), member.tables[BASE].means.get(measure))
            for member in self.members
        ]
        return spread([None if one is None or base is None else one - base for one, base in pairs])

    def tested(self, pipeline: str, measure: str) -> Paired | None:
        """The gain over `retrieval`, tested over requests; seeds are no independent samples.

        A request counts with its mean over the seeds that judge it.
        """
        if BASE not in self.pipelines or pipeline == BASE:
            return None
        one, base = (self._by_request(name, measure) for name in (pipeline, BASE))
        return paired(base, one) if one else None

    def reached(self, pipeline: str, measure: str) -> float | None:
        """Share of the oracle's gain that the pipeline has; None where the oracle gains nothing."""
        if ORACLE not in self.pipelines:
            return None
        best, own = self.gain(ORACLE, measure), self.gain(pipeline, measure)
        return own.mean / best.mean if best and own and best.mean > 1e-9 else None

    def _by_request(self, pipeline: str, measure: str) -> dict[str, float]:
        values: dict[str, list[float]] = {}
        for member in self.members:
            for request, value in member.tables[pipeline].values[measure].items():
                values.setdefault(request, []).append(value)
        return {request: mean(found) for request, found in values.items()}


def spread(values: Sequence[float | None]) -> Spread | None:
    """Mean and standard deviation of the sample; None where a run lacks the value."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return Spread(mean(known), stdev(known) if len(known) > 1 else 0.0)


def read_groups(runs: Iterable[Path]) -> list[Group]:
    """The groups of these runs, by depth, fault unit and fault rate.

    Raises:
        InputError: a run is not finished, is of other data than the first, or is there twice.
    """
    members = [_member(path) for path in runs]
    if not members:
        remedy = "Name folders that `gretel evaluate --out` wrote"
        raise InputError("names no run", field="RUN", remedy=remedy)
    groups: dict[str, list[Member]] = {}
    for member in members:
        _check_alike(members[0], member)
        groups.setdefault(_setting(member.manifest), []).append(member)
    made = [Group(sorted(found, key=_seed)) for found in groups.values()]
    for one, other in chain.from_iterable(pairwise(group.members) for group in made):
        if _seed(one) == _seed(other):
            problem = f"has the settings and the seed of {one.path}"
            raise InputError(problem, field=str(other.path), remedy="Give each run once")
    return sorted(made, key=_order)


def _order(group: Group) -> tuple[str, int, str, float, str]:
    settings = group.first.settings
    rest = _setting(group.first)
    return (settings.retriever, settings.depth, settings.fault_unit, group.rate, rest)


def _member(path: Path) -> Member:
    results = read_results(path)
    return Member(
        path=path,
        manifest=results.manifest,
        tables=results.tables,
        by_depth=depth_chart(results),
        by_cost=cost_chart(results),
    )


def _setting(manifest: Manifest) -> str:
    """All that decides a run but for its seed."""
    settings = manifest.settings.model_copy(update={"seed": 0})
    return f"{settings.model_dump_json()} {manifest.digests.values}"


def _seed(member: Member) -> int:
    return member.manifest.settings.seed


def _check_alike(first: Member, other: Member) -> None:
    one, two = first.manifest, other.manifest
    alike = (
        ("data", one.digests.data == two.digests.data),
        ("catalogue", one.digests.catalog == two.digests.catalog),
        ("limit", one.limit == two.limit),
        ("shard", one.shard == two.shard),
    )
    differing = [name for name, same in alike if not same]
    if differing:
        problem = f"is not of the same requests as {first.path}: other {', '.join(differing)}"
        raise InputError(problem, field=str(other.path), remedy="Give runs of one data set")
