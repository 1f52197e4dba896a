"""What a Python callable takes: the parameters that a call by name can fill, and no others."""

import functools
import inspect
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gretel.catalog.document import as_object
from gretel.catalog.references import UnusableError
from gretel.contracts.record import JsonObject

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_REMEDY = "Wrap it in a function whose parameters can be given by name"
_MARK = "v__positional_only"
"""Beside the parameters that are given by place alone, langchain-core lists this one."""


def described(target: Any) -> "BaseTool":
    """The LangChain tool itself, or the one that langchain-core makes of a callable."""
    from langchain_core.tools import BaseTool, StructuredTool

    if isinstance(target, BaseTool):
        return target
    function = _function(target)
    is_async = inspect.iscoroutinefunction(function)
    documented = inspect.getdoc(function)
    name = _name(target)
    return StructuredTool.from_function(
        func=None if is_async else function,
        coroutine=function if is_async else None,
        name=name,
        description=None if documented else name,
        parse_docstring=bool(documented),
    )


def call_schema(tool: "BaseTool") -> JsonObject:
    """The JSON Schema of what a call of `tool` can be given by name.

    Raises:
        UnusableError: it needs something that has a place and no name.
    """
    from langchain_core.tools import Tool

    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    parameters = _parameters(function)
    if isinstance(tool, Tool) and tool.args_schema is None:
        # It takes one text, under any name: that of its function says most.
        unnamed = (*_POSITION, inspect.Parameter.VAR_KEYWORD)
        first = next((each for each in parameters if each.kind not in unnamed), None)
        name = "tool_input" if first is None else first.name
        return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    schema: Any = tool.tool_call_schema
    content = as_object(schema if isinstance(schema, dict) else schema.model_json_schema())
    return _by_name(content, parameters)


def injected(tool: "BaseTool") -> list[str]:
    """What a call of `tool` needs beside its arguments, and the runtime of an agent injects."""
    given = getattr(tool.tool_call_schema, "model_fields", None)
    asked = getattr(tool.get_input_schema(), "model_fields", {})
    if given is None:  # its schema is written as JSON, which has no word for it
        return []
    return [name for name, each in asked.items() if each.is_required() and name not in given]


def has_places(function: Any) -> bool:
    """Whether something that `function` takes has a place and no name."""
    return any(each.kind is inspect.Parameter.POSITIONAL_ONLY for each in _parameters(function))


def _by_name(schema: JsonObject, parameters: list[inspect.Parameter]) -> JsonObject:
    """`schema` without what stands for `*args` and `**kwargs`, which take no argument of a name."""
    properties = as_object(schema.get("properties"))
    placed = [each for each in parameters if each.kind in _POSITION and each.name in properties]
    needed = [each for each in placed if each.default is inspect.Parameter.empty]
    named = any(each.kind not in (*_POSITION, each.VAR_KEYWORD) for each in parameters)
    for each in needed:
        if each.kind is inspect.Parameter.POSITIONAL_ONLY or not named:
            raise UnusableError(f"it takes {each.name} by its place, and not by name", _REMEDY)
    dropped = {_MARK, *(each.name for each in placed)} if placed else set[str]()
    if placed or _made_of(properties, parameters):
        dropped |= {each.name for each in parameters if each.kind is inspect.Parameter.VAR_KEYWORD}
    kept: JsonObject = {name: part for name, part in properties.items() if name not in dropped}
    return {**schema, "properties": kept} if dropped else schema


def _made_of(properties: JsonObject, parameters: list[inspect.Parameter]) -> bool:
    """Whether a schema was made of the signature, and not written beside it."""
    return bool(parameters) and {each.name for each in parameters} >= properties.keys()


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        return [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return []


def _name(target: Any) -> str:
    named = target.func if isinstance(target, functools.partial) else target
    return str(getattr(named, "__name__", type(named).__name__))


def _function(target: Any) -> Callable[..., Any]:
    """`target` as a function: an object that can be called, and one with arguments bound, are none.

    What is called is `target` all the same.
    """
    if inspect.isroutine(target) or inspect.isclass(target):
        return target
    if not isinstance(target, functools.partial):
        return typing.cast("Callable[..., Any]", target.__call__)

    def bound(**arguments: Any) -> Any:
        return target(**arguments)

    signature = inspect.signature(target)
    hints = typing.get_type_hints(target.func)
    bound.__module__ = getattr(target.func, "__module__", bound.__module__)
    bound.__doc__ = inspect.getdoc(target.func)
    bound.__signature__ = signature  # type: ignore[attr-defined]
    bound.__annotations__ = {name: hints[name] for name in signature.parameters if name in hints}
    return bound
