"""Whose word a tool is: what marks, shared evidence and the words of an answer go by.

A toolkit is a name, and a name is no owner: any document may state it. What a document says is one
author's word, whatever servers it names; a list of tools may hold many authors' words, and there
their servers tell them apart.
"""

import re
from collections.abc import Collection, Iterable
from itertools import count
from typing import NamedTuple

from gretel.catalog.base_url import authority
from gretel.contracts.tool import CallableBinding, HttpBinding, McpBinding, Tool

_LINE = re.compile(r":\d+$")


class Owner(NamedTuple):
    """Tools of one owner share their evidence and their words; those of others never do."""

    toolkit: str
    document: str
    """What stands for the document, or the list, that the tool was read from."""
    server: str
    """Of a tool of a list: where it is called; '' where the document has one author."""


def owner_of(tool: Tool) -> Owner:
    """Whose word `tool` is."""
    if _is_function(tool):
        return Owner(tool.toolkit, "", "")
    servers = tool.binding.servers if isinstance(tool.binding, HttpBinding) else ()
    listed = servers and "#" not in tool.source
    return Owner(tool.toolkit, document_of(tool), authority(servers[0]).lower() if listed else "")


def told_apart(tools: Iterable[Tool], taken: Collection[Owner]) -> list[Tool]:
    """`tools`, of which none has an owner that is `taken`: another document has another author.

    Its name, which `source` begins with, gets a number behind `~`; nothing else is changed.
    """
    found = []
    free: dict[Owner, Owner] = {}  # of many tools of one document each number is tried once
    for tool in tools:
        wanted = owner_of(tool)
        owner = wanted
        if wanted in taken and not _is_function(tool):
            owner = free.get(wanted) or _numbered(wanted, taken)
            free[wanted] = owner
        source = owner.document + tool.source.removeprefix(wanted.document)
        found.append(tool if owner == wanted else tool.model_copy(update={"source": source}))
    return found


def _numbered(wanted: Owner, taken: Collection[Owner]) -> Owner:
    """`wanted`, its document under the first number that is not `taken`."""
    numbers = (wanted._replace(document=f"{wanted.document}~{at}") for at in count(2))
    return next(owner for owner in numbers if owner not in taken)


def unnumbered(document: str) -> str:
    """The name that a document has where no other document has it."""
    start = document.rstrip("~0123456789")
    return start + document[len(start) :].partition("~")[0]


def _is_function(tool: Tool) -> bool:
    """Whether this is one of the user's own functions, whose sources are places of their own."""
    return isinstance(tool.binding, CallableBinding) and not _LINE.search(tool.source)


def is_closure(tool: Tool) -> bool:
    """Whether this is one of the user's own functions, and nothing names it."""
    binding = tool.binding
    return _is_function(tool) and isinstance(binding, CallableBinding) and binding.target is None


def server_of(tool: Tool) -> str | None:
    """The MCP server that `tool` is of, by the user's word; None where it is of none.

    A line of a list may say to be of any.
    """
    if not isinstance(tool.binding, McpBinding) or _LINE.search(tool.source):
        return None
    return tool.binding.server


def document_of(tool: Tool) -> str:
    """The name of the document, or of the list, that a tool was read from."""
    return _LINE.sub("", tool.source.partition("#")[0])
