"""The options of a graph, and the exchangeable parts that it is built from."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from gretel.catalog import Catalog
from gretel.contracts.calibration import Calibration
from gretel.contracts.protocols import (
    AgentModel,
    CandidateOrder,
    Executor,
    NeedJudge,
    Planner,
    QueryRewriter,
    Reranker,
    Retriever,
    Simulator,
)
from gretel.contracts.trial import ArgumentSource
from gretel.llm.model import StructuredModel
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.settings import ProcessSettings
from gretel.sandbox.secrets.credentials import CredentialResolver

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from gretel.nodes.retrieve.encoding.embed import Progress

Model: TypeAlias = "str | BaseChatModel | StructuredModel"
"""`"openai:NAME"`, a langchain chat model, or one that is open already."""


class Options(TypedDict, total=False):
    """Keywords of `Selector`, which says what each means; each may be left out."""

    retriever: str | Retriever
    candidates: CandidateStage | None
    rewriter: str | Path | QueryRewriter | None
    model: "Model | None"
    calibration: Calibration | Path | str | None
    plan_batch: int
    policy: Policy | None
    credentials: CredentialResolver | None
    executor: Executor | None
    executors: Mapping[str, Executor] | None
    process: ProcessSettings | None
    encoder: str | None
    index: Path | str | None
    artifact: Path | str | None
    progress: "Progress | None"


def folder_of(given: Path | str | None) -> Path | None:
    """An option that names a folder."""
    return None if given is None else Path(given)


async def nothing() -> None:
    """Nothing to open, and nothing to close."""


@dataclass(frozen=True)
class Deterministic:
    """The parts that work without a model, and that stand in where a model fails."""

    planner: Planner
    simulator: Simulator
    reranker: Reranker


@dataclass(frozen=True)
class Parts:
    """One part for each place of the graph."""

    catalog: Catalog
    retriever: Retriever
    planner: Planner
    executor: Executor
    simulator: Simulator
    reranker: Reranker
    deterministic: Deterministic
    approvals: Approvals
    """Says what a person is asked where a run wants that."""
    policy: Policy = Policy()
    """What the caller may call of what was selected."""
    need: NeedJudge | None = None
    """Judges whether a tool is needed and one fits; None: only a retriever that says so itself."""
    order: CandidateOrder | None = None
    """Settles which candidates are tried; None: the retriever's best."""
    rewriter: QueryRewriter | None = None
    """None: retrieval is asked for the request itself."""
    agent: AgentModel | None = None
    """Thinks and chooses for an agent over these parts; None: the deterministic twin does."""
    trust: Mapping[ArgumentSource, float] = field(default_factory=dict)
    """As in `Calibration`: how far a model's values are trusted."""
    prepare: Callable[[], Awaitable[object]] = nothing
    """Opens what runs need, before their clock starts."""
    aclose: Callable[[], Awaitable[None]] = nothing
    """Closes the connections that the parts hold in the running event loop."""
