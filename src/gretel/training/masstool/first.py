"""The first stage: the encoder learns to put requests with the same tools side by side.

What is tuned is just what the second stage and every later request use: the vote of the nearest
requests. For each request the tools of all others, weighed by a softmax over cosines, are to be
its own (neighbourhood components analysis: Goldberger et al., 2004; over stored vectors as in Wu
et al., 2018). A request never votes for itself, nor for its double. MassTool's own first stage
pairs requests with tool texts (MultipleNegativesRankingLoss); with a small encoder that reaches
less, and takes hours on a CPU (docs/decisions/0006).
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import torch
from torch import Tensor

from gretel.contracts.errors import ConfigurationError
from gretel.contracts.record import Record
from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.masstool.backbone import Backbone, Vectors
from gretel.nodes.retrieve.masstool.config import Preset
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.training.batches import batches
from gretel.training.masstool.neighbours import numbered, vote_loss
from gretel.training.resume import (
    key_of,
    moments,
    put_moments,
    read_state,
    write_state,
)

_APART = 4
"""Tokens by which requests of one batch may differ."""

Told: TypeAlias = Callable[[int, int, str], None]
"""Told (done, of how many, what is going on)."""


class FirstSettings(Record):
    """How the first stage is trained."""

    preset: Preset = "top-layers"
    epochs: int = 3
    patience: int = 1
    """Epochs without gain on the development part after which it ends."""
    batch: int = 128
    rate: float = 3e-4
    decay: float = 0.01
    temperature: float = 0.05
    warm_up: int = 50
    """Steps until the full rate."""
    seed: int = 7


@dataclass(frozen=True)
class Asked:
    """Requests with the places of the tools that serve each."""

    texts: tuple[str, ...]
    gold: tuple[tuple[int, ...], ...]


class FirstStage:
    """One training of the encoder, which another process may go on with after a stop."""

    def __init__(
        self,
        backbone: Backbone,
        train: Asked,
        settings: FirstSettings,
        measure: Callable[[Pool], float],
        folder: Path,
    ) -> None:
        """Prepare; nothing is computed yet.

        Args:
            backbone: tuned in place.
            train: what it learns from.
            settings: how.
            measure: how good a pool of `train` is on the development part; higher is better.
            folder: where the state after each epoch is kept. It is read where it was made with
                the same settings, data and encoder.

        Raises:
            ConfigurationError: the preset tunes layers, and the encoder has none.
        """
        backbone.before_tuning()
        self._backbone = backbone
        self._train = train
        self._settings = settings
        self._measure = measure
        self._state, self._best = folder / "first.safetensors", folder / "best.safetensors"
        self._tuned = _tunable(backbone, settings.preset)
        self._served = Pool(torch.empty(0), train.gold).served()
        self._same = numbered(train.texts)
        self._lengths = backbone.lengths(train.texts)
        self._steps = math.ceil(len(train.texts) / settings.batch)
        self._optimizer = torch.optim.AdamW(_groups(self._tuned, settings.decay), settings.rate)
        # What a kept state must have been made with.
        self._key = key_of(
            backbone.weights.digest, settings.model_dump_json(), train.texts, train.gold
        )

    def run(self, told: Told) -> Vectors:
        """Tune the encoder, and give the vectors of the training requests.

        The weights of the best epoch are kept; none, where no epoch is better than none.
        """
        if not self._tuned:
            return self._encode(told)
        done, since, best, bank = self._begin(told)
        while done < self._settings.epochs and since < self._settings.patience:
            self._epoch(done, bank, told)
            done, reached = done + 1, self._measure(Pool(bank, self._train.gold))
            told(done, self._settings.epochs, f"epoch {done}: R@3 + C@3 {reached:.4f} on dev")
            since = 0 if reached > best else since + 1
            if reached > best:
                best = reached
                write_state(self._best, self._tuned, self._key)
            self._keep(bank, done=str(done), since=str(since), best=repr(best))
        kept = read_state(self._best, self._key)
        if kept is not None:
            self._backbone.weights.tune(kept[0])
        return self._encode(told)

    def _encode(self, told: Told, *, exact: bool = True) -> Vectors:
        return self._backbone.encode(
            self._train.texts,
            lambda done, total: told(done, total, "encoding requests"),
            exact=exact,
        )

    def _begin(self, told: Told) -> tuple[int, int, float, Tensor]:
        """Epochs done, epochs without gain, the best measure, the stored vectors."""
        kept = read_state(self._state, self._key)
        if kept is None:
            # No epoch may be better than none.
            write_state(self._best, self._tuned, self._key)
            bank = self._encode(told, exact=False).final
            return 0, 0, self._measure(Pool(bank, self._train.gold)), bank
        tensors, notes = kept
        self._backbone.weights.tune({name: tensors[name] for name in self._tuned})
        put_moments(self._tuned, self._optimizer, tensors)
        return int(notes["done"]), int(notes["since"]), float(notes["best"]), tensors["bank"]

    def _keep(self, bank: Tensor, **notes: str) -> None:
        kept = {**self._tuned, **moments(self._tuned, self._optimizer), "bank": bank}
        write_state(self._state, kept, self._key, **notes)

    def _epoch(self, number: int, bank: Tensor, told: Told) -> None:
        """One pass over the requests; `bank` is brought up to date as they come by."""
        # Its own seed each epoch: what goes on after a stop is what ran on.
        torch.manual_seed(self._settings.seed * 1_000 + number)
        total = self._steps * self._settings.epochs
        drawn, size = random.Random(f"{self._settings.seed} {number}"), self._settings.batch
        texts, length = range(len(self._train.texts)), self._lengths.__getitem__
        places = batches(texts, size, drawn, length, _APART)
        for step, batch in enumerate(places, number * self._steps):
            self._rate(step, total)
            with faster(self._backbone.device):
                made = self._backbone.forward(
                    self._backbone.tokens([self._train.texts[place] for place in batch])
                ).final.cpu()
            own = self._same[batch][:, None] == self._same
            loss = vote_loss(made, bank, batch, self._served, own, self._settings.temperature)
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self._tuned.values(), 1.0)
            self._optimizer.step()
            bank[batch] = made.detach()
            told(step + 1, total, f"tuning the encoder, loss {loss.item():.2f}")

    def _rate(self, step: int, total: int) -> None:
        """Up to the full rate, and down along a cosine."""
        warm = min(1.0, (step + 1) / self._settings.warm_up)
        share = warm * (1 + math.cos(math.pi * step / total)) / 2
        for group in self._optimizer.param_groups:
            group["lr"] = self._settings.rate * share


def _tunable(backbone: Backbone, preset: Preset) -> dict[str, torch.nn.Parameter]:
    """The weights that the preset tunes; the others stay as they are.

    Raises:
        ConfigurationError: there are none, though the preset tunes some.
    """
    if preset != "none" and not backbone.layers:
        raise ConfigurationError(
            f"tunes layers, and the encoder {backbone.name!r} has none that can be told apart",
            field=f"preset {preset}",
            remedy="Use `--preset none`, or another encoder.",
        )
    lowest = {"none": backbone.depth, "top-layers": backbone.middle, "full": 0}[preset]
    chosen = {id(p) for layer in backbone.layers[lowest:] for p in layer.parameters()}
    every = dict(backbone.module.named_parameters())
    for weight in every.values():
        weight.requires_grad_(id(weight) in chosen)
    return {name: weight for name, weight in every.items() if weight.requires_grad}


def _groups(tuned: dict[str, torch.nn.Parameter], decay: float) -> list[dict[str, object]]:
    """Offsets and scales are not drawn to zero."""
    matrices = [weight for weight in tuned.values() if weight.ndim > 1]
    others = [weight for weight in tuned.values() if weight.ndim <= 1]
    return [
        {"params": matrices, "weight_decay": decay},
        {"params": others, "weight_decay": 0.0},
    ]
