"""Files and folders of ToolBench tools."""

from pathlib import Path

from gretel.catalog.document import decode, parse_document, read_bytes
from gretel.catalog.formats.jsonl import load_jsonl
from gretel.catalog.formats.toolbench import REMEDY, read_toolbench
from gretel.catalog.report import Loaded, Skipped
from gretel.contracts.errors import CatalogError


def load_toolbench(path: str | Path) -> Loaded:
    """A tool file, every tool file of a folder, or a corpus whose rows hold `metadata.api`.

    The folder that a file stands in names its category.

    Raises:
        CatalogError: the path cannot be read, or is no ToolBench tool.
    """
    path = Path(path)
    corpus = path / "corpus.jsonl" if path.is_dir() else path
    if corpus.suffix == ".jsonl" and corpus.is_file():
        return load_jsonl(corpus)
    if not path.is_dir():
        text = decode(read_bytes(path), place=path.name)
        content = parse_document(text, place=path.name)
        return read_toolbench(content, name=path.name, category="")
    loaded = Loaded()
    for file in sorted(path.rglob("*.json")):
        if not file.is_file():
            continue
        loaded.extend(_file_of_folder(file, file.relative_to(path)))
    if not loaded.tools:
        raise CatalogError("has no ToolBench tool", field=str(path), remedy=REMEDY)
    return loaded


def _file_of_folder(file: Path, relative: Path) -> Loaded:
    category = relative.parts[-2] if len(relative.parts) > 1 else ""
    name = relative.as_posix()
    try:
        content = parse_document(decode(read_bytes(file), place=name), place=name)
        return read_toolbench(content, name=name, category=category)
    except CatalogError as error:
        return Loaded(skipped=[Skipped.whole(name, error)])
