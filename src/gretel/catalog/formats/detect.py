"""A path of unknown kind → the loader that it needs."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path

from gretel.catalog.base_url import checked_base_url, move, refuse_url
from gretel.catalog.document import as_object, read_document
from gretel.catalog.formats.jsonl import load_jsonl
from gretel.catalog.formats.toolbench import read_toolbench
from gretel.catalog.openapi.loading import is_openapi, read_openapi
from gretel.catalog.report import Loaded, Skipped
from gretel.catalog.titles import mark_documents, name_toolkit
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonValue

DOCUMENT_SUFFIXES = frozenset({".json", ".yaml", ".yml"})
ROW_SUFFIXES = frozenset({".jsonl", ".ndjson"})
FILE_LIMIT = 100_000
"""Files of a folder that are looked at."""


def load_path(
    path: str | Path,
    *,
    strict: bool = False,
    toolkit: str | None = None,
    base_url: str | None = None,
) -> Loaded:
    """An OpenAPI document, a ToolBench tool, a JSONL catalogue, or a folder of these.

    A folder with a `corpus.jsonl` is a retrieval corpus. Of any other every document is read;
    one that is no description of tools, or a link that leads out of the folder, gives a skipped
    row, or with `strict` an error.

    Raises:
        CatalogError: nothing here describes a tool, or `toolkit` or `base_url` does not fit it.
    """
    refuse_url(str(path))
    server = checked_base_url(base_url) if base_url is not None else None
    file, read = Path(path), partial(_read, strict=strict)
    loaded = _load(file, read, DOCUMENT_SUFFIXES, strict=strict)
    if server is not None:
        move(loaded, server, place=file.name)
    if toolkit is not None:
        name_toolkit(loaded, toolkit, place=file.name)
    mark_documents(loaded, file)
    return loaded


def load_toolbench(path: str | Path) -> Loaded:
    """A tool file, every tool file of a folder, or a corpus whose rows hold `metadata.api`.

    The folder that a file stands in names its category.

    Raises:
        CatalogError: the path cannot be read, or is no ToolBench tool.
    """
    return _load(Path(path), read_toolbench, {".json"}, strict=False)


def _load(
    path: Path, read: Callable[..., Loaded], suffixes: AbstractSet[str], *, strict: bool
) -> Loaded:
    """What `read` makes of a document, or of each with one of `suffixes` in a folder."""
    if path.is_dir():
        corpus = path / "corpus.jsonl"
        if corpus.is_file():
            _refuse_link(corpus, path.resolve(), name=corpus.name)
            return load_jsonl(corpus)
        return _folder(path, read, suffixes, strict=strict)
    if path.suffix.lower() in ROW_SUFFIXES:
        return load_jsonl(path)
    return read(read_document(path, place=path.name), name=path.name, category="")


def _read(content: JsonValue, *, name: str, category: str, strict: bool) -> Loaded:
    if is_openapi(content):
        return read_openapi(content, name=name, strict=strict)
    if "api_list" in as_object(content):
        return read_toolbench(content, name=name, category=category)
    raise CatalogError(
        "is neither an OpenAPI document (no `openapi` or `swagger` version) nor a ToolBench tool "
        "(no `api_list`)",
        field=name,
        remedy="Give such a document, a .jsonl catalogue, or a folder of these",
    )


def _folder(
    folder: Path, read: Callable[..., Loaded], suffixes: AbstractSet[str], *, strict: bool
) -> Loaded:
    found = (f for f in folder.rglob("*") if f.suffix.lower() in suffixes)
    files = sorted(f for f in found if f.is_file())  # no pipe or device, which may never end
    if len(files) > FILE_LIMIT:
        remedy = "Name the folder that holds the documents"
        raise CatalogError(f"has {len(files):,} files", field=str(folder), remedy=remedy)
    loaded = Loaded()
    used, home = 0, folder.resolve()
    for file in files:
        relative = file.relative_to(folder)
        category = relative.parts[-2] if len(relative.parts) > 1 else ""
        name = relative.as_posix()
        try:
            _refuse_link(file, home, name=name)
            document = read(read_document(file, place=name), name=name, category=category)
        except CatalogError as error:
            if strict:
                raise
            loaded.skip(*Skipped.whole(name, error))
            continue
        loaded.extend(document)
        used += 1
    if not used:
        raise CatalogError(
            "has no document that describes tools",
            field=str(folder),
            remedy="Give a folder of OpenAPI documents or ToolBench tools, or a corpus.jsonl",
        )
    return loaded


def _refuse_link(file: Path, home: Path, *, name: str) -> None:
    """Who wrote a folder chooses its documents, and none of the reader's own elsewhere."""
    if not file.resolve().is_relative_to(home):
        remedy = "Name the file that it leads to"
        raise CatalogError("is a link that leads out of its folder", field=name, remedy=remedy)
