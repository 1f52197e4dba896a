"""What a graph is composed of: one record, from the facade down to the entry node's retriever."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from gretel.contracts.calibration import Calibration
from gretel.contracts.protocols import Executor, QueryRewriter, Retriever
from gretel.llm.model import StructuredModel
from gretel.nodes.retrieve.stage.switches import CandidateStage
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
