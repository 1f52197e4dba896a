"""What the environment says, for Studio and the command line; the only reader of `GRETEL_*`
settings (credentials of tools are read by the sandbox, at send time).
"""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError, ConfigurationError
from gretel.graph.sources import Source, read_source, split_sources
from gretel.llm.model import StructuredModel, open_model
from gretel.llm.sending import ModelLimits
from gretel.nodes.context import MAX_PLAN_BATCH
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.sandbox.permission.declared import declared_hosts
from gretel.sandbox.permission.policy import Policy


class Settings(BaseSettings):
    """`GRETEL_CATALOG`, `GRETEL_RETRIEVER`, `GRETEL_ARTIFACT`, `GRETEL_MODEL`,
    `GRETEL_CALIBRATION`, `GRETEL_PLAN_BATCH`, `GRETEL_REPLY_TOKENS`, `GRETEL_INDEX`,
    `GRETEL_ALLOW_HOST`, `GRETEL_BASE_URL`, `GRETEL_SAFE_TOOLS`, `GRETEL_CALLABLE_TOOLS`,
    `GRETEL_UNSAFE_TOOLS`, `GRETEL_NAT64`, `GRETEL_PROXY`.
    """

    model_config = SettingsConfigDict(
        env_prefix="GRETEL_", extra="ignore", hide_input_in_errors=True
    )

    catalog: str = ""
    """Catalogues, `PATH` or `PATH@URL`, separated as `PATH` is."""
    retriever: str = "semantic"
    """`semantic`, or `masstool` or `toolgen` with an artefact."""
    artifact: Path | None = None
    """Folder that `gretel train masstool` or `gretel train toolgen` wrote."""
    model: str | None = None
    """`provider:model`."""
    calibration: str | None = None
    """Which steps ask it: a file of `gretel calibrate`, `all` or `none`."""
    plan_batch: int = Field(default=1, ge=1, le=MAX_PLAN_BATCH)
    """Candidates whose calls one request to the model plans, at most."""
    reply_tokens: int | None = Field(default=None, ge=16)
    """Most tokens of one reply of the model; a run's budget may say less."""
    index: Path | None = None
    """Folder that `gretel index` wrote."""
    allow_host: str = ""
    """Hosts that trials may call, separated by commas; `declared`: the catalogue's own servers,
    which are told no facts of the context."""
    base_url: str | None = None
    """One server for all tools."""
    safe_tools: str = ""
    """Tools that are tried whatever their method: ids or patterns, separated by blanks."""
    callable_tools: str = ""
    """Tools that may be called once they are selected, and are never tried; written alike."""
    unsafe_tools: str = ""
    """Tools that are never called; written alike."""
    candidates: CandidateStage = CandidateStage()
    """Switches of the candidate stage, as JSON: `{"coherence": "none"}`."""
    nat64: str | None = None
    """Prefix of a network that reaches IPv4 by NAT64 alone, as in `64:ff9b::/96`."""
    proxy: str | None = None
    """Proxy that every trial goes through; `HTTP_PROXY` and its like are not read."""

    def catalogs(self) -> list[Source]:
        """The catalogues.

        Raises:
            CatalogError: one of them is no path.
        """
        return [read_source(part) for part in split_sources(self.catalog)]

    def opened_model(
        self, name: str | None = None, reply_tokens: int | None = None
    ) -> StructuredModel | None:
        """The model that is named, here or by these settings; None without one.

        Raises:
            ConfigurationError: it cannot be used.
        """
        name, cap = name or self.model, reply_tokens or self.reply_tokens
        return open_model(name, limits=ModelLimits(reply_tokens=cap)) if name else None

    def hosts(self) -> list[str]:
        """The hosts that trials may call."""
        return [host.strip() for host in self.allow_host.split(",") if host.strip()]


def read_settings() -> Settings:
    """The settings of this process.

    Raises:
        ConfigurationError: a variable has an unusable value.
    """
    try:
        return Settings()
    except SettingsError as error:
        remedy = "Give JSON, or unset it."
        raise ConfigurationError(str(error), field="GRETEL_CANDIDATES", remedy=remedy) from error
    except ValidationError as error:
        first = error.errors()[0]
        name = "GRETEL_" + "_".join(str(part) for part in first["loc"]).upper()
        raise ConfigurationError(first["msg"], field=name, remedy="Correct or unset it.") from error


def load_catalog(sources: Sequence[Source], *, strict: bool = False) -> Catalog:
    """All of `sources` in one catalogue.

    Raises:
        CatalogError: a source is no catalogue, its base URL or name does not fit it, or none of
            them holds a tool.
        DuplicateToolError: two of them hold different tools of one id.
    """
    catalog = Catalog()
    for path, base_url, toolkit in sources:
        loaded = Catalog.from_path(path, strict=strict, toolkit=toolkit, base_url=base_url)
        catalog = catalog + loaded
    if not len(catalog):
        raise CatalogError(
            "holds no tool" + (f" ({len(catalog.skipped)} skipped)" if catalog.skipped else ""),
            field=", ".join(str(source.path) for source in sources),
            remedy="Give a document with operations, or a file with one tool per line",
        )
    return catalog


def make_policy(
    catalog: Catalog,
    hosts: list[str],
    base_url: str | None,
    settings: Settings,
    *,
    safe: Sequence[str] = (),
    callable_tools: Sequence[str] = (),
) -> Policy:
    """The policy that a user's hosts and marks ask for.

    `declared` stands for the catalogue's servers; those that the user named for single sources are
    allowed as such. Marks of the environment count beside the others.

    Raises:
        ConfigurationError: a host cannot be read, or a mark fits no tool, or too many.
    """
    named = [host for host in hosts if host != "declared"]
    declared = declared_hosts(catalog) if "declared" in hosts else frozenset()
    return Policy(
        allow_hosts=frozenset(named),
        declared=declared,
        base_url=base_url,
        base_urls=catalog.base_urls,
        safe_tools=frozenset([*safe, *settings.safe_tools.split()]),
        callable_tools=frozenset([*callable_tools, *settings.callable_tools.split()]),
        unsafe_tools=frozenset(settings.unsafe_tools.split()),
        nat64=settings.nat64,
        proxy=settings.proxy,
    ).bound(catalog)
