"""What an operation is about, where that decides what may be an answer: by its name and path."""

import re

from gretel.catalog.document import as_object
from gretel.contracts.tool import HttpBinding, Tool
from gretel.sandbox.answers.words.keys import CONTAINER_KEYS, plain_key
from gretel.text.identifiers import fold_identifier, identifier_text, split_identifier
from gretel.text.words import word_set

_HEALTH = word_set(
    """
    health healthz healthcheck healthy ping pong status alive live livez liveness ready readyz
    readiness heartbeat up uptime version test check probe echo hello
    """
)
_FILLERS = word_set("get api is the a server service system app root v1 v2 v3")
_ACTS = re.compile(
    r"(?:log|sign)[ _-]?(?:in|out|on|off)(?!g)|authenticat|authoriz|\b(?:verify|validate|send"
    r"|notify|subscribe|unsubscribe|trigger)\b",
    re.I,
)
_PAGES = re.compile(
    r"\b(?:html|pages?|web|website|webpage|sites?|url|scrap\w+|crawl\w*|render\w*|markup|source"
    r"|proxy)\b",
    re.I,
)


def tells_health(tool: Tool) -> bool:
    """Whether an operation says how its server is; then "OK" or `true` is all that is to say."""
    name = tool.operation
    if isinstance(tool.binding, HttpBinding):
        name = tool.binding.path.rstrip("/").rsplit("/", 1)[-1]
    words = {*split_identifier(name)} - _FILLERS
    return bool(words) and words <= _HEALTH


def acts(tool: Tool) -> bool:
    """Whether an operation does something, so that a message on it is all that is to say."""
    return bool(_ACTS.search(_name(tool)))


def promises_nothing(tool: Tool) -> bool:
    """Whether a document shows an answer whose data is null: that all is well is all there is."""
    fields = as_object(as_object(tool.response.json_schema).get("properties"))
    held = [as_object(each) for key, each in fields.items() if plain_key(key) in CONTAINER_KEYS]
    return bool(held) and all(each.get("examples") == [None] for each in held)


def gives_status(tool: Tool, argument: str) -> bool:
    """Whether an operation answers under the status that an argument gives."""
    if "status" in split_identifier(argument):
        return True
    is_code = fold_identifier(argument) in {"code", "codes"}
    return is_code and "status" in split_identifier(_name(tool))


def may_be_page(tool: Tool) -> bool:
    """Whether a web page may be what an operation is for."""
    return bool(_PAGES.search(_name(tool)))


def _name(tool: Tool) -> str:
    """The words of the operation's name and of the path's fixed steps."""
    steps = tool.binding.path.split("/") if isinstance(tool.binding, HttpBinding) else []
    names = (tool.operation, *(step for step in steps if "{" not in step))
    return " ".join(map(identifier_text, names))
