"""What answers speak of: words of the request that no call sent, as names in an answer.

A right tool's answer names what was asked for: its fields are called so, or it holds the person or
plugin of which the request speaks. What a call sent may be echoed, be it one of the same document
or a short value of any, and what a tool's document says has been read by retrieval: neither counts.
Nor do longer texts, which may be anybody's: names of fields and short values are read, so that a
sentence in an answer moves nothing.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import fsum, log

from gretel.catalog import Catalog
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan, Trial
from gretel.text.identifiers import space_words
from gretel.text.words import STOP_WORDS, stem

SHORT_CHARS, SHORT_WORDS = 40, 4
"""Of a value that is a name; a longer one is text."""
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?')
"""A text in JSON, and whether it is the name of a field."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def answer_words(text: str, trials: Sequence[Trial], catalog: Catalog) -> Mapping[ToolId, float]:
    """How much each tool's answer speaks of what `text` asks for, 0…1; the order of `trials` does
    not matter.

    A word counts by its inverse document frequency among the answers (Spärck Jones, Journal of
    Documentation 1972): what every answer has tells hardly anything.
    """
    asked, sent = _words(text), _sent(trials, catalog)
    answers = {
        trial.tool_id: (asked - sent[owner_of(catalog[trial.tool_id])]) & _words(_names_in(trial))
        for trial in trials
    }
    common = Counter(word for words in answers.values() for word in words)
    count = sum(trial.executed.status == "succeeded" for trial in trials)
    told = {
        tool_id: words - _words(_document(catalog[tool_id]))
        for tool_id, words in answers.items()
        if words
    }
    weight = {word: log((count + 1) / common[word]) for word in common}
    return {
        tool_id: min(1.0, fsum(weight[word] for word in words)) for tool_id, words in told.items()
    }


def _sent(trials: Sequence[Trial], catalog: Catalog) -> Mapping[Owner, set[str]]:
    """The words that calls sent, for the tools of each document. Of calls of others only short
    values count, and none that a document lists: what takes the whole request, or says its words
    itself, would take from others' answers what they tell.
    """
    own, short = defaultdict[Owner, set[str]](set), set[str]()
    for trial in trials:
        tool, plan = catalog[trial.tool_id], trial.plan
        schemas = {each.name: each.json_schema for each in tool.parameters}
        for name, sent in plan.arguments.items() if isinstance(plan, CallPlan) else ():
            said, owner = str(sent.value), owner_of(tool)
            words = _words(said)
            own[owner] |= words
            short |= (
                words if _short(said) and not _is_listed(sent, schemas.get(name, {})) else set()
            )
    owners = {owner_of(catalog[trial.tool_id]) for trial in trials}
    return {owner: own[owner] | short for owner in owners}


def _is_listed(sent: Argument, schema: JsonObject) -> bool:
    """Whether a value is one that its document says itself, wherever it was read in the end."""
    listed = sent.source == "example" or not schema.keys().isdisjoint(("enum", "const"))
    return listed or schema.get("default") == sent.value


def _names_in(trial: Trial) -> str:
    """The names of the answer's fields, and its short values."""
    if trial.executed.status != "succeeded":
        return ""
    found = _STRING.findall(trial.executed.excerpt)
    return " ".join(text for text, field in found if field or _short(text))


def _short(text: str) -> bool:
    return len(text) <= SHORT_CHARS and len(text.split()) <= SHORT_WORDS


def _document(tool: Tool) -> str:
    named = " ".join(parameter.name for parameter in tool.parameters)
    return f"{tool.operation} {tool.description} {named}"


def _words(text: str) -> set[str]:
    words = (word.lower() for word in _WORD.findall(space_words(text)))
    return {stem(word) for word in words if word not in STOP_WORDS}
