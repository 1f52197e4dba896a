"""What a description says of each parameter, where it is the docstring of a Python function.

Frameworks for MCP servers give the whole docstring as the tool's description, and its parameters
none of their own.
"""

import re
from collections.abc import Collection

_HEADING = re.compile(r"\s*(?:args|arguments|parameters|params)\s*:?\s*", re.IGNORECASE)
_ENTRY = re.compile(r"\s*(?:[-*]\s+|:param\s+)?[`*]{0,2}(\w{1,100})[`*]{0,2}(.*)", re.DOTALL)
_FIELD = re.compile(r"\s*:param\b")
_KIND = re.compile(r"\s*(?:\([^()]{0,200}\)\s*)?(?::|\s[-–—]\s)\s*(.*)", re.DOTALL)


def parameter_docs(description: str, names: Collection[str]) -> dict[str, str]:
    """For each of `names` what the list of arguments in `description` says of it, on one line.

    The list stands under a heading (`Args:`), or each of its entries begins with `:param`.
    """
    found: dict[str, list[str]] = {}
    said: list[str] = []
    heading, depth = -1, 0
    for line in filter(str.strip, description.splitlines()):
        indent = len(line) - len(line.lstrip())
        entry = _entry(line, names) if heading >= 0 or _FIELD.match(line) else None
        if _HEADING.fullmatch(line):
            heading, said = indent, []
        elif entry is not None:
            depth, said = indent, found.setdefault(entry[0], [])
            said[:] = said or [entry[1]]
        elif indent > depth:
            said.append(line.strip())
        else:
            said = []  # of something that is no parameter
            heading = heading if indent > heading else -1
    return {name: " ".join(lines).strip() for name, lines in found.items()}


def _entry(line: str, names: Collection[str]) -> tuple[str, str] | None:
    """The parameter that a line is about, and what it says; None where it is about none."""
    named = _ENTRY.fullmatch(line)
    told = _KIND.fullmatch(named.group(2)) if named and named.group(1) in names else None
    return (named.group(1), told.group(1)) if named and told else None
