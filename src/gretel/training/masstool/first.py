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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from gretel.contracts.errors import ConfigurationError
from gretel.contracts.record import Record
from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.masstool.backbone import Backbone, Vectors
from gretel.nodes.retrieve.masstool.config import Preset
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.training.loop import Loop, LoopSettings, Told, batches, groups_of
from gretel.training.masstool.neighbours import numbered, vote_loss
from gretel.training.resume import key_of


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
        self._backbone, self._train = backbone, train
        tuned = _tunable(backbone, settings.preset)
        self._loop = _Tuning(backbone, tuned, train, settings, measure, folder) if tuned else None

    def run(self, told: Told) -> Vectors:
        """Tune the encoder, and give the vectors of the training requests.

        The weights of the best epoch are kept; none, where no epoch is better than none.
        """
        if self._loop is not None:
            self._loop.run(told)
        return _encoded(self._backbone, self._train, told)


class _Tuning(Loop[int]):
    """Places of requests, batch by batch, held against stored vectors of all."""

    measured = "R@3 + C@3"
    may_stay = True

    def __init__(
        self,
        backbone: Backbone,
        tuned: Mapping[str, torch.nn.Parameter],
        train: Asked,
        settings: FirstSettings,
        measure: Callable[[Pool], float],
        folder: Path,
    ) -> None:
        self._backbone, self._train, self._how = backbone, train, settings
        self._served = Pool(torch.empty(0), train.gold).served()
        self._same = numbered(train.texts)
        self._lengths = backbone.lengths(train.texts)
        self._bank = self._made = torch.empty(0)
        steps = math.ceil(len(train.texts) / settings.batch)
        paced = LoopSettings(
            patience=settings.patience,
            batch=settings.batch,
            micro=settings.batch,  # a vote is among whole batches
            rate=settings.rate,
            warm_up=settings.warm_up / max(1, steps * settings.epochs),
            least=0.0,
            keep=steps + 1,  # behind each epoch
            seed=settings.seed,
        )
        key = key_of(backbone.weights.digest, settings.model_dump_json(), train.texts, train.gold)
        stages = ["tuning the encoder"] * settings.epochs
        super().__init__(
            groups_of(tuned, settings.decay),
            stages,
            paced,
            lambda: measure(Pool(self._bank, train.gold)),
            folder,
            key,
        )

    def _started(self, told: Told) -> None:
        self._bank = _encoded(self._backbone, self._train, told, exact=False).final

    def _beside(self) -> Mapping[str, Tensor]:
        return {"bank": self._bank}

    def _taken_up(self, tensors: Mapping[str, Tensor]) -> None:
        self._bank = tensors["bank"]
        if self._bank.ndim != 2 or len(self._bank) != len(self._train.texts):
            raise ValueError("its vectors are not those of the requests")

    def _batches(self, stage: str, epoch: int) -> Iterator[list[int]]:
        # Its own seed each epoch: what goes on after a stop is what ran on.
        torch.manual_seed(self._how.seed * 1_000 + epoch)
        drawn, places = random.Random(f"{self._how.seed} {epoch}"), range(len(self._lengths))
        return batches(places, self._how.batch, drawn, self._lengths.__getitem__)

    def _step(self, batch: Sequence[int]) -> float:
        """The stored vectors are brought up to date as they come by."""
        loss = super()._step(batch)
        self._bank[batch] = self._made.detach()
        return loss

    def _loss(self, part: Sequence[int]) -> Tensor:
        texts = [self._train.texts[place] for place in part]
        with faster(self._backbone.device):
            self._made = self._backbone.forward(self._backbone.tokens(texts)).final.cpu()
        own = self._same[part][:, None] == self._same
        return vote_loss(self._made, self._bank, part, self._served, own, self._how.temperature)


def _encoded(backbone: Backbone, train: Asked, told: Told, *, exact: bool = True) -> Vectors:
    def progress(done: int, total: int) -> None:
        told(done, total, "encoding requests")

    return backbone.encode(train.texts, progress, exact=exact)


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
