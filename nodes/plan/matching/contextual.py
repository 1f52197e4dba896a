"""How well a span suits a slot by its context, as learnt from labelled calls.

The log-linear features compare words. That "for the Hendersons" says a `customer` stands in no list
of words, so token vectors of what was said, as the bundled encoder's fine-tuned layers give them,
meet the names of slot and operation, as in zero-shot slot filling (Bapna et al., 2017,
arXiv 1707.02363, section 3; Zaratiana et al., GLiNER, arXiv 2311.08526, section 3). A slot is read
by the encoder's input embeddings alone, for there are hundreds of them to a request.

`contextual.npz` and `contextual.json` are made by `python -m gretel.training.planning.contextual`.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gretel.contracts.tool import Tool
from gretel.nodes.fitted import fitted
from gretel.nodes.plan.matching.arrays import Floats, Indices
from gretel.nodes.plan.mentions.document import Document
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.nodes.plan.slots.slot import Slot
from gretel.nodes.retrieve.encoding.encoder import Encoder, Tokens
from gretel.text.gloss import LANGUAGES, glossed
from gretel.text.identifiers import split_identifier

NAME = "contextual"
"""Of the two files beside this: matrices, and what they weigh."""
LESS = 0.2
"""What "none" loses in log-odds: rules fill what is plain before, and a value that they leave is
said more often than among all slots. Chosen on the dev part of the written requests (.2 to .7)."""
TURNS = 8
"""Latest turns of a conversation that are read; spans of older ones have no context."""
PARTS = ("span", "slot", "said")
"""What is projected, in the order of `Projections`."""
CHARACTERS = 160
"""Of a name."""
_ENCODER = Encoder()


class Projection(NamedTuple):
    """Two layers, a row of `width` numbers to one of `rank`."""

    up: Floats
    up_bias: Floats
    down: Floats
    down_bias: Floats

    def of(self, rows: Floats) -> Floats:
        """Rows of inputs, projected."""
        inner = rows @ self.up + self.up_bias
        cubed = np.float32(0.7978845608) * (inner + np.float32(0.044715) * inner**3)
        active = np.float32(0.5) * inner * (1 + np.tanh(cubed))  # GELU, as torch approximates it
        return np.asarray(active @ self.down + self.down_bias, dtype=np.float32)


class Projections(NamedTuple):
    """What was learnt."""

    span: Projection
    slot: Projection
    said: Projection
    """Of all that was said, against which a slot without a value is held."""
    weight: float
    """Of all this in the log-odds."""


class Heard(NamedTuple):
    """What was said, projected."""

    spans: Floats
    """A row a span; 0 for what is not read."""
    said: Floats
    overlaps: npt.NDArray[np.bool_]
    """Of each span, the spans that share a token with it, itself too."""


@cache
def load_projections() -> Projections:
    """What was learnt (the file is read once)."""
    with files("gretel.nodes.plan.matching").joinpath(f"{NAME}.npz").open("rb") as file:
        held: dict[str, Any] = {n: a.astype(np.float32) for n, a in np.load(file).items()}
    span, slot, said = (
        Projection(*(held[f"{part}.{name}"] for name in Projection._fields)) for part in PARTS
    )
    return Projections(span, slot, said, fitted(f"plan/matching/{NAME}.json")["weight"])


def heard(document: Document, spans: Sequence[MentionSpan]) -> Heard:
    """The spans of a conversation in their context. It blocks: some milliseconds a turn."""
    tokens, known = read_turns(document), load_projections()
    rows = known.span.of(span_inputs(tokens, span_places(tokens, spans)))
    said = known.said.of(said_input(tokens)[None])[0]
    first, last = (np.asarray([span[n] for span in spans], dtype=np.intp) for n in (1, 2))
    overlaps = (first[:, None] < last) & (first < last[:, None])
    return Heard(rows, said, overlaps)


def sought(tool: Tool, slots: Sequence[Slot]) -> Floats:
    """What each of a tool's slots asks for, a row a slot, to be multiplied with what was heard."""
    known = load_projections()
    rows = known.slot.of(slot_inputs(tool, slots))
    return rows * np.float32(known.weight / np.sqrt(rows.shape[1]))


