"""What the environment says, for Studio and the command line; the only reader of `GRETEL_*`
settings (credentials of tools are read by the sandbox, at send time).
"""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.graph.sources import Source, read_source, split_sources
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.sandbox.permission.policy import Policy, declared_hosts


class Settings(BaseSettings):
    """`GRETEL_CATALOG`, `GRETEL_RETRIEVER`, `GRETEL_ARTIFACT`, `GRETEL_MODEL`, `GRETEL_INDEX`,
    `GRETEL_ALLOW_HOST`, `GRETEL_BASE_URL`, `GRETEL_NAT64`, `GRETEL_PROXY`.
    """

    model_config = SettingsConfigDict(env_prefix="GRETEL_", extra="ignore")

    catalog: str = ""
    """Catalogues, `PATH` or `PATH@URL`, separated as `PATH` is."""
    retriever: str = "semantic"
    """`semantic`, or `masstool` with an artefact."""
    artifact: Path | None = None
    """Folder that `gretel train masstool` wrote."""
    model: str | None = None
    """`provider:model`."""
    index: Path | None = None
    """Folder that `gretel index` wrote."""
    allow_host: str = ""
    """Hosts that trials may call, separated by commas; `declared`: the catalogue's own servers."""
    base_url: str | None = None
    """One server for all tools."""
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
        CatalogError: a source is no catalogue, or its base URL or name does not fit it.
        DuplicateToolError: two of them hold different tools of one id.
    """
    catalog = Catalog()
    for path, base_url, toolkit in sources:
        loaded = Catalog.from_path(path, strict=strict, toolkit=toolkit, base_url=base_url)
        catalog = catalog + loaded
    return catalog


def make_policy(
    catalog: Catalog, hosts: list[str], base_url: str | None, settings: Settings
) -> Policy:
    """The policy that a user's hosts ask for; `declared` stands for the catalogue's servers.

    The servers that the user named for single sources are allowed as such.
    """
    named = [host for host in hosts if host != "declared"]
    declared = declared_hosts(catalog) if "declared" in hosts else frozenset()
    return Policy(
        allow_hosts=frozenset(named) | declared,
        base_url=base_url,
        base_urls=catalog.base_urls,
        nat64=settings.nat64,
        proxy=settings.proxy,
    )
