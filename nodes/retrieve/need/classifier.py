"""The tool-need classifier: whether a request asks for something that a tool does.

Chat, opinions, general knowledge and creative writing need no tool whatever the catalogue; the
best cosine does not show it, for some tool is always near. Two logistic models add their log
odds: one hidden layer over what the encoder's earlier layers say (the sentence vector itself is
about the topic, and tells the two apart far worse), and the words and pairs of words of the
request's beginning ("i need", "what is", "write a"), of which only those are kept that several
collections share. `training/answerable.py` fits both and shows how well they carry over to
collections that they never saw (MassTool, arXiv 2507.00487, learns the same decision beside
retrieval).

The layers are those of the bundled encoder; for another one there is no such signal.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Self

import numpy as np

from gretel.nodes.retrieve.encoding.encoder import Matrix
from gretel.nodes.retrieve.semantic.sparse import Vector

LIMITS = (-4.0, 2.0)
"""Log odds count no further: wording alone outweighs no good match, and still less does a clear
order make up for tools that do something else."""

_TOKEN = re.compile(r"\w+(?:'\w+)?|[?.!,]")
_CHARACTERS_READ = 600


@dataclass(frozen=True)
class NeedClassifier:
    """The two models; `load` gives the fitted ones."""

    hidden: Matrix
    """One row a hidden unit."""
    hidden_bias: Vector
    output: Vector
    phrases: dict[str, float]
    """Log odds that a word or a pair of words adds."""
    bias: float

    @classmethod
    def load(cls) -> Self:
        """The fitted models that the package carries."""
        resource = files("gretel.nodes.retrieve.need").joinpath("classifier.npz")
        with as_file(resource) as path, np.load(path, allow_pickle=False) as stored:
            return cls(
                hidden=stored["hidden"],
                hidden_bias=stored["hidden_bias"],
                output=stored["output"],
                phrases=dict(
                    zip(stored["phrases"].tolist(), stored["weights"].tolist(), strict=True)
                ),
                bias=float(stored["bias"]),
            )

    def log_odds(self, text: str, middle: Sequence[float] | Vector) -> float:
        """For a tool, within `LIMITS`; `middle` is what `Embeddings.middle` says of `text`."""
        layers = np.asarray(middle, dtype=np.float32)
        active = np.maximum(self.hidden @ layers + self.hidden_bias, 0)
        phrased = sum(self.phrases.get(phrase, 0.0) for phrase in set(phrases(text)))
        total = float(active @ self.output) + phrased + self.bias
        return min(max(total, LIMITS[0]), LIMITS[1])


def phrases(text: str) -> Iterator[str]:
    """Words, marks and pairs of neighbours of the first characters of `text`, in lower case."""
    tokens = _TOKEN.findall(text[:_CHARACTERS_READ].lower())
    yield from tokens
    for first, second in zip(tokens, tokens[1:], strict=False):
        yield f"{first} {second}"
