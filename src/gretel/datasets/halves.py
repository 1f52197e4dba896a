"""Halves of a data set: one to develop on, one to report and never to look at.

A pure function of names, so that no file has to be kept and every tool says itself where it
belongs.
"""

import hashlib
from collections.abc import Iterable
from typing import Literal, TypeAlias

from gretel.catalog import Catalog, Skipped
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.datasets.judged import JudgedRequest

Half: TypeAlias = Literal["dev", "report"]


def half_of(name: str) -> Half:
    """The half of a toolkit or tool: `dev` where the first byte of its SHA-256 is even.

    Requests that no tool serves (tooldet, metatool_awareness) belong to the half of their id.
    """
    return "report" if hashlib.sha256(name.encode()).digest()[0] % 2 else "dev"


def split_key(tool: Tool) -> str:
    """The name that decides: the toolkit of a ToolBench tool, else the operation.

    A ToolBench request is about one toolkit, whose tools share their wording; to split these
    would leak. Elsewhere a toolkit is a domain of many tools, or the tool itself.
    """
    return tool.toolkit if isinstance(tool.binding, VirtualBinding) else tool.operation


def take_half(
    requests: Iterable[JudgedRequest], catalog: Catalog, half: Half
) -> tuple[tuple[JudgedRequest, ...], tuple[Skipped, ...]]:
    """The requests whose right tools all belong to `half`, and those that belong to neither.

    One whose tools span both halves is reported whichever half is asked for. A tool that the
    catalogue lacks is placed by its id.
    """
    kept: list[JudgedRequest] = []
    problems: list[Skipped] = []
    for request in requests:
        names = (split_key(catalog[each]) if each in catalog else each for each in request.gold)
        halves = set(map(half_of, names))
        if halves == {half}:
            kept.append(request)
        elif len(halves) > 1:
            reason = "its right tools belong to both halves"
            problems.append(Skipped(request.request_id, reason, "It is in neither half"))
    return tuple(kept), tuple(problems)
