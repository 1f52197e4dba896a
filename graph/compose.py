"""Settings to parts to graph: the one place where nodes and strategies meet."""

from functools import partial
from pathlib import Path
from typing import Unpack

from gretel.catalog import Catalog
from gretel.contracts.calibration import NO_STEP, Calibration
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import (
    AgentModel,
    Executor,
    Planner,
    QueryRewriter,
    Reranker,
    Retriever,
    Simulator,
)
from gretel.graph.calibrations import calibration_for
from gretel.graph.entry import entry_node_retriever
from gretel.graph.lazy import LazyRetriever, LazyRewriter
from gretel.graph.parts import Deterministic, Options, Parts, folder_of
from gretel.graph.trained import check_rewriter, trained_agent, trained_rewriter, writing
from gretel.llm.model import StructuredModel, open_model
from gretel.nodes.agent.chat import ChatAgent
from gretel.nodes.plan.batching import BatchPlanner
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.plan.mentions.gazetteer import gazetteer
from gretel.nodes.plan.weighed import WeighedPlanner
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.retrieve.need.judge import FittedJudge
from gretel.nodes.retrieve.stage.planned import PlannedOrder
from gretel.nodes.rewrite.feedback import FeedbackRewriter
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator
from gretel.nodes.simulate.schema import SchemaSimulator
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.routed import RoutedExecutor
from gretel.workers import off_loop


def compose(catalog: Catalog, *, repin: bool = False, **options: Unpack[Options]) -> Parts:
    """The parts of a graph over `catalog`.

    Without a model every place takes its deterministic strategy. With one, those of planner,
    simulator, re-ranker and (unless `rewriter` says otherwise) rewriter ask it that `calibration`
    names, and the deterministic ones stand in where it fails. With `repin` the catalogue is trusted
    as it is, whatever `index` pinned before.

    Raises:
        ConfigurationError: an unknown name, an unusable model or calibration, a rewriter without a
            model, a mark of `policy` that fits no tool or too many.
        TypeError: an option that there is not.
    """
    if unknown := options.keys() - Options.__annotations__.keys():
        raise TypeError(f"{min(unknown)!r} is not an option: {', '.join(Options.__annotations__)}")
    retriever, rewriter = options.get("retriever", "semantic"), options.get("rewriter")
    trained, artifact = trained_rewriter(rewriter), folder_of(options.get("artifact"))
    check_rewriter(retriever, trained)
    written = writing(trained, catalog, options.get("encoder"))
    planner = DeterministicPlanner()
    base = Deterministic(planner, SchemaSimulator(catalog), EvidenceReranker(catalog))
    model = options.get("model")
    asked = model if model is None or isinstance(model, StructuredModel) else open_model(model)
    trusted = NO_STEP if asked is None else calibration_for(asked.name, options.get("calibration"))
    policy = (options.get("policy") or Policy()).bound(catalog)
    sandbox = HttpExecutor(catalog, policy, credentials=options.get("credentials"))
    if written is not None:
        options["encoder"] = written.encoder
    entry = entry_node_retriever(
        catalog, options, rewriter=None if written else trained, repin=repin
    )
    return Parts(
        catalog=catalog,
        retriever=entry,
        planner=_planner(planner, asked, trusted, options.get("plan_batch", 1)),
        executor=_routed(catalog, sandbox, policy, options),
        simulator=_simulator(base.simulator, asked, trusted, catalog),
        reranker=_reranker(base.reranker, asked, trusted, catalog),
        deterministic=base,
        need=FittedJudge(catalog),
        order=PlannedOrder(planner.planned, catalog),
        approvals=Approvals(catalog, policy),
        policy=policy,
        rewriter=(
            written.rewriter
            if written
            else _rewriter("none" if trained else rewriter, asked, trusted, catalog)
        ),
        agent=trained_agent(entry, artifact, catalog) or _agent(asked, planner, trusted),
        trust=trusted.trust,
        prepare=partial(_opened, entry, written.rewriter if written else None, asked),
        aclose=partial(_closed, sandbox, asked),
    )


async def _opened(
    entry: Retriever, written: LazyRewriter | None, model: StructuredModel | None
) -> None:
    """Open what is heavy: the planner's tables, encoders, artefacts, the client of a model."""
    await off_loop(gazetteer)
    if isinstance(entry, LazyRetriever):
        await entry.ready()
    if written is not None:
        await written.ready()
    if model is not None:
        await model.open()


async def _closed(sandbox: HttpExecutor, model: StructuredModel | None) -> None:
    await sandbox.aclose()
    if model is not None:
        await model.aclose()


def _routed(
    catalog: Catalog, sandbox: HttpExecutor, policy: Policy, options: Options
) -> RoutedExecutor:
    if given := options.get("executor"):
        return RoutedExecutor(catalog, policy, given, {})
    by_kind: dict[str, Executor] = {
        "callable": CallableExecutor(catalog, policy, options.get("process")),
        **(options.get("executors") or {}),
    }
    return RoutedExecutor(catalog, policy, sandbox, by_kind)


def _agent(
    model: StructuredModel | None, rules: Planner, trusted: Calibration
) -> AgentModel | None:
    """What a model that was named does for an agent; nothing, where no step of it is trusted."""
    if model is None or not trusted.steps:
        return None
    return ChatAgent(model, LlmPlanner(model) if "plan" in trusted.steps else rules)


def _planner(
    rules: Planner, model: StructuredModel | None, trusted: Calibration, batch: int
) -> Planner:
    if model is None or "plan" not in trusted.steps:
        return rules
    asked: Planner = BatchPlanner(model, batch) if batch > 1 else LlmPlanner(model)
    return WeighedPlanner(rules, asked, trusted.trust)


def _simulator(
    rules: Simulator, model: StructuredModel | None, trusted: Calibration, catalog: Catalog
) -> Simulator:
    if model is None or "simulate" not in trusted.steps:
        return rules
    return LlmSimulator(model, catalog)


def _reranker(
    rules: Reranker, model: StructuredModel | None, trusted: Calibration, catalog: Catalog
) -> Reranker:
    if model is None or "rerank" not in trusted.steps:
        return rules
    return LlmReranker(model, catalog, rules, margin=trusted.margin)


def _rewriter(
    wanted: str | Path | QueryRewriter | None,
    model: StructuredModel | None,
    trusted: Calibration,
    catalog: Catalog,
) -> QueryRewriter | None:
    if wanted == "none" or (wanted is None and "rewrite" not in trusted.steps):
        return None
    if wanted == "feedback":
        return FeedbackRewriter(catalog)
    if wanted is None or wanted == "llm":
        if model is None:
            raise ConfigurationError(
                "'llm' needs a model", field="rewriter", remedy="Name one with `model`."
            )
        return LlmRewriter(model)
    if isinstance(wanted, str | Path):
        remedy = (
            "Use 'none', 'feedback', 'llm', a folder from `gretel train rewriter`, or a rewriter."
        )
        raise ConfigurationError(f"{str(wanted)!r} is unknown", field="rewriter", remedy=remedy)
    return wanted