def contextual_scores(heard: Heard, rows: list[int], asked: Floats) -> tuple[Floats, float]:
    """Log-odds of some spans for a slot, `asked` its row of `sought`, and of none of all spans.

    Context says where a value stands and not how far it goes: spans that overlap have the best of
    theirs, so that words choose between "cat GIFs" and "GIFs".
    """
    own = heard.spans[rows] @ asked
    beside = heard.overlaps[np.ix_(rows, rows)]
    best = np.where(beside, own, -np.inf).max(axis=1, initial=-np.inf)
    return np.asarray(best, dtype=np.float32), float(heard.said @ asked) - LESS


def read_turns(document: Document) -> list[Tokens | None]:
    """The turns as the encoder reads them, None where they are too old."""
    texts = [segment.text for segment in document.segments]
    old = max(len(texts) - TURNS, 0)
    return [None] * old + [_ENCODER.tokens(text) for text in texts[old:]]


def span_places(tokens: Sequence[Tokens | None], spans: Sequence[MentionSpan]) -> Indices:
    """Turn of each span, its first token there and one past its last (n × 3); -1 if it is not read.

    The encoder's tokens are not those of `Document`.
    """
    found = np.full((len(spans), 3), -1, dtype=np.intp)
    for row, span in enumerate(spans):
        turn, first, end = span.mention.segment, span.mention.start, span.mention.end
        if (read := tokens[turn]) is None:
            continue
        begins, ends = read.places[:, 0], read.places[:, 1]
        inside = np.flatnonzero((begins < end) & (ends > first))
        if len(inside):
            found[row] = turn, inside[0], inside[-1] + 1
    return found


def span_inputs(tokens: Sequence[Tokens | None], places: Indices) -> Floats:
    """The mean vector of each span's tokens, and those of the token before and the one behind."""
    width = next(read.vectors.shape[1] for read in tokens if read is not None)
    made = np.zeros((len(places), 3, width), dtype=np.float32)
    for row, (turn, first, end) in enumerate(places.tolist()):
        read = tokens[turn] if turn >= 0 else None
        if read is not None:
            vectors = read.vectors
            made[row] = vectors[first:end].mean(0), vectors[first - 1], vectors[end]
    return made.reshape(len(places), 3 * width)


def said_input(tokens: Sequence[Tokens | None]) -> Floats:
    """The mean vector of all that was said."""
    read = np.concatenate([each.vectors for each in tokens if each is not None])
    return np.asarray(read.mean(0), dtype=np.float32)


def slot_inputs(tool: Tool, slots: Sequence[Slot]) -> Floats:
    """Mean input embeddings of each slot's name, and of the operation's.

    Descriptions are left out: any words can be written there, to be sought in every request.
    """
    if not slots:
        return np.zeros((0, load_projections().slot.up.shape[0]), dtype=np.float32)
    names = in_english([_words(slot.name) for slot in slots])
    means = _ENCODER.word_means([*names, _words(tool.operation)])
    return np.hstack([means[:-1], np.repeat(means[-1:], len(slots), axis=0)])


def in_english(names: list[str]) -> list[str]:
    """Names of slots in English where most of their words, and two at least, are of one language.

    The encoder was taught English: `origen` and `destino` are pieces of words to it. One word alone
    may as well be English (`barcode` begins as the Spanish boat).
    """
    words = {word for name in names for word in name.split()}
    for language in LANGUAGES:
        known = {word: read for word in words if (read := glossed(word, language)) != word}
        if len(known) > max(1, len(words) / 2):
            return [" ".join(known.get(word, word) for word in name.split()) for name in names]
    return names


def _words(name: str) -> str:
    return " ".join(split_identifier(name[:CHARACTERS]))
