"""Toolkits of documents that name themselves: a title is not an owner.

Two documents may have one title ("FastAPI"), by chance or on purpose. Then none of them gets it:
each toolkit is the title with a mark behind `@`, the first that tells all of them apart: the file's
name, its folder and name, its server, the beginning of a hash of its content. So the names depend
on which documents there are, and never on their order. A name that the user gave stays his.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from gretel.catalog.base_url import authority
from gretel.catalog.identity import clean_name, mint
from gretel.catalog.ownership import document_of
from gretel.catalog.report import Loaded, Note, Titled
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding, Tool, ToolId

_DOTS = 16
"""Dots of an id that are looked at; a tool whose name has more is as good as new."""
_HASH = 8
"""Hexadecimal digits of a document's hash that stand in a name."""


def title_of(stated: str) -> str:
    """The toolkit's name that a document states; what looks like one of our marks is none."""
    return clean_name(stated[:1] + stated[1:].replace("@", "_"))


def mark_documents(loaded: Loaded, path: Path | None) -> None:
    """Note what tells the documents in `loaded` from others; `path`: where they were read."""
    servers: dict[str, str] = {}
    for tool in loaded.tools:
        if isinstance(tool.binding, HttpBinding) and tool.binding.servers:
            servers.setdefault(document_of(tool), authority(tool.binding.servers[0]))
    served = "\n".join(loaded.base_urls)
    for at, document in enumerate(loaded.documents):
        file, folder = "", ""
        if path is not None:
            full = (path / document.name if path.is_dir() else path).resolve()
            file, folder = full.stem, f"{full.parent.name}/{full.stem}"
        digest = hashlib.sha256(f"{document.digest}\n{served}".encode()).hexdigest()
        marks = (file, folder, servers.get(document.name, ""))
        loaded.documents[at] = document._replace(marks=marks, digest=digest)


def distinct_toolkits(documents: Iterable[Titled]) -> dict[Titled, Titled]:
    """Each document, and the same under the toolkit that it has among all of them."""
    groups: dict[str, dict[str, list[Titled]]] = defaultdict(lambda: defaultdict(list))
    found: dict[Titled, Titled] = {}
    for document in documents:
        groups[document.title][document.digest].append(document)
        found[document] = document
    for title, group in groups.items():
        copies = [sorted(each for each in same if not each.named) for same in group.values()]
        titled = [same for same in copies if same]
        contested = len(titled) > 1 or len(titled) < len(group)
        marks = _marks([same[0] for same in titled]) if contested else [""]
        for same, mark in zip(titled, marks, strict=False):
            toolkit = clean_name(f"{title}@{mark}") if contested else title
            found |= {each: each._replace(toolkit=toolkit) for each in same}
    return found


def apply_toolkits(
    tools: Iterable[Tool], renamed: Mapping[Titled, Titled]
) -> tuple[list[Tool], list[Note]]:
    """`tools`, each under the toolkit of its document, and a note for each new name."""
    wanted = {
        (old.toolkit, old.name): new.toolkit
        for old, new in renamed.items()
        if old.toolkit != new.toolkit
    }
    found = []
    for tool in tools:
        toolkit = wanted.get((tool.toolkit, document_of(tool))) if wanted else None
        found.append(tool if toolkit is None else under(tool, toolkit))
    notes = [
        Note(new.name, f"several documents are {new.title!r}: this one is {new.toolkit!r}")
        for old, new in renamed.items()
        if old.toolkit != new.toolkit
    ]
    return found, notes


def renumbered(
    documents: Iterable[Titled], before: Iterable[Tool], after: Iterable[Tool]
) -> list[Titled]:
    """`documents`, each under the name that its tools, which were `before`, have `after`.

    One that lost its name to another's claim would stand for that one from then on.
    """
    names = {
        (old.toolkit, document_of(old)): document_of(new)
        for old, new in zip(before, after, strict=True)
        if "#" in old.source
    }
    return [
        each._replace(name=names.get((each.toolkit, each.name), each.name)) for each in documents
    ]


def under(tool: Tool, toolkit: str) -> Tool:
    """`tool` as one of `toolkit`; what told its id apart stays."""
    minted = mint(tool.toolkit, tool.operation)
    rest = tool.tool_id.removeprefix(minted) if tool.tool_id.startswith(minted) else ""
    tool_id = ToolId(mint(toolkit, tool.operation) + rest)
    return tool.model_copy(update={"toolkit": toolkit, "tool_id": tool_id})


def bare_title(toolkit: str) -> str:
    """The title in a toolkit's name, without a mark."""
    return toolkit[:1] + toolkit[1:].partition("@")[0]


def titled(tool: Tool) -> ToolId:
    """The id that `tool` has where no other document has its title."""
    title = bare_title(tool.toolkit)
    start = _start(tool.toolkit)
    if title == tool.toolkit or not tool.tool_id.startswith(start):
        return tool.tool_id
    return ToolId(_start(title) + tool.tool_id.removeprefix(start))


def title_in(tool_id: ToolId) -> str:
    """What all ids begin with that tools of one title may have, with a mark or without."""
    return min(tool_id.partition("@")[0], tool_id.partition(".")[0], key=len)


def once(tool: Tool, tool_id: ToolId) -> Tool | None:
    """`tool` as it was where its toolkit had the mark, or none, of `tool_id`; None: never."""
    title = tool.toolkit.partition("@")[0]
    mark = tool_id.removeprefix(_start(title)).removesuffix(ending_of(tool))
    before = under(tool, f"{title}{mark}")
    return before if before.tool_id == tool_id and mark[:1] in ("", "@") else None


def ending_of(tool: Tool) -> str:
    """What of an id stands behind its toolkit, a dot first."""
    return tool.tool_id.removeprefix(_start(tool.toolkit))


def endings_in(tool_id: ToolId) -> Iterator[str]:
    """What `ending_of` the tool of an id may be: a mark, and a name, may hold dots too."""
    parts = tool_id.split(".")
    for first in range(max(1, len(parts) - _DOTS), len(parts)):
        yield "." + ".".join(parts[first:])


def _start(toolkit: str) -> str:
    """What the ids of a toolkit begin with."""
    return mint(toolkit, "_").removesuffix("._")


def name_toolkit(loaded: Loaded, toolkit: str, *, place: str) -> None:
    """Let the one toolkit in `loaded` be `toolkit`, as the user calls it.

    Raises:
        CatalogError: there are several in it.
    """
    found = {tool.toolkit for tool in loaded.tools}
    if len(found) > 1 or len(loaded.documents) > 1:
        count = max(len(found), len(loaded.documents))
        raise CatalogError(
            f"holds {count} toolkits, and one name was given for it",
            field=place,
            remedy="Name a single document, or leave the toolkit's name out.",
        )
    name = clean_name(toolkit)
    loaded.tools = [under(tool, name) for tool in loaded.tools]
    loaded.documents = [
        each._replace(title=name, toolkit=name, named=True) for each in loaded.documents
    ]


def _marks(documents: list[Titled]) -> list[str]:
    """What tells each of `documents` from the others."""
    for marks in zip_longest(*(each.marks for each in documents), fillvalue=""):
        if all(marks) and len(set(marks)) == len(marks):
            return list(marks)
    return [each.digest[:_HASH] for each in documents]
