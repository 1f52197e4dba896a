"""Settings to parts to graph: the one place where nodes and strategies meet."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.protocols import Executor, QueryRewriter, Retriever
from gretel.graph.entry import entry_node_retriever
from gretel.graph.parts import Deterministic, Parts
from gretel.llm.model import StructuredModel, open_model
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.retrieve.need.judge import FittedJudge
from gretel.nodes.retrieve.stage.planned import PlannedOrder
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator
from gretel.nodes.simulate.schema import SchemaSimulator
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.process.settings import ProcessSettings
from gretel.sandbox.routed import RoutedExecutor
from gretel.sandbox.secrets.credentials import CredentialResolver

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from gretel.nodes.retrieve.encoding.embed import Progress

Model: TypeAlias = "str | BaseChatModel | StructuredModel"
"""`"openai:NAME"`, a langchain chat model, or one that is open already."""


def compose(
    catalog: Catalog,
    *,
    retriever: str | Retriever = "semantic",
    candidates: CandidateStage | None = None,
    rewriter: str | QueryRewriter | None = None,
    model: "Model | None" = None,
    policy: Policy | None = None,
    credentials: CredentialResolver | None = None,
    executor: Executor | None = None,
    executors: Mapping[str, Executor] | None = None,
    process: ProcessSettings | None = None,
    encoder: str | None = None,
    index: Path | None = None,
    artifact: Path | None = None,
    repin: bool = False,
    progress: "Progress | None" = None,
) -> Parts:
    """The parts of a graph over `catalog`.

    Without a model every place takes its deterministic strategy. With one, planner, simulator,
    re-ranker and (unless `rewriter` is `"none"`) rewriter ask the model, and the deterministic
    ones stand in where it fails. With `repin` the catalogue is trusted as it is, whatever `index`
    pinned before.

    Raises:
        ConfigurationError: an unknown name, an unusable model, a rewriter without a model, a mark
            of `policy` that fits no tool or too many.
    """
    stage = candidates or CandidateStage()
    planner = DeterministicPlanner()
    base = Deterministic(
        planner=planner,
        simulator=SchemaSimulator(catalog),
        reranker=EvidenceReranker(catalog),
    )
    asked = None if model is None else _opened(model)
    policy = (policy or Policy()).bound(catalog)
    sandbox = HttpExecutor(catalog, policy, credentials=credentials)
    by_kind: dict[str, Executor] = {
        "callable": CallableExecutor(catalog, policy, process),
        **(executors or {}),
    }

    async def aclose() -> None:
        await sandbox.aclose()
        if asked is not None:
            await asked.aclose()

    return Parts(
        catalog=catalog,
        retriever=entry_node_retriever(
            retriever, catalog, stage, artifact, encoder, index, repin, progress
        ),
        planner=LlmPlanner(asked) if asked else base.planner,
        executor=executor or RoutedExecutor(catalog, sandbox, by_kind),
        simulator=LlmSimulator(asked, catalog) if asked else base.simulator,
        reranker=LlmReranker(asked, catalog, base.reranker) if asked else base.reranker,
        deterministic=base,
        need=FittedJudge(catalog),
        order=PlannedOrder(planner.planned, catalog),
        approvals=Approvals(catalog, policy),
        policy=policy,
        rewriter=_rewriter(rewriter, asked),
        aclose=aclose,
    )


def _opened(model: Model) -> StructuredModel:
    return model if isinstance(model, StructuredModel) else open_model(model)


def _rewriter(
    wanted: str | QueryRewriter | None, model: StructuredModel | None
) -> QueryRewriter | None:
    if wanted == "none" or (wanted is None and model is None):
        return None
    if wanted is None or wanted == "llm":
        if model is None:
            raise ConfigurationError(
                "'llm' needs a model", field="rewriter", remedy="Name one with `model`."
            )
        return LlmRewriter(model)
    if isinstance(wanted, str):
        raise ConfigurationError(
            f"{wanted!r} is unknown", field="rewriter", remedy="Use 'none', 'llm' or a rewriter."
        )
    return wanted
