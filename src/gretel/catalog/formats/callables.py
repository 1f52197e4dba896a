"""Python callables and LangChain tools → tools.

One that another process can import by name is bound to that name, and can be tried in a process of
its own. Any other is a closure over live objects: the catalogue keeps the object itself, and its
record says that nothing names it.
"""

import importlib
import operator
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from gretel.catalog.bounds import DESCRIPTION_LIMIT, Pool
from gretel.catalog.document import as_json, as_list, as_object, as_text
from gretel.catalog.formats.functions import schema_parameters
from gretel.catalog.formats.signatures import call_schema, described, has_places, injected
from gretel.catalog.identity import clean_name, mint
from gretel.catalog.references import UnusableError
from gretel.catalog.report import Loaded, Note
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import CallableBinding, NoBinding, Tool
from gretel.text.foreign import SENTENCE, foreign

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

Given: TypeAlias = "str | Callable[..., Any] | BaseTool"
"""A callable, a LangChain tool, or the `module:qualname` of one; with `()` behind it the name of a
factory that gives one."""


class _Found(NamedTuple):
    """One entry, looked up."""

    target: Any
    binding: CallableBinding
    place: str


def load_callables(
    given: Iterable[Given], *, toolkit: str | None = None
) -> tuple[Loaded, dict[str, Any]]:
    """A tool for each entry, named and described as its signature and docstring say.

    Beside them, by `Tool.source`, the objects behind the tools that nothing names.

    An entry without a usable signature gives a skipped row. Names are imported here, which runs
    their modules; factories are called once.

    Raises:
        CatalogError: a name that cannot be imported, or an entry that is no callable.
    """
    loaded = Loaded()
    live: dict[str, Any] = {}
    pool = Pool()
    known = set[int]()
    for number, entry in enumerate(given):
        found = _found(entry, number)
        if id(found.target) in known:
            loaded.notes.append(Note(found.place, "the same function was given before"))
            continue
        with loaded.row(found.place):
            tool, beside = _tool(found, toolkit, pool)
            loaded.take(tool)
            if beside:
                why = (
                    f"{', '.join(beside)} is injected by an agent's runtime: it is not called here"
                )
                loaded.notes.append(Note(found.place, why))
            elif found.binding.target is None:
                live[found.place] = found.target
                known.add(id(found.target))  # which `live` keeps
    return loaded, live


def _found(entry: Given, number: int) -> _Found:
    if isinstance(entry, str):
        factory = entry.endswith("()")
        name = entry.removesuffix("()")
        target = _imported(name)
        binding = CallableBinding(target=name, factory=factory)
        return _Found(target() if factory else target, binding, entry)
    if not callable(entry) and not hasattr(entry, "invoke"):
        raise CatalogError(
            f"is a {type(entry).__name__}, which cannot be called",
            field=f"entry {number}",
            remedy="Give functions, LangChain tools, or names like 'package.module:function'",
        )
    named = _name_of(entry)
    place = named or f"{number}: {_label(entry)}"
    return _Found(entry, CallableBinding(target=named), place)


def _imported(name: str) -> Any:
    module, colon, attribute = name.partition(":")
    try:
        if not colon:
            raise ImportError("it has no colon")
        return operator.attrgetter(attribute)(importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise CatalogError(
            f"cannot be imported: {foreign(str(error), SENTENCE)}",
            field=name,
            remedy="Give the name as 'package.module:function'",
        ) from error


def _name_of(entry: Any) -> str | None:
    """The name under which another process finds `entry` or the function inside it."""
    if isinstance(entry, partial):  # its function's name says nothing of what is bound
        return None
    inner = [getattr(entry, name, None) for name in ("func", "coroutine")]
    for named in (entry, *inner):
        module = getattr(named, "__module__", None)
        attribute = getattr(named, "__qualname__", None)
        if not isinstance(module, str) or not isinstance(attribute, str) or module == "__main__":
            continue
        try:
            there = operator.attrgetter(attribute)(sys.modules[module])
        except (AttributeError, KeyError):
            continue
        if there is entry or (there is named and not has_places(named)):
            return f"{module}:{attribute}"
    return None


def _label(entry: Any) -> str:
    name = getattr(entry, "name", None) or getattr(entry, "__qualname__", type(entry).__name__)
    return clean_name(str(name))


def _tool(found: _Found, toolkit: str | None, pool: Pool) -> tuple[Tool, list[str]]:
    """The tool, and what a call needs that only the runtime of an agent has."""
    try:
        tool = described(found.target)
        # What it says may be that of somebody else's server, behind an adapter.
        parts = as_list(as_json([call_schema(tool), tool.description], place=found.place))
        beside = injected(tool)
    except UnusableError:
        raise
    except Exception as error:  # whatever pydantic and langchain-core make of a signature
        reason = f"its signature cannot be read: {str(error).partition(chr(10))[0]}"
        raise UnusableError(reason, "Annotate its parameters with JSON's types") from error
    home = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    module = str(getattr(home or type(tool), "__module__", ""))
    provider = clean_name(toolkit or module.partition(".")[0].strip("_") or "python")
    made = Tool(
        tool_id=mint(provider, tool.name),
        toolkit=provider,
        operation=clean_name(tool.name),
        description=as_text(parts[1])[:DESCRIPTION_LIMIT],
        parameters=schema_parameters(as_object(parts[0]), pool, as_text(parts[1])),
        binding=NoBinding() if beside else found.binding,
        source=found.place,
    )
    return made, beside
