"""The first two stages, where a tool is several words."""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, cast

import torch
from torch import Tensor

from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.toolgen.coded import CodedModel
from gretel.nodes.retrieve.toolgen.decoding import NEVER
from gretel.nodes.retrieve.toolgen.trie import CodeTrie
from gretel.training.toolgen.loop import ToolLoop
from gretel.training.toolgen.samples import Sample


class _Choice(NamedTuple):
    """One word of a code, where others could be said."""

    row: int
    at: int
    """Token behind which it is said."""
    word: int
    words: list[int]


class CodedLoop(ToolLoop):
    """Each word of a code is learnt against those that lead to another permitted tool, and so
    the share of a tool is what the search will say it is.
    """

    def _batches(self, stage: str, epoch: int) -> Iterator[list[Sample]]:
        """Of several tools that a request wants, one an epoch, by lot: each has its own way."""
        drawn = random.Random(f"{self._settings.seed} {epoch} targets")
        for batch in super()._batches(stage, epoch):
            yield [each._replace(target=(drawn.choice(each.target),)) for each in batch]

    def _loss(self, part: Sequence[Sample]) -> Tensor:
        model = cast(CodedModel, self._model)
        prompts, choices = [], []
        for row, sample in enumerate(part):
            (slot,) = sample.target
            before = [token for each in sample.before for token in model.said(each)]
            prompt = [*self._prompts[sample.text], *before]
            path = self._trie(sample).path(slot)
            choices += [
                _Choice(row, len(prompt) - 1 + depth, word, words)
                for depth, (word, words) in enumerate(path)
            ]
            prompts.append([*prompt, *model.said(slot)[: max(0, len(path) - 1)]])
        return self._of_choices(model, prompts, choices) / len(part)

    def _of_choices(
        self, model: CodedModel, prompts: Sequence[Sequence[int]], choices: Sequence[_Choice]
    ) -> Tensor:
        places = tuple(
            torch.tensor(each, device=model.base.device)
            for each in ([one.row for one in choices], [one.at for one in choices])
        )
        with faster(model.base.device), model.extension.scoring("tools", (places[0], places[1])):
            scores = model.base.forward(model.base.batch(prompts))[0].float()
        wrong = torch.ones(scores.shape, dtype=torch.bool)
        for n, one in enumerate(choices):
            wrong[n, one.words] = False
        believed = scores.masked_fill(wrong.to(scores.device), NEVER).log_softmax(1)
        wanted = torch.tensor([one.word for one in choices], device=scores.device)
        return -believed.gather(1, wanted[:, None]).sum()

    @cached_property
    def _tries(self) -> dict[bool, CodeTrie]:
        return {}

    def _trie(self, sample: Sample) -> CodeTrie:
        """Of what may follow; nearly all samples share one of two."""
        whole = cast(CodedModel, self._model).trie
        if sample.before:
            return whole.only(self._samples.permitted(sample))
        if sample.is_document not in self._tries:
            self._tries[sample.is_document] = whole.only(self._samples.permitted(sample))
        return self._tries[sample.is_document]
