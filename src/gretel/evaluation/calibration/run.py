"""`gretel calibrate`: a data set and a model → a calibration; one that was cut short goes on."""

import asyncio
import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.contracts.calibration import STEPS, Calibration, ModelStep
from gretel.contracts.errors import InputError
from gretel.contracts.record import JsonObject
from gretel.evaluation.calibration.asking import Asked, Judged, Steps, steps_of
from gretel.evaluation.calibration.plans import planning, trust_in
from gretel.evaluation.calibration.rankings import ranking, reranking
from gretel.evaluation.calibration.verdicts import Evidence, StepVerdict, shown
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.folder import ROWS
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.rows import Progress, Row, read_rows
from gretel.files import check_few, make_inner, write_whole
from gretel.graph.compose import compose
from gretel.graph.parts import Parts
from gretel.llm.model import StructuredModel

ASKED = "asked.jsonl"


@dataclass(frozen=True)
class Measuring:
    """What is to be measured, and how; `run` does it."""

    evaluation: Evaluation
    """The judged requests, without a model: what the rules make of them."""
    model: StructuredModel
    steps: Collection[ModelStep] = STEPS
    workers: int = 4
    """Requests under way at once."""

    async def run(
        self, out: Path, work: Path, *, progress: Progress = lambda done: None
    ) -> tuple[Calibration, list[StepVerdict]]:
        """Write the calibration to `out`; what was asked is kept in the folder `work`.

        Raises:
            InputError: `work` holds another measurement.
            ServiceUnreachable, ConfigurationError: the model cannot be used; what is done stays.
        """
        parts = self._parts(work)
        try:
            rows = await self._without_model(parts, work)
            asked = await self._with_model(parts, rows, work, progress)
        finally:
            await parts.aclose()
            await self.model.aclose()
        evidence = Evidence(
            self.evaluation.dataset.catalog,
            self.evaluation.requests(),
            rows,
            asked,
            self.evaluation.settings.today,
        )
        calibration, verdicts = await _judged(self.model.name, evidence)
        of: JsonObject = {
            "data": self.evaluation.dataset.name,
            "digest": self.evaluation.dataset.digest,
            "qrels": self.evaluation.qrels,
            "half": self.evaluation.half,
            "requests": len(evidence.requests),
        }
        measured = calibration.model_copy(update={"measured": {**calibration.measured, "of": of}})
        write_whole(out, measured.model_dump_json(indent=2) + "\n")
        return measured, verdicts

    def _parts(self, work: Path) -> Parts:
        settings = self.evaluation.settings
        return compose(
            self.evaluation.dataset.catalog,
            retriever=self.evaluation.retriever or settings.retriever,
            encoder=settings.encoder,
            index=make_inner(work / "index"),
            repin=True,
        )

    async def _without_model(self, parts: Parts, work: Path) -> dict[str, Row]:
        await replace(self.evaluation, parts=parts).run(make_inner(work / "rules"))
        return read_rows(work / "rules" / ROWS)

    async def _with_model(
        self, parts: Parts, rows: dict[str, Row], work: Path, progress: Progress
    ) -> list[Asked]:
        """Ask what was not asked yet, request by request; each answer is kept at once."""
        settings, key = self.evaluation.settings, self._key()
        steps = Steps(parts, settings, self.model, key)
        with Journal(work / ASKED) as journal:
            known = _Known(key, rows, parts.catalog)
            read = _read(journal.lines, known, work / ASKED)
            done = {(each.request_id, each.step): each for each in read}
            pending = iter([pair for pair in self._wanted(parts, rows) if _name(pair) not in done])

            async def worker() -> None:
                for step, judged_request in pending:
                    found = await steps.asked(step, judged_request)
                    journal.append(found.model_dump_json())
                    done[found.request_id, found.step] = found
                    progress(len(done))

            progress(len(done))
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self.workers):
                        group.create_task(worker())
            except BaseExceptionGroup as errors:
                raise errors.exceptions[0] from None
        return [done[name] for name in sorted(done)]

    def _wanted(self, parts: Parts, rows: dict[str, Row]) -> Iterator[tuple[ModelStep, Judged]]:
        for request in self.evaluation.requests():
            row = rows[request.request_id]
            for step in steps_of((request, row), parts.catalog):
                if step in self.steps:
                    yield step, (request, row)

    def _key(self) -> str:
        manifest = self.evaluation.manifest()
        text = f"{self.model.name} {manifest.key.model_dump_json()} {manifest.digests.data}"
        return hashlib.sha256(text.encode()).hexdigest()


async def _judged(model: str, evidence: Evidence) -> tuple[Calibration, list[StepVerdict]]:
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


def _name(pair: tuple[ModelStep, Judged]) -> tuple[str, ModelStep]:
    step, (request, _) = pair
    return request.request_id, step


class _Known(NamedTuple):
    """What a line of `ASKED` is held to."""

    key: str
    rows: dict[str, Row]
    catalog: Catalog

    def fits(self, asked: Asked) -> bool:
        """Whether it is of this measurement, and of tools that are there."""
        row = self.rows.get(asked.request_id)
        if asked.key != self.key or row is None:
            return False
        tried = {trial.tool_id for trial in row.trials}
        ordered = asked.ranking or ()
        if asked.step == "rerank" and not tried.issuperset(ordered):
            return False
        named = (*ordered, *(each.tool_id for each in asked.planned))
        return all(tool_id in self.catalog for tool_id in named)


def _read(lines: Iterable[bytes], known: _Known, place: Path) -> Iterator[Asked]:
    for number, line in enumerate(lines, 1):
        try:
            check_few(line)
            asked = Asked.model_validate_json(line)
        except ValueError:
            asked = None
        if asked is None or not known.fits(asked):
            problem = "is damaged, or of another model, data set or version"
            remedy = "Remove the folder, or give another --out"
            raise InputError(problem, field=f"{place}:{number}", remedy=remedy)
        yield asked
