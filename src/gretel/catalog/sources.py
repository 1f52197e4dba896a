"""Where catalogues come from: documents, lists, functions, servers; a classmethod for each."""

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
            toolkit: name of the toolkit; the document's title by default. Documents with one title
                get names of their own when their catalogues are added.
            base_url: where the service runs, instead of every server that the document names. Their
                paths stay unless this has one. A policy must allow it (`Policy.base_urls`).

        Raises:
            CatalogError: it is not such a document or URL. A single bad operation is only skipped.
        """
        from gretel.catalog.openapi.loading import load_openapi

        loaded = load_openapi(source, strict=strict, toolkit=toolkit, base_url=base_url)
        return cls.from_loaded(loaded)

    @classmethod
    def from_toolbench(cls, path: str | Path) -> Self:
        """ToolBench tools: a file with an `api_list`, a folder of `category/tool.json`, a corpus.

        Raises:
            CatalogError: the path is none of these.
        """
        from gretel.catalog.formats.detect import load_toolbench

        return cls.from_loaded(load_toolbench(path))

    @classmethod
    def from_jsonl(cls, path: str | Path) -> Self:
        """One tool per line: a `Tool` record, or a row of one of the known retrieval corpora.

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
        """A catalogue of any kind; the format is detected.

        Args:
            path: of the file or folder.
            strict: refuse documents that openapi-spec-validator refuses.
            toolkit: name of the toolkit, if the path holds only one.
            base_url: as in `from_openapi`; in a folder, that of every document.

        Raises:
            CatalogError: the format is unknown, or `toolkit` or `base_url` does not fit it.
        """
        from gretel.catalog.formats.detect import load_path

        return cls.from_loaded(load_path(path, strict=strict, toolkit=toolkit, base_url=base_url))

    @classmethod
    def from_callables(cls, callables: "Iterable[Given]", *, toolkit: str | None = None) -> Self:
        """Python functions, described by their type hints and docstrings (Google style).

        Args:
            callables: functions, or names like `"package.module:function"`; with `()` at the end,
                the name of a factory that returns the function.
            toolkit: name of the toolkit; by default the package that a function comes from.

        Raises:
            CatalogError: an entry is not callable, or a name cannot be imported.
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
        """LangChain tools. As `from_callables`, but the form of their answers is not known."""
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
