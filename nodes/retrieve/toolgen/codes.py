"""Which words a tool is said by, where it has no token of its own.

Four schemes of ToolGen (arXiv 2410.03439, section 3.2) and ToolWeaver (arXiv 2601.21947): a tool's
name in the base's own tokens, its number, its way down a tree of clusters of documents, and the
residual codes of its document's vector. A vocabulary of some hundred words then names any number
of tools, for as many steps as a code has. All end with a number that tells apart the tools whose
words are otherwise the same, so that no code is the beginning of another, and none is used twice.
"""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from pydantic import Field
from torch import Tensor

from gretel.catalog.titles import bare_title
from gretel.contracts.errors import InputError
from gretel.contracts.record import Record
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.toolgen.slots import LONGEST_CODE, RESERVED
from gretel.text.identifiers import identifier_text

Scheme: TypeAlias = Literal["semantic", "numeric", "hierarchical", "residual"]
"""By name, by number, by clusters within clusters, by what clusters leave."""

BRANCHES = 10
"""Clusters of a cluster, and figures of a number."""
LONGEST = 32
"""Tokens of a name; what comes after is cut, since each is a step."""
_TOKEN = "t"
_LAST = "#"


class Words(Record):
    """What the rows behind the reserved ones stand for."""

    scheme: Scheme
    words: tuple[str, ...] = Field(max_length=1 << 20)


@dataclass(frozen=True)
class Codebook:
    """How codes are made; a word's row is its place among `words`, behind the reserved ones.

    Attributes:
        scheme: which.
        words: all that are used so far.
        centres: (clusters, width) of each cluster that was parted, or of each step of the residual.
    """

    scheme: Scheme
    words: tuple[str, ...] = ()
    centres: Mapping[str, Tensor] = field(default_factory=dict, repr=False)

    def coded(
        self,
        tools: Sequence[Tool],
        vectors: Tensor,
        used: Collection[tuple[int, ...]],
        tokenizer: Any,
    ) -> tuple["Codebook", list[tuple[int, ...]]]:
        """Codes of further tools, and the words that are then known.

        `vectors`: (tools, width) of their documents; `used`: codes that are or were others'.

        Raises:
            InputError: the numbers are used up, or a code is too long.
        """
        words = {word: RESERVED + n for n, word in enumerate(self.words)}
        taken, made = set(used), []
        for tool, vector in zip(tools, vectors, strict=True):
            for said in self._ways(tool, vector, len(taken), tokenizer):
                code = tuple(words.setdefault(word, RESERVED + len(words)) for word in said)
                if code not in taken:
                    break
            if len(code) > LONGEST_CODE:
                problem = f"gives a tool more than {LONGEST_CODE} words"
                raise InputError(problem, field="codes", remedy="Train it again.")
            taken.add(code)
            made.append(code)
        return replace(self, words=tuple(words)), made

    def beginning(self, tool: Tool, vector: Tensor, tokenizer: Any) -> tuple[str, ...]:
        """What the tool's document says of its code."""
        if self.scheme == "semantic":
            name = f"{identifier_text(bare_title(tool.toolkit))} {identifier_text(tool.operation)}"
            read = tokenizer(name, add_special_tokens=False, split_special_tokens=True)
            return tuple(f"{_TOKEN}{token}" for token in read["input_ids"][:LONGEST])
        return self._down(vector) if self.scheme == "hierarchical" else self._residual(vector)

    def _ways(
        self, tool: Tool, vector: Tensor, number: int, tokenizer: Any
    ) -> Iterator[tuple[str, ...]]:
        """Codes that it may have, in the order of preference."""
        if self.scheme == "numeric":
            yield self._figures(number)
            return
        before = self.beginning(tool, vector, tokenizer)
        for last in itertools.count():
            yield (*before, f"{_LAST}{last}")

    def _figures(self, number: int) -> tuple[str, ...]:
        places = len(self.words) // BRANCHES
        said = str(number).zfill(places)
        if len(said) > places:
            problem = f"has no number of {places} figures left"
            raise InputError(problem, field="codes", remedy="Train it again.")
        return tuple(f"{place}:{figure}" for place, figure in enumerate(said))

    def _down(self, vector: Tensor) -> tuple[str, ...]:
        path: list[int] = []
        while (centres := self.centres.get(".".join(map(str, path)) or "all")) is not None:
            path.append(_nearest(vector, centres))
        return tuple(f"{level}:{which}" for level, which in enumerate(path))

    def _residual(self, vector: Tensor) -> tuple[str, ...]:
        said = []
        for level in range(len(self.centres)):
            centres = self.centres[str(level)]
            which = _nearest(vector, centres)
            vector = vector - centres[which]
            said.append(f"{level}:{which}")
        return tuple(said)


def token_of(word: str) -> int | None:
    """The base's own token that a word is, if it is one."""
    return int(word.removeprefix(_TOKEN)) if word.startswith(_TOKEN) else None


def _nearest(vector: Tensor, centres: Tensor) -> int:
    return int((centres - vector).norm(dim=1).argmin())
