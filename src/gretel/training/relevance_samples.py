"""Answers held against tools, their own and others', for `gretel.training.relevance`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

from gretel.catalog import Catalog
from gretel.catalog.answer_match import AnswerMatch
from gretel.catalog.field_names import (
    answer_names,
    is_message,
    name_words,
    promised_names,
    shows_error,
)
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Response, Tool, ToolId
from gretel.datasets.halves import half_of
from gretel.datasets.reading import read_lines

PER_TOOLKIT = 15
"""Answers of one toolkit that take part: large ones repeat themselves."""
WRONG = 2
"""Answers of other toolkits that each tool is shown."""
LARGEST = 3_000_000
"""Bytes of an OpenAPI document that is read."""
FEWEST = 5
"""Toolkits that use a word of the background."""
Shares: TypeAlias = dict[str, float]
"""Word → share of toolkits, see `word_shares`."""


class Sample(NamedTuple):
    """An answer held against a tool."""

    source: str
    toolkit: str
    match: AnswerMatch
    is_irrelevant: bool


def openapi_tools(folder: Path) -> list[Tool]:
    """The operations of all documents that can be read, each id once."""
    tools: dict[ToolId, Tool] = {}
    for _, row in read_lines(folder / "index.jsonl"):
        document = folder / str(row["file"])
        if document.stat().st_size > LARGEST:
            continue
        try:
            for tool in Catalog.from_openapi(document):
                tools.setdefault(tool.tool_id, tool)
        except CatalogError:
            continue  # the folder holds broken documents on purpose
    return list(tools.values())


def toolbench_tools(path: Path) -> list[Tool]:
    """The tools of the dev half."""
    tools = Catalog.from_jsonl(path)
    return [tool for tool in tools if half_of(tool.toolkit) == "dev"]


def word_shares(tools: Iterable[Tool]) -> Shares:
    """Word → share of the toolkits that promise answers whose field names use it."""
    used: dict[str, set[str]] = defaultdict(set)
    for tool in tools:
        names = promised_names(tool.response).fields
        used[tool.toolkit].update(word for name in names for word in name_words(name))
    documented = [words for words in used.values() if words]
    counts = Counter(word for words in documented for word in words)
    return {
        word: round(count / len(documented), 4)
        for word, count in sorted(counts.items())
        if count >= FEWEST
    }


def documented_samples(
    source: str, tools: Sequence[Tool], background: Shares, rng: Random
) -> Iterator[Sample]:
    """Every answer against its own tool, and against `WRONG` others, where these promise some."""
    answered = few_a_toolkit([t for t in tools if is_answer(t.response.example)], rng)
    yield from _samples(source, tools, answered, frozenset(), background, rng)


def undocumented_samples(
    source: str, tools: Sequence[Tool], background: Shares, rng: Random
) -> Iterator[Sample]:
    """The same where one half of the tools promises nothing, and where the other does."""
    telling = [
        t for t in tools if is_answer(t.response.example) and not is_message(t.response.example)
    ]
    answered = few_a_toolkit(telling, rng)
    half = {tool.tool_id for tool in tools if rng.random() < 0.5}
    for hidden in (half, {tool.tool_id for tool in tools} - half):
        yield from _samples(source, tools, answered, hidden, background, rng)


def _samples(
    source: str,
    tools: Sequence[Tool],
    answered: Sequence[Tool],
    hidden: AbstractSet[ToolId],
    background: Shares,
    rng: Random,
) -> Iterator[Sample]:
    """Of the tools in `hidden`, which then promise nothing; of all others where it is empty."""
    shown = {t.tool_id: without_example(t, hide=t.tool_id in hidden) for t in tools}
    vocabulary = Vocabulary(shown.values(), background)
    for tool in answered:
        for other in (tool, *(rng.choice(answered) for _ in range(WRONG))):
            found = vocabulary.match(shown[tool.tool_id], other.response.example)
            own = other.tool_id == tool.tool_id
            if found is None or found.is_documented == bool(hidden):
                continue
            if own or other.toolkit != tool.toolkit:
                yield Sample(source, tool.toolkit, found, is_irrelevant=not own)


def is_answer(example: JsonValue) -> bool:
    """Whether an example has fields and is no error."""
    return bool(answer_names(example).fields) and not shows_error(example)


def few_a_toolkit(tools: Iterable[Tool], rng: Random) -> list[Tool]:
    """At most `PER_TOOLKIT` tools of each toolkit, drawn."""
    by_toolkit: dict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        by_toolkit[tool.toolkit].append(tool)
    return [
        tool
        for group in by_toolkit.values()
        for tool in (rng.sample(group, PER_TOOLKIT) if len(group) > PER_TOOLKIT else group)
    ]


def without_example(tool: Tool, *, hide: bool) -> Tool:
    """`tool` promising nothing, or by its schema alone where it has one."""
    response = tool.response
    if hide:
        response = Response()
    elif response.json_schema:
        response = response.model_copy(update={"example": None})
    return tool.model_copy(update={"response": response})
