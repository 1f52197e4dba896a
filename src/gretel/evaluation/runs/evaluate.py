"""A data set and settings → a finished run in a folder; a run that was cut short goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gretel.contracts.calibration import NO_STEP
from gretel.contracts.errors import InputError
from gretel.contracts.protocols import Retriever
from gretel.datasets.judged import Dataset, JudgedRequest
from gretel.evaluation.mock.faults import Faults, draw_faults
from gretel.evaluation.runs.budget import RunBudget
from gretel.evaluation.runs.folder import (
    METRICS,
    ROWS,
    TRIALS,
    is_finished,
    write_metrics,
    write_trec,
)
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.metrics import metrics_of
from gretel.evaluation.runs.right_values import RightValues, check_values, own_values
from gretel.evaluation.runs.rows import Progress, RowLog
from gretel.evaluation.runs.sampling import Shard, check_distinct, no_tool_digest, sampled
from gretel.evaluation.runs.settings import (
    Manifest,
    RunDigests,
    RunSettings,
    check_same_run,
    code_digest,
    write_manifest,
)
from gretel.files import make_folder, make_inner
from gretel.graph.parts import Parts
from gretel.llm.model import StructuredModel


@dataclass(frozen=True)
class Evaluation:
    """What is to be evaluated, and how; `run` does it.

    The names of judgements and half, and the command, are for the record.
    """

    dataset: Dataset
    settings: RunSettings
    """What decides the rows."""
    qrels: str = "test"
    half: str | None = None
    no_tool: tuple[JudgedRequest, ...] = ()
    """Requests that need no tool, which join the others; right is to offer none."""
    limit: int | None = None
    """Only so many requests of either kind, sampled by a hash of their ids; None: all."""
    shard: Shard | None = None
    retriever: Retriever | None = None
    """In place of the one that the settings name."""
    parts: Parts | None = None
    """In place of those that would be composed; shared by several runs, and not closed."""
    model: StructuredModel | None = None
    """The opened model that the settings name."""
    index: Path | None = None
    """Folder of embeddings; None: within the run."""
    artifact: Path | None = None
    """Folder of what the settings' `artifact` is the digest of; so is `rewriter`."""
    rewriter: Path | None = None
    workers: int = 16
    """Requests under way at once: more than there are cores, as some calls are never answered."""
    values: RightValues | None = None
    """For the world `values`; None: those that the data set names itself."""
    budget: RunBudget = RunBudget()
    command: str | None = None

    async def run(self, out: Path, *, progress: Progress = lambda done: None) -> None:
        """Fill the folder `out`: rows first, `metrics.json` last.

        Requests that have their row are not done again; a finished run is left as it is.

        Raises:
            InputError: `out` holds another run, no request is left, or their right values are
                wanted and not all known.
            GretelError: as `Batch.run` does.
        """
        wanted = self.requests()
        if self.settings.world == "values":
            check_values(self._values(), self._sampled(), self.dataset.catalog)
        manifest = self.manifest()
        make_folder(out)
        with Journal(out / ROWS) as journal:
            if not journal.is_empty:
                check_same_run(out, manifest)
            log = RowLog(journal, manifest.key, place=out / ROWS)
            _check_wanted(log, wanted, out)
            write_manifest(out, manifest)
            left = [request for request in wanted if request.request_id not in log.rows]
            if left:
                (out / METRICS).unlink(missing_ok=True)
                await self._batch(left, log, manifest, out, progress)
            progress(len(log.rows))
            if not is_finished(out):
                rows, pipelines = log.rows, self.settings.pipelines
                write_trec(out, pipelines, rows, self.dataset.catalog)
                write_metrics(out, metrics_of(manifest, rows, command=self.command))

    def requests(self) -> list[JudgedRequest]:
        """The requests of this run, in the data set's order, the no-tool requests last.

        Raises:
            InputError: the shard is empty, or two requests have one id.
        """
        shard = self.shard
        kept = [r for r in self._sampled() if shard is None or shard.holds(r.request_id)]
        if not kept:
            remedy = "Give fewer shards, or a larger --limit"
            raise InputError("holds no request", field=f"shard {shard}", remedy=remedy)
        return kept

    def manifest(self) -> Manifest:
        """What this run is."""
        return Manifest(
            data=self.dataset.name,
            qrels=self.qrels,
            half=self.half,
            settings=self.settings,
            digests=RunDigests(
                data=self.dataset.digest,
                no_tool=no_tool_digest(self.no_tool),
                catalog=self.dataset.catalog.digest,
                faults=self._faults().digest,
                values=self._values().digest if self.settings.world == "values" else None,
                code=code_digest(),
            ),
            limit=self.limit,
            total=len(self._sampled()),
            shard=str(self.shard) if self.shard else None,
        )

    def _sampled(self) -> Sequence[JudgedRequest]:
        check_distinct(self.dataset.requests, self.no_tool)
        return sampled(self.dataset.requests, self.limit) + sampled(self.no_tool, self.limit)

    def _values(self) -> RightValues:
        return self.values or own_values(self.dataset)

    def _faults(self) -> Faults:
        settings = self.settings
        return draw_faults(
            self.dataset.catalog,
            mix=settings.faults,
            unit=settings.fault_unit,
            seed=settings.seed,
        )

    async def _batch(
        self,
        requests: Sequence[JudgedRequest],
        log: RowLog,
        manifest: Manifest,
        out: Path,
        progress: Progress,
    ) -> None:
        # here and not above: a finished run is left alone without loading the graph
        from gretel.evaluation.mock.environment import Environment
        from gretel.evaluation.runs.batch import Batch
        from gretel.evaluation.runs.trial_store import TrialStore

        settings, catalog, faults = self.settings, self.dataset.catalog, self._faults()
        known = None
        if settings.world == "values":
            known = self._values().known(seed=settings.seed)
        parts = self.parts or self._composed(out)
        with (
            Environment(catalog, faults, seed=settings.seed, values=known) as environment,
            Journal(out / TRIALS) as journal,
        ):
            batch = Batch(
                parts=parts,
                settings=settings,
                environment=environment,
                store=TrialStore(journal, catalog, faults, known, code=manifest.digests.code),
                log=log,
                model=self.model,
                budget=self.budget,
            )
            try:
                await batch.run(requests, workers=self.workers, progress=progress)
            finally:
                if parts is not self.parts:
                    await parts.aclose()

    def _composed(self, out: Path) -> Parts:
        from gretel.graph.compose import compose

        settings = self.settings
        return compose(
            self.dataset.catalog,
            retriever=self.retriever or settings.retriever,
            candidates=settings.candidates,
            rewriter=self.rewriter or settings.rewriter,
            model=self.model,
            calibration=settings.calibration or NO_STEP,
            encoder=settings.encoder,
            index=self.index or make_inner(out / "index"),
            artifact=self.artifact,
            repin=True,  # measured is the catalogue as it is, read by the code as it is
        )


def _check_wanted(log: RowLog, wanted: Sequence[JudgedRequest], out: Path) -> None:
    odd = log.rows.keys() - {request.request_id for request in wanted}
    if odd:
        problem = f"holds {len(odd)} requests that are not asked for ({min(odd)}, …)"
        raise InputError(problem, field=str(out), remedy="Give another --out, or a larger --limit")
