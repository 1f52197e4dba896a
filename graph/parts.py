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
    """Keywords of `Selector`; each may be left out."""

    retriever: str | Retriever
    """`"semantic"`, the default; `"masstool"` or `"toolgen"` with its `artifact`; or any object
    with the `Retriever` protocol."""
    candidates: CandidateStage | None
    """Switches of the candidate stage; by default all are on."""
    rewriter: str | Path | QueryRewriter | None
    """`"llm"`, `"feedback"` (in later rounds, what was missing or failed), `"none"`, a folder that
    `gretel train rewriter` wrote, or a `QueryRewriter`; by default as `calibration` says."""
    model: "Model | None"
    """None: all steps are deterministic."""
    calibration: Calibration | Path | str | None
    """Which steps ask the model: what `gretel calibrate` wrote, as a file or a record, `"all"`, or
    `"none"`. By default all."""
    plan_batch: int
    """Candidates whose calls one request to the model plans, at most; 1 by default."""
    policy: Policy | None
    """What trials may call; by default nothing leaves the process. Its marks are held to the tools
    as they are now."""
    credentials: CredentialResolver | None
    """Where secrets of tools come from, asked when one is sent; a function, sync or async. By
    default the environment."""
    executor: Executor | None
    """One executor for all tools, in the place of the sandboxes."""
    executors: Mapping[str, Executor] | None
    """Executors for further kinds of binding, by kind (`{"mcp": server}`)."""
    process: ProcessSettings | None
    """What a Python callable may use in its child process."""
    encoder: str | None
    """sentence-transformers model of the semantic retriever, by name or path."""
    index: Path | str | None
    """Folder where the semantic retriever keeps its embeddings."""
    artifact: Path | str | None
    """Folder that `gretel train masstool` or `toolgen` wrote."""
    progress: "Progress | None"
    """Told (tools encoded, tools in all) while the first selection encodes the catalogue, from a
    worker thread."""


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
    """Opens what takes longer than the step that asks for it may."""
    aclose: Callable[[], Awaitable[None]] = nothing
    """Closes the connections that the parts hold in the running event loop."""
