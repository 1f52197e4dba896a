"""A language model with tools among its tokens, at work."""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.language.base import BATCH, CausalModel
from gretel.nodes.retrieve.language.beginning import Beginning
from gretel.nodes.retrieve.toolgen.codes import Codebook
from gretel.nodes.retrieve.toolgen.decoding import Decoding, Found, shares, taken
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import STOP, Slots
from gretel.nodes.retrieve.toolgen.tokens import Extension, Vocabulary


class Read(NamedTuple):
    """What the model says at the ends of `n` token lists."""

    scores: Tensor
    """(n, slots)."""
    hidden: Tensor
    """(n, d_out) what its head was given."""


class ToolModel:
    """Scores of tools, for one thread at a time: others wait."""

    def __init__(self, base: CausalModel, rows: Rows) -> None:
        """`base` is extended; nothing else may use it."""
        self.base = base
        self.extension = Extension(base.model, rows.to(base.device))
        self.lock = threading.RLock()
        self._beginning: Beginning | None = None
        self._usual: Tensor | None = None

    def hold(self) -> None:
        """The base's weights stay as they are from now on: what hangs on them alone is found once.

        Rows may come and go.
        """
        self._beginning = Beginning(self.base)

    @property
    def usual(self) -> Tensor:
        """() how long what the base's own tokens are read as is on average."""
        if self._usual is not None:
            return self._usual
        own = self.extension.embedding.weight.detach().float().cpu()
        usual: Tensor = own.norm(dim=1).mean()
        if self._beginning is not None:
            self._usual = usual
        return usual

    @property
    def rows(self) -> Rows:
        """Of all slots; others may be put in their place."""
        return self.extension.rows

    @rows.setter
    def rows(self, rows: Rows) -> None:
        with self.lock:
            self.extension.rows = rows.to(self.base.device)

    def forward(
        self, prompts: Sequence[Sequence[int]], scored: Vocabulary = "tools", behind: Any = None
    ) -> Read:
        """Of one batch, with gradients.

        `behind`: a `Kept` of the tokens before these (`language/beginning.py`).
        """
        batch = self.base.batch(prompts)
        with self.extension.scoring(scored, batch.last) as hidden:
            scores = self.base.forward(batch, behind)[:, 0]
        return Read(scores, hidden[-1])

    def know(self, slots: Slots, book: Codebook | None = None) -> None:
        """Told whenever tools came, changed or went; here a tool's row is all that there is."""

    def said(self, slot: int) -> list[int]:
        """The tokens of a slot."""
        return [self.base.vocabulary + slot]

    def read(self, prompts: Sequence[Sequence[int]], among: Sequence[int] | None = None) -> Read:
        """Of any number of token lists, on the CPU.

        `among`: slots that will be asked about, where these are not all.
        """
        return self.rows_read(prompts)

    def rows_read(self, prompts: Sequence[Sequence[int]]) -> Read:
        """Scores of the rows themselves."""
        return self._read(prompts, "tools", len(self.rows))

    def hidden(self, prompts: Sequence[Sequence[int]]) -> Tensor:
        """(n, d_out) what the head would be given to score."""
        return self._read(prompts, "none", 0).hidden

    def _read(self, prompts: Sequence[Sequence[int]], scored: Vocabulary, width: int) -> Read:
        """Token lists of like length together."""
        order = sorted(range(len(prompts)), key=lambda place: (len(prompts[place]), place))
        scores = torch.zeros(len(prompts), width)
        hidden = torch.zeros(len(prompts), self.base.d_out)
        with self.lock, torch.inference_mode():
            for start in range(0, len(order), BATCH):
                places = order[start : start + BATCH]
                with faster(self.base.device, enabled=self.base.device.type == "cuda"):
                    found = self._behind([prompts[place] for place in places], scored)
                scores[places] = found.scores.float().cpu()
                hidden[places] = found.hidden.float().cpu()
        return Read(scores, hidden)

    def _behind(self, prompts: Sequence[Sequence[int]], scored: Vocabulary) -> Read:
        """Of one batch, without what was kept of its first tokens."""
        kept = None if self._beginning is None else self._beginning.of(prompts)
        left = prompts if kept is None else [prompt[kept.tokens :] for prompt in prompts]
        return self.forward(left, scored, kept)

    def texts(self, texts: Sequence[str]) -> Read:
        """Of texts, as prompts."""
        return self.read(self.base.prompts(texts))

    def decode(
        self, texts: Sequence[str], permitted: Sequence[int], k: int, how: Decoding
    ) -> list[list[Found]]:
        """At most `k` of the permitted slots for each text, and nothing else."""
        prompts = self.base.prompts(texts)
        if how.mode == "chain":
            return [self._chain(prompt, permitted, k) for prompt in prompts]
        return taken(shares(self.read(prompts, permitted).scores, permitted), permitted, k, how)

    def _chain(self, prompt: Sequence[int], permitted: Sequence[int], k: int) -> list[Found]:
        """One tool after another, each read before the next, until the model says that it stops.

        The first is a tool in any case.
        """
        found: list[Found] = []
        while len(found) < min(k, len(permitted)):
            done = {each.slot for each in found}
            left = [slot for slot in permitted if slot not in done]
            tokens = [token for each in found for token in self.said(each.slot)]
            choice = [*left, STOP] if found else left
            scores = self.read([[*prompt, *tokens]], choice).scores
            believed = shares(scores, choice)
            (best,) = taken(believed, choice, 1, Decoding())[0]
            if best.slot == STOP:
                break
            found.append(best)
        return found
