"""A language model that writes which tools a request needs, a line each."""

import threading
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import torch

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.artifact.tuning import multiplies_halves
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.rewrite.generative.bases import continued
from gretel.nodes.rewrite.queries import distinct

ASKED = "Which tools does this request need? One a line: its name, and what it does."
MOST = 96
"""Tokens that are written at most: four short descriptions."""
_AT_ONCE, _ON_GPU = 48, 256
"""Texts that are written side by side on a processor, and on a GPU, which 48 hardly keep busy."""
_LINE, _MARK = "\n", ";"
"""What ends a line; and where a tokenizer knows no line break (T5's)."""


class Written(NamedTuple):
    """What a model wrote."""

    text: str
    ended: bool
    """Whether it came to an end of its own, and not to the bound."""

    @property
    def lines(self) -> list[str]:
        """The queries in it, four at most; a line without a letter is none."""
        return distinct(line for line in self.text.split("\n") if any(map(str.isalpha, line)))

    @property
    def queries(self) -> list[str]:
        """Its lines; none where it came to no end, since such a text only runs on."""
        return self.lines if self.ended else []


class Writer:
    """Writes for one thread at a time: others wait.

    Attributes:
        base: what writes.
        end: the token that ends a text.
        at_once: how many texts are written side by side.
    """

    def __init__(self, base: CausalModel) -> None:
        """Write with `base`.

        Raises:
            ConfigurationError: it has no token that ends a text.
        """
        end = base.tokenizer.eos_token_id
        if end is None:
            problem = "its tokenizer has no token that ends a text"
            remedy = "Give a base that writes, such as a chat model."
            raise ConfigurationError(problem, field=f"base {base.name}", remedy=remedy)
        self.base = base
        self.end = int(end)
        self.at_once = _AT_ONCE if base.device.type == "cpu" else _ON_GPU
        self._between = _LINE if _LINE in self._decoded(self._tokens(f"a{_LINE}b")) else _MARK
        self._lock = threading.Lock()
        self._half: _Half | None = None

    def prompts(self, requests: Sequence[str]) -> list[list[int]]:
        """What stands before the model's first word."""
        return self.base.prompts([f"{ASKED}\n{text}" for text in requests])

    def target(self, lines: Sequence[str]) -> list[int]:
        """Tokens of a right answer with its end, cut as what is written is."""
        if self._between != _LINE:
            lines = [line.replace(self._between, ",") for line in lines]
        return [*self._tokens(self._between.join(lines))[: MOST - 1], self.end]

    def _tokens(self, text: str) -> list[int]:
        read = self.base.tokenizer(text, add_special_tokens=False, split_special_tokens=True)
        return list(read["input_ids"])

    def _decoded(self, tokens: Sequence[int]) -> str:
        return str(self.base.tokenizer.decode(tokens, skip_special_tokens=True))

    def write(self, requests: Sequence[str]) -> list[Written]:
        """The likeliest words, one by one."""
        return [found for (found,) in self._written(requests, 1, sampled=False)]

    def sample(self, requests: Sequence[str], count: int, *, seed: int) -> list[list[Written]]:
        """`count` texts for each request, drawn as the model believes; a seed gives the same."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return self._written(requests, count, sampled=True)

    def _written(
        self, requests: Sequence[str], count: int, *, sampled: bool
    ) -> list[list[Written]]:
        prompts = self.prompts(requests)
        order = sorted(range(len(prompts)), key=lambda place: (len(prompts[place]), place))
        found: dict[int, list[Written]] = {}
        size = max(1, self.at_once // count)
        for start in range(0, len(order), size):
            places = order[start : start + size]
            made = self._generated([prompts[place] for place in places], count, sampled=sampled)
            for row, place in enumerate(places):
                found[place] = [*map(self._read, made[row * count : (row + 1) * count])]
        return [found[place] for place in range(len(prompts))]

    def _read(self, tokens: list[int]) -> Written:
        ended = self.end in tokens
        own = tokens[: tokens.index(self.end)] if ended else tokens
        return Written(self._decoded(own).replace(self._between, _LINE), ended)

    def _generated(
        self, prompts: Sequence[Sequence[int]], count: int, *, sampled: bool
    ) -> list[list[int]]:
        """Tokens behind each prompt, `count` times."""
        chosen: dict[str, Any] = {"top_k": 0, "top_p": 1.0, "temperature": 1.0} if sampled else {}
        with self._lock:
            return continued(
                self.base,
                self._quick(),
                prompts,
                self.end,
                max_new_tokens=MOST,
                do_sample=sampled,
                num_return_sequences=count,
                **chosen,
            )

    def _quick(self) -> Any:
        """The model in half precision where that is faster: a copy, made anew when it has learnt.

        Every token reads all weights once, and half of them are read in half the time.
        """
        model = self.base.model
        if not multiplies_halves(self.base.device):
            return model
        state = [(id(weight), weight._version) for weight in model.parameters()]
        if self._half is None or self._half.state != state:
            self._half = _Half(state, deepcopy(model).to(torch.bfloat16))
        return self._half.model


class _Half(NamedTuple):
    """A copy in half precision."""

    state: list[tuple[int, int]]
    """Which weights were copied, and how often they had been changed by then."""
    model: Any
