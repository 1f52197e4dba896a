"""What a rewriter may write with: a decoder alone, or one behind an encoder (T5, BART)."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.language.base import CausalModel, read_config

Tokens = Sequence[Sequence[int]]


class Seq2SeqModel(CausalModel):
    """An encoder reads a request, and a decoder writes what follows.

    Attributes:
        layers: of both, by their height.
        start: the token behind which the decoder begins.
    """

    auto = "AutoModelForSeq2SeqLM"

    def __init__(self, name: str | None = None, *, device: str = "cpu") -> None:
        """Open it from this machine.

        Raises:
            ConfigurationError: it cannot be loaded, or does not say how its decoder begins.
        """
        super().__init__(name, device=device)
        start = self.model.config.decoder_start_token_id
        if start is None:
            problem = "its configuration has no decoder_start_token_id"
            remedy = "Give a base that writes, such as a T5."
            raise ConfigurationError(problem, field=f"base {name}", remedy=remedy)
        self.start = int(start)
        halves = [_layers(self.model.get_encoder()), _layers(self.model.get_decoder())]
        heights = [((n + 1) / len(own), layer) for own in halves for n, layer in enumerate(own)]
        self.layers = [layer for _, layer in sorted(heights, key=lambda each: each[0])]


def open_base(name: str, *, device: str = "cpu") -> CausalModel:
    """A base of either form, by what its configuration says.

    Raises:
        ConfigurationError: it cannot be loaded, or is no language model that writes.
    """
    pair = getattr(read_config(name), "is_encoder_decoder", False)
    return (Seq2SeqModel if pair else CausalModel)(name, device=device)


def scores(base: CausalModel, model: Any, prompts: Tokens, targets: Tokens) -> Tensor:
    """(tokens of all targets, vocabulary) what `model` says of each token behind the prompts.

    `model` has the base's form: its own, or a copy of it.
    """
    rows = [n for n, target in enumerate(targets) for _ in target]
    if isinstance(base, Seq2SeqModel):
        read = base.batch(prompts)
        behind = base.batch([[base.start, *target[:-1]] for target in targets])
        places = [n for target in targets for n in range(len(target))]
        given = {"attention_mask": read.mask, "decoder_input_ids": behind.tokens}
    else:
        pairs = [*zip(prompts, targets, strict=True)]
        read = base.batch([[*prompt, *target[:-1]] for prompt, target in pairs])
        places = [len(prompt) - 1 + n for prompt, target in pairs for n in range(len(target))]
        given = {"attention_mask": read.mask}
    with faster(base.device):
        made = model(input_ids=read.tokens, use_cache=False, **given)
    found: Tensor = made.logits[rows, places].float()
    return found


def continued(
    base: CausalModel, model: Any, prompts: Tokens, end: int, **how: Any
) -> list[list[int]]:
    """Tokens that `model` writes behind each prompt, until `end` or a bound; `how`: of
    transformers' `GenerationConfig`.

    Nothing of how the base's folder says that it writes is taken: no digest holds that file.
    """
    from transformers import GenerationConfig

    model.generation_config = GenerationConfig()  # type: ignore[no-untyped-call]
    longest = max(map(len, prompts))
    lengths = torch.tensor([[len(prompt)] for prompt in prompts])
    pair = isinstance(base, Seq2SeqModel)
    tokens = torch.full((len(prompts), longest), end)
    for row, prompt in enumerate(prompts):  # what a decoder goes on with stands at the right end
        first = 0 if pair else longest - len(prompt)
        tokens[row, first : first + len(prompt)] = torch.tensor(prompt)
    places = torch.arange(longest)[None]
    mask = places < lengths if pair else places >= longest - lengths
    if isinstance(base, Seq2SeqModel):
        how["decoder_start_token_id"] = base.start
    wanted = GenerationConfig(  # type: ignore[no-untyped-call]
        num_beams=1, repetition_penalty=1.0, eos_token_id=end, pad_token_id=end, **how
    )
    with torch.inference_mode():
        made = model.generate(
            input_ids=tokens.to(base.device),
            attention_mask=mask.long().to(base.device),
            generation_config=wanted,
        )
    read: list[list[int]] = made[:, 1 if pair else longest :].tolist()
    return read


def _layers(half: nn.Module) -> list[nn.Module]:
    """Of an encoder or a decoder: its longest row of modules of one class."""
    rows = [[*each] for each in half.modules() if isinstance(each, nn.ModuleList)]
    return max((row for row in rows if len({*map(type, row)}) == 1), key=len, default=[])
