"""Where catalogues come from: documents, lists, functions, servers; one classmethod a source."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from gretel.catalog.report import Loaded
from gretel.contracts.tool import Tool, ToolId

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from gretel.catalog.formats.callables import Given


class FromSources(ABC):
    """What makes a `Catalog` of each kind of source."""

    live: dict[ToolId, Any]

    @classmethod
    @abstractmethod
    def from_loaded(cls, loaded: Loaded) -> Self:
        """One of what a loader gives back."""

    @abstractmethod
    def __iter__(self) -> Iterator[Tool]: ...

    @classmethod
    def from_openapi(
        cls,
        source: str | Path | bytes | Mapping[str, Any],
        *,
        strict: bool = False,
        toolkit: str | None = None,
        base_url: str | None = None,
    ) -> Self:
        """The operations of an OpenAPI 3.0/3.1 or Swagger 2.0 document, JSON or YAML.

        Args:
            source: a path, the document's bytes or parsed content; a `str` with a line break or
                a leading `{` is the document itself, any other is a path.
            strict: refuse what openapi-spec-validator refuses.
            toolkit: name of the provider; the document's title by default. Of documents of one
                title, each gets a name of its own as soon as they are added.
            base_url: where the service is, in place of every server that the document names, its
                paths kept unless this has one; a policy has to allow it (`Policy.base_urls`).

        Raises:
            CatalogError: not such a document, or no such URL. A single bad operation is only
                skipped.
        """
        from gretel.catalog.openapi.loading import load_openapi

        loaded = load_openapi(source, strict=strict, toolkit=toolkit, base_url=base_url)
        return cls.from_loaded(loaded)

    @classmethod
    def from_toolbench(cls, path: str | Path) -> Self:
        """ToolBench tools: a file with an `api_list`, a folder of `category/tool.json`, a corpus.

        Raises:
            CatalogError: the path is neither.
        """
        from gretel.catalog.formats.detect import load_toolbench

        return cls.from_loaded(load_toolbench(path))

    @classmethod
    def from_jsonl(cls, path: str | Path) -> Self:
        """One tool a line: a Tool record, or a row of one of the known retrieval corpora.

        Raises:
            CatalogError: the file cannot be read, or none of its lines is a tool.
        """
        from gretel.catalog.formats.jsonl import load_jsonl

        return cls.from_loaded(load_jsonl(path))

    @classmethod
    def from_path(
        cls,
        path: str | Path,
        *,
        strict: bool = False,
        toolkit: str | None = None,
        base_url: str | None = None,
    ) -> Self:
        """A catalogue of any kind: the file or folder itself says which.

        Args:
            path: of the file or folder.
            strict: refuse documents that openapi-spec-validator refuses.
            toolkit: name of the provider, where the path holds one.
            base_url: as in `from_openapi`; in a folder that of every document.

        Raises:
            CatalogError: it is of no kind that we know, or `toolkit` or `base_url` does not fit it.
        """
        from gretel.catalog.formats.detect import load_path

        return cls.from_loaded(load_path(path, strict=strict, toolkit=toolkit, base_url=base_url))

    @classmethod
    def from_callables(cls, callables: "Iterable[Given]", *, toolkit: str | None = None) -> Self:
        """Python functions, described by their type hints and docstrings (Google style).

        Args:
            callables: functions, or names like `"package.module:function"`; with `()` behind it,
                the name of a factory that gives the function.
            toolkit: name of the provider; by default the package that a function comes from.

        Raises:
            CatalogError: no callable, or a name that cannot be imported.
        """
        from gretel.catalog.formats.callables import load_callables

        loaded, live = load_callables(callables, toolkit=toolkit)
        catalog = cls.from_loaded(loaded)
        catalog.live = {t.tool_id: live[t.source] for t in catalog if t.source in live}
        return catalog

    @classmethod
    def from_langchain(
        cls, tools: "Iterable[BaseTool | str]", *, toolkit: str | None = None
    ) -> Self:
        """LangChain tools; what they answer is not known. As `from_callables` in all else."""
        return cls.from_callables(tools, toolkit=toolkit)

    @classmethod
    def from_mcp(
        cls,
        listing: bytes | str | Mapping[str, Any] | Sequence[Any],
        *,
        server: str,
        description: str = "",
    ) -> Self:
        """The tools of the MCP server that you call `server`, from its answer to `tools/list`."""
        from gretel.catalog.formats.mcp import load_mcp

        return cls.from_loaded(load_mcp(listing, server=server, description=description))
