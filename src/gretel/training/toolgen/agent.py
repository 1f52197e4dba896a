"""The third stage: whole runs of an agent, thoughts, tools, arguments and answers alike.

Places of text are learnt over the model's own vocabulary, places of tools over the tools that the
records name and the end: no tool is taken for a wrong one because no record has it.
"""

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from gretel.contracts.tool import ToolId
from gretel.nodes.agent.toolgen.dialogue import Dialogue, Window
from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.toolgen.decoding import NEVER
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.slots import FINISH, RESERVED
from gretel.training.loop import batches
from gretel.training.toolgen.loop import RowsLoop
from gretel.training.toolgen.records import Record
from gretel.training.toolgen.settings import Settings, Stage

_HELD_OUT = 0.1
"""Share of the records on which the training looks at itself."""


class Runs(NamedTuple):
    """Windows of an agent's training."""

    train: tuple[Window, ...]
    dev: tuple[Window, ...]
    used: tuple[int, ...]
    """Slots that may be chosen: the end, and those that the records name."""


def runs_of(records: Sequence[Record], model: ToolModel, slots: dict[ToolId, int]) -> Runs:
    """Windows of records; a tenth of the records, by their sources, is held out."""
    dialogue, vocabulary = Dialogue(model.base), model.base.vocabulary
    shuffled = sorted(records, key=lambda record: random.Random(record.source).random())
    held = round(len(shuffled) * _HELD_OUT)
    parts = [
        tuple(window for each in part for window in dialogue.windows(each.script, slots))
        for part in (shuffled[held:], shuffled[:held])
    ]
    tokens = {window.tokens[at] for part in parts for window in part for at in window.targets}
    chosen = sorted({token - vocabulary for token in tokens if token >= vocabulary} | {FINISH})
    return Runs(parts[0], parts[1], tuple(chosen))


class AgentLoop(RowsLoop[Window]):
    """One training of the third stage; kept and gone on with as the first two are."""

    measured = "likelihood"

    def __init__(
        self, model: ToolModel, runs: Runs, settings: Settings, folder: Path, key: str
    ) -> None:
        """Prepare; see `Loop`. It measures the likelihood of what is held out."""
        stages: list[Stage] = ["agent"] * settings.agent_epochs
        super().__init__(model, stages, settings, self._likelihood, folder, key)
        self._runs = runs

    def _likelihood(self, model: ToolModel) -> float:
        windows = self._runs.dev or self._runs.train
        losses = []
        with torch.inference_mode():
            for start in range(0, len(windows), self._settings.micro):
                losses.append(float(self._loss(windows[start : start + self._settings.micro])))
        return math.exp(-sum(losses) / len(losses))

    def _batches(self, stage: str, epoch: int) -> Iterator[list[Window]]:
        """Windows of runs."""
        drawn = random.Random(f"{self._settings.seed} {epoch} runs")
        size = max(1, self._settings.agent_batch)
        return batches(self._runs.train, size, drawn, lambda each: len(each.tokens), 8)

    def _loss(self, part: Sequence[Window]) -> Tensor:
        """Of the text that the model is to say, and of its choices, each a mean."""
        base = self._model.base
        rows = torch.tensor([n for n, each in enumerate(part) for _ in each.targets])
        places = torch.tensor([at - 1 for each in part for at in each.targets])
        wanted = torch.tensor([each.tokens[at] for each in part for at in each.targets])
        rows, places, wanted = (value.to(base.device) for value in (rows, places, wanted))
        batch = base.batch([each.tokens for each in part])
        with faster(base.device), self._model.extension.scoring("all", (rows, places)):
            scores = base.forward(batch)[0].float()
        is_tool = wanted >= base.vocabulary
        text = cross_entropy(scores[~is_tool, : base.vocabulary], wanted[~is_tool])
        if not bool(is_tool.any()):
            return text
        tools = scores[is_tool][:, base.vocabulary :]
        wrong = torch.ones(tools.shape[1], dtype=torch.bool, device=base.device)
        wrong[list(self._runs.used)] = False
        chosen = wanted[is_tool] - base.vocabulary
        return text + cross_entropy(tools.masked_fill(wrong, NEVER), chosen)


def slots_of(tools: Sequence[ToolId]) -> dict[ToolId, int]:
    """The slot of each tool, as a training gives them."""
    return {tool_id: RESERVED + place for place, tool_id in enumerate(tools)}
